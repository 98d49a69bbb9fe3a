//! What is done once: `pthread_once`, `call_once` and the static variables of C++ functions.
//!
//! A word says whether it has not begun (0), is under way (1) or is done (2). Asking is enabled while nobody is at it.
//! The calls themselves are made by the prelude.
//!
//! The guard of a static variable of C++ has that word in its second byte. The first one becomes 1 when it is done:
//! compiled code looks at it by itself.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::{Address, Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("__raddle_once_begin", |call| begin(call, call.address(0), 4)),
    ("__raddle_once_end", |call| set(call, call.address(0), 4, DONE)),
    ("__raddle_once_abort", |call| set(call, call.address(0), 4, 0)),
    ("__cxa_guard_acquire", |call| begin(call, second_byte(call), 1)),
    ("__cxa_guard_release", guard_release),
    ("__cxa_guard_abort", |call| set(call, second_byte(call), 1, 0)),
];

const UNDER_WAY: u64 = 1;
const DONE: u64 = 2;

/// Whether the caller is to do it; waits while another thread is at it. What is done already is only looked at: a
/// compare-exchange that fails waits for no buffer either where there is none.
fn begin(call: &mut Call, at: Address, size: u32) -> Run<u64> {
    let rmw = Rmw::compare_exchange(0, UNDER_WAY as u128);
    if !call.runner.world.limits.buffered {
        let old = call.runner.rmw(at, size, rmw.guarded(Guard::Not(UNDER_WAY)), Order::Acquire)?;
        return Ok((old == 0) as u64);
    }
    while call.runner.wait(at, size, Guard::Not(UNDER_WAY))? == 0 {
        if call.runner.rmw(at, size, rmw, Order::Acquire)? == 0 {
            return Ok(1);
        }
    }
    Ok(0)
}

fn set(call: &mut Call, at: Address, size: u32, word: u64) -> Run<u64> {
    call.runner.store(at, size, Value::Word(word), Order::Release)?;
    Ok(0)
}

fn second_byte(call: &Call) -> Address {
    Address(call.word(0) + 1)
}

/// Implementations exchange the byte that compiled code looks at.
fn guard_release(call: &mut Call) -> Run<u64> {
    call.runner.rmw(call.address(0), 1, Rmw::new(RmwOp::Exchange, 1), Order::AcqRel)?;
    set(call, second_byte(call), 1, DONE)
}
