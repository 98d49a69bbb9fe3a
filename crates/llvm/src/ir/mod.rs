//! A thin safe face of LLVM's C interface: the only place that calls it.
//!
//! Everything borrowed from a module carries its lifetime. LLVM checks the kinds of values in debug builds only, so a
//! method says which kind of value it is for, and callers keep to that.
#![allow(unsafe_code)]

mod block;
mod debug;
mod module;
mod moves;
mod text;
mod types;
mod value;
pub mod versions;

pub use block::Block;
pub use debug::{Metadata, Node, global_variable, variables};
pub use module::Module;
pub use types::{Kind, Type};
pub use value::Value;

pub use llvm_sys::LLVMAtomicOrdering as Ordering;
pub use llvm_sys::LLVMAtomicRMWBinOp as BinOp;
pub use llvm_sys::LLVMIntPredicate as Predicate;
pub use llvm_sys::LLVMOpcode as Opcode;
