//! The text syntax: whatever is accepted is printed and parsed back to an equal program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_program::{parse, verify};

fuzz_target!(|text: &str| {
    if let Ok(program) = parse(text) {
        let printed = program.to_string();
        assert!(parse(&printed).as_ref() == Ok(&program), "another program comes back\n{printed}");
        let _ = verify(&program);
    }
});
