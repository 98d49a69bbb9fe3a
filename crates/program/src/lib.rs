//! The program form: what both front ends produce and the machine runs.
//!
//! A program is functions over dense registers, globals with their first bytes, and source places. A
//! register is a 64-bit word. An integer of up to 64 bits is kept zero-extended, a `float` in the lower half, an
//! integer of 65 to 128 bits in two registers, low half first. Aggregates and vectors are one register (or two) for
//! each leaf. Constants stand in registers of their own behind the others, filled when a frame is made.
//!
//! Every value that reaches an address, a stored value or a branch does so through registers, so address, data and
//! control dependencies can be read off the form.

#![warn(missing_docs)]

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
pub use layout::{Layout, Member, Scalar, TypeId, path as layout_path, size_of};
pub use liveness::live_at_start;
pub use loops::mark_loops;
pub use ops::{Convert, FloatTest, Overflow, Wide};
pub use place::{Place, PlaceId};
pub use program::{Global, Program, Symbol};
pub use text::{ParseError, parse};
pub use verify::{Invalid, verify};
