//! What is concluded under every model, with the exit code and kind of fault for each program: from executions however
//! they end (corpus/conclusions), from programs that spin (corpus/spins), and from accesses to memory and to what the
//! process has one of (corpus/memory).

use crate::support::{Folder, check_folder, main_of};

#[test]
fn every_execution_is_looked_at_however_it_ends() {
    check_folder("corpus/conclusions");
}

#[test]
fn loops_that_spin_end_as_they_should() {
    check_folder("corpus/spins");
}

#[test]
fn memory_is_read_and_written_as_it_should() {
    check_folder("corpus/memory");
}

/// Two threads wait for what is done once, in two places of the source: each is a fault of its own, though both wait in
/// the same function of the library.
#[test]
fn who_waits_in_the_library_waits_where_it_was_called() {
    let text = concat!(
        r#"
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void spin(void) { while (!flag); }
static void *left(void *p) {
  pthread_once(&once, spin);
  return p;
}
static void *right(void *p) {
  pthread_once(&once, spin);
  return p;
}
"#,
        main_of!(left, right, "")
    );
    let folder = Folder::new("once.c", text);
    for model in ["sc", "rc11", "power"] {
        let out = folder.check(&format!("check once.c --keep-going --model {model}"), 42, &["2 faults"]).out;
        assert!(out.contains("once.c:7:3 in left") && out.contains("once.c:11:3 in right"), "{out}");
    }
}
