//! `malloc` and its family.

use super::{Builtin, Call};
use crate::runner::Run;

pub const TABLE: &[(&str, Builtin)] = &[("malloc", malloc), ("__raddle_allocate", |call| call.runner.allocate(call.word(0), false, call.site).map(|address| address.0)), ("calloc", calloc), ("free", free)];

/// A new object, or null as a choice.
fn allocate(call: &mut Call, size: u64, zeroed: bool) -> Run<u64> {
    if call.runner.world.limits.malloc_may_fail && call.runner.choose(2)? == 1 {
        return Ok(0);
    }
    call.runner.allocate(size, zeroed, call.site).map(|address| address.0)
}

fn malloc(call: &mut Call) -> Run<u64> {
    allocate(call, call.word(0), false)
}

fn calloc(call: &mut Call) -> Run<u64> {
    match call.word(0).checked_mul(call.word(1)) {
        Some(size) => allocate(call, size, true),
        None => Ok(0),
    }
}

fn free(call: &mut Call) -> Run<u64> {
    let address = call.address(0);
    if address.0 != 0 {
        call.runner.free(address)?;
    }
    Ok(0)
}
