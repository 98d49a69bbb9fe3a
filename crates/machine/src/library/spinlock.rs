//! Spin locks of pthreads: an object of four bytes that names its owner, zero when it is free, or has a mark that it
//! has been destroyed.
//!
//! Unlocking is a store, as on x86: it may wait in the buffer. That the thread holds the lock it knows by itself.

use super::errno::EBUSY;
use super::mutex::{fails_for_no_reason, owner};
use super::{Builtin, Call, int};
use crate::runner::Run;
use raddle_event::{FaultKind, Guard, Order, Rmw};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_spin_init", init),
    ("pthread_spin_destroy", destroy),
    ("pthread_spin_lock", lock),
    ("pthread_spin_trylock", trylock),
    ("pthread_spin_unlock", unlock),
];

const DESTROYED: u64 = 1 << 31;

/// The part of a word that names the owner.
const OWNER: u64 = DESTROYED - 1;

fn init(call: &mut Call) -> Run<u64> {
    call.forget(call.address(0));
    call.put(call.address(0), 4, 0, Order::Release)?;
    Ok(0)
}

fn destroy(call: &mut Call) -> Run<u64> {
    let at = call.address(0);
    match call.look(at, 4)? {
        0 => call.put(at, 4, DESTROYED, Order::Relaxed).map(|()| 0),
        DESTROYED => call.misuse("a spin lock is destroyed that has been destroyed before"),
        _ => call.misuse("a locked spin lock is destroyed"),
    }
}

fn taking(call: &Call) -> Rmw {
    Rmw::compare_exchange(0, owner(call) as u128)
}

/// The thread has got the lock where it found the word free.
fn take(call: &mut Call, old: u64) -> Run<u64> {
    match old {
        0 => {
            call.hold(call.address(0));
            Ok(0)
        }
        DESTROYED => call.misuse("a spin lock is locked that has been destroyed"),
        _ => Ok(int(EBUSY)),
    }
}

fn lock(call: &mut Call) -> Run<u64> {
    let own = owner(call) as u64;
    if call.still_holds(call.address(0), 4, |word| word == own)? {
        return call.fault(FaultKind::Deadlock, "a thread locks a spin lock that it holds already");
    }
    let old = call.change(call.address(0), 4, taking(call).guarded(Guard::NoneOf(OWNER)), Order::Acquire)?;
    take(call, old)
}

fn trylock(call: &mut Call) -> Run<u64> {
    if fails_for_no_reason(call, call.address(0))? {
        return Ok(int(EBUSY));
    }
    let old = call.attempt(call.address(0), 4, taking(call), Order::Acquire)?;
    take(call, old)
}

fn unlock(call: &mut Call) -> Run<u64> {
    let at = call.address(0);
    if call.holds(at) == 0 {
        return call.misuse("a spin lock is unlocked that the thread does not hold");
    }
    call.let_go(at);
    call.put(at, 4, 0, Order::Release)?;
    Ok(0)
}
