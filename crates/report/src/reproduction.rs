//! The file that shows a mistake of Raddle to those who can mend it: the version, the command line, what went wrong,
//! and the program or the texts that were read.

use crate::fault::Sources;
use crate::witness::packed;
use raddle_program::Program;
use serde_json::{Value, json};

/// What to write. A program takes the place of the texts that it was made from.
pub fn reproduction(command: &[String], error: &str, program: Option<&Program>, inputs: &Sources) -> Value {
    let mut object = json!({
        "format": "raddle-report", "version": 1, "raddle": env!("CARGO_PKG_VERSION"), "command": command, "error": error,
    });
    match program.and_then(packed) {
        Some(program) => object["program"] = program,
        None => object["inputs"] = json!(inputs),
    }
    object
}
