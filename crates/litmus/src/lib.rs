//! Front end for litmus tests in herd7's format: X86, X86_64, PPC, AArch64 and C.
//!
//! [`read`] makes a [`Test`] of a file's text: a program with one function for each thread, all of which start at once,
//! and the condition on its final states. The threads return the registers that the condition names; the locations are
//! globals. [`Tally`] counts final states and reports them in herd7's words.
//!
//! A text goes through `source` (which reads head, initial state, code and final state), then `build` (which decides
//! where locations stand, what is observed, and lowers each thread through the file of its machine). Nothing is folded:
//! dependencies and branches that the text has are in the program.
//!
//! ```
//! let text = r"X86 SB
//! { }
//!  P0          | P1          ;
//!  MOV [x],$1  | MOV [y],$1  ;
//!  MOV EAX,[y] | MOV EAX,[x] ;
//! exists (0:EAX=0 /\ 1:EAX=0)
//! ";
//! let test = raddle_litmus::read("SB.litmus", text).unwrap();
//! assert_eq!((test.name.as_str(), test.program.entries.len()), ("SB", 2));
//! assert!(raddle_litmus::read("bad.litmus", "X86 bad { } P0 ; FLY ; exists (x=1)").is_err());
//! ```

#![warn(missing_docs, clippy::too_many_lines)]

mod aarch64;
mod aarch64_cas;
mod aarch64_memory;
mod assembly;
mod build;
mod c;
mod cells;
mod condition;
mod cursor;
mod error;
mod final_state;
mod flags;
mod header;
mod initial;
mod lines;
mod location;
mod observed;
mod ppc;
mod registers;
mod source;
mod tally;
mod test;
mod thread;
mod types;
mod x86;

pub use condition::{Atom, Condition, Proposition, Quantifier, Right};
pub use error::{Error, ErrorKind};
pub use header::Arch;
pub use tally::{Observation, Tally};
pub use test::{Format, Observed, Test};

/// Reads the text of a file; the name is only for messages and places.
pub fn read(file_name: &str, text: &str) -> Result<Test, Error> {
    let lines = lines::Lines::new(file_name, text);
    source::parse(text).and_then(|source| build::build(source, &lines)).map_err(|problem| lines.error(problem))
}
