//! Litmus tests: any bytes are read or refused; what is read is sound and can be run.

use crate::execute::{execute, is_small};
use raddle_litmus::read;
use raddle_program::verify;

/// Whether some bytes are a litmus test that was run.
pub fn litmus(bytes: &[u8]) -> bool {
    let Ok(test) = read("fuzz.litmus", &String::from_utf8_lossy(bytes)) else { return false };
    verify(&test.program).expect("the program keeps the invariants");
    let values = vec![u64::MAX; test.observed.len()];
    test.state(&values);
    test.holds(&values);
    test.passes_filter(&values);
    let is_run = is_small(&test.program);
    if is_run {
        execute(test.program);
    }
    is_run
}
