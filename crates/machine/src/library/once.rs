//! What is done once: `pthread_once`, `call_once` and the static variables of C++ functions.
//!
//! A word says whether it has not begun (0), is under way (1) or is done (2). Asking is one action, enabled while nobody is at it. The calls
//! themselves are made by the prelude.
//!
//! The guard of a static variable of C++ has that word in its second byte. The first one becomes 1 when it is done: compiled code looks at
//! it by itself.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::{Address, Guard, Order, Rmw, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("__raddle_once_begin", |call| begin(call, call.address(0), 4)),
    ("__raddle_once_end", |call| set(call, call.address(0), 4, DONE)),
    ("__cxa_guard_acquire", |call| begin(call, second_byte(call), 1)),
    ("__cxa_guard_release", guard_release),
    ("__cxa_guard_abort", |call| set(call, second_byte(call), 1, 0)),
];

const UNDER_WAY: u64 = 1;
const DONE: u64 = 2;

/// Whether the caller is to do it; waits while another thread is at it.
fn begin(call: &mut Call, at: Address, size: u32) -> Run<u64> {
    let rmw = Rmw::compare_exchange(0, UNDER_WAY as u128).guarded(Guard::Not(UNDER_WAY));
    let old = call.runner.rmw(at, size, rmw, Order::AcqRel)?;
    Ok((old == 0) as u64)
}

fn set(call: &mut Call, at: Address, size: u32, word: u64) -> Run<u64> {
    call.runner.store(at, size, Value::Word(word), Order::Release)?;
    Ok(0)
}

fn second_byte(call: &Call) -> Address {
    Address(call.word(0) + 1)
}

fn guard_release(call: &mut Call) -> Run<u64> {
    set(call, call.address(0), 1, 1)?;
    set(call, second_byte(call), 1, DONE)
}
