//! C: the functions of a test, read ([`parse`]) and lowered ([`lower`], [`builtin`]).
//!
//! A parameter is the address of the location of its name. Local variables are registers: they have no address, only
//! `&r0` as the expected value of a compare-exchange is understood.

mod ast;
mod builtin;
mod expression;
mod lower;
mod parse;

pub(crate) use ast::Function;
pub(crate) use lower::{lower, variables};
pub(crate) use parse::parse;
