//! What is concluded under every model, with the exit code and kind of fault for each program: from executions however
//! they end (corpus/conclusions), from programs that spin (corpus/spins), and from accesses to memory and to what the
//! process has one of (corpus/memory).

mod support;

use support::check_folder;

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
