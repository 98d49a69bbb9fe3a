//! Any bytes are read or refused; what is read is sound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_litmus::read;
use raddle_program::verify;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(test) = read("fuzz.litmus", &String::from_utf8_lossy(bytes)) {
        verify(&test.program).expect("the program keeps the invariants");
        let values = vec![0; test.observed.len()];
        test.state(&values);
        test.holds(&values);
    }
});
