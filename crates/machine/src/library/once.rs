//! What is done once: `pthread_once`, `call_once` and the static variables of C++ functions.
//!
//! A word says whether it has not begun (0), is under way (1 for `pthread_once`), or is done. Asking is one action, enabled while nobody is
//! at it. The calls themselves are made by the prelude.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::{Address, Guard, Order, Rmw, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("__raddle_once_begin", |call| begin(call, call.address(0), 4, 1)),
    ("__raddle_once_end", |call| end(call, call.address(0), 4, 2)),
    ("__cxa_guard_acquire", |call| begin(call, call.address(0), 1, UNDER_WAY)),
    ("__cxa_guard_release", |call| end(call, call.address(0), 1, 1)),
    ("__cxa_guard_abort", |call| end(call, call.address(0), 1, 0)),
];

/// The first byte of a guard of C++ is 1 when it is done, which compiled code looks at by itself.
const UNDER_WAY: u64 = 2;

/// Whether the caller is to do it; waits while another thread is at it.
fn begin(call: &mut Call, at: Address, size: u32, under_way: u64) -> Run<u64> {
    let rmw = Rmw::compare_exchange(0, under_way as u128).guarded(Guard::Not(under_way));
    let old = call.runner.rmw(at, size, rmw, Order::AcqRel)?;
    Ok((old == 0) as u64)
}

fn end(call: &mut Call, at: Address, size: u32, word: u64) -> Run<u64> {
    call.runner.store(at, size, Value::Word(word), Order::Release)?;
    Ok(0)
}
