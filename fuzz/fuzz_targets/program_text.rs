//! The text syntax: whatever is accepted is printed and parsed back to an equal program, and what the verifier accepts can be run under every model.
#![no_main]

#[path = "../../crates/check/tests/support/execute.rs"]
mod execute;

use libfuzzer_sys::fuzz_target;
use raddle_program::parse;

fuzz_target!(|text: &str| {
    if let Ok(program) = parse(text) {
        let printed = program.to_string();
        assert!(parse(&printed).as_ref() == Ok(&program), "another program comes back\n{printed}");
        execute::execute(text);
    }
});
