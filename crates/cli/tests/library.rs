//! The functions of the library that synchronise, under every model: what they order (docs/library-order.md), how waits with a time limit end, what may end for no reason, what is
//! misuse and what is only an error. The programs are those of corpus/library.

mod support;

#[test]
fn calls_that_synchronise_mean_what_they_promise() {
    support::check_folder("corpus/library");
}
