//! The text syntax: whatever is accepted is printed and parsed back to an equal program, and what the verifier accepts
//! can be run under every model.

use crate::execute::{execute, is_small};
use raddle_program::{parse, verify};

/// Whether some bytes are a program that was run.
pub fn program_text(bytes: &[u8]) -> bool {
    let Some(program) = std::str::from_utf8(bytes).ok().and_then(|text| parse(text).ok()) else { return false };
    let printed = program.to_string();
    assert!(parse(&printed).as_ref() == Ok(&program), "another program comes back\n{printed}");
    let is_run = verify(&program).is_ok() && is_small(&program);
    if is_run {
        execute(program);
    }
    is_run
}
