//! The program form: what both front ends produce and the machine runs.
//!
//! A program is functions over dense registers, globals with their first bytes, and source places. A
//! register is a 64-bit word. An integer of up to 64 bits is kept zero-extended, a `float` in the lower half, an
//! integer of 65 to 128 bits in two registers, low half first. Aggregates and vectors are one register (or two) for
//! each leaf. Constants stand in registers of their own behind the others, filled when a frame is made.
//!
//! Every value that reaches an address, a stored value or a branch does so through registers, so address, data and
//! control dependencies can be read off the form.
//!
//! Programs are built with a [`Builder`], or read from text:
//!
//! ```
//! let text = r#"
//! global g0 "x" size 4
//! entry f0
//! entry f1
//! function f0 "writer"
//! b0:
//!   store &g0, 1, 4, release
//!   return ()
//! function f1 "reader"
//! b0:
//!   load r0, &g0, 4, acquire
//!   return ()
//! "#;
//! let program = raddle_program::parse(text).unwrap();
//! raddle_program::verify(&program).unwrap();
//! assert_eq!(program.entries.len(), 2);
//! assert_eq!(raddle_program::parse(&program.to_string()).unwrap(), program);
//! ```

#![warn(missing_docs, clippy::too_many_lines)]

mod field;
mod function;
mod instruction;
mod layout;
mod liveness;
mod loops;
mod ops;
mod place;
mod pool;
mod program;
mod text;
mod verify;

pub use field::{Bits, BlockId, Def, ExternId, FunctionId, GlobalId, LoopId, NoteId, Regs, Size, TableId, Use};
pub use field::{Constants, Defs, Field, Lists, To, Uses};
pub use function::{Builder, Function, Reg, Table};
pub use instruction::Instr;
pub use layout::{Layout, Member, Scalar, TypeId, path as layout_path, size_of, starts as layout_starts};
pub use liveness::live_at_start;
pub use loops::mark_loops;
pub use ops::{Convert, Extended, FloatTest, Overflow, Wide};
pub use place::{Place, PlaceId};
pub use program::{Global, Program, Symbol};
pub use text::{ParseError, parse};
pub use verify::{Invalid, verify};
