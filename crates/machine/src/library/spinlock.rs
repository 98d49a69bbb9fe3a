//! Spin locks of pthreads: an object of four bytes that names its owner, zero when it is free.

use super::errno::EBUSY;
use super::mutex::owner;
use super::{Builtin, Call, int, nothing};
use crate::runner::Run;
use raddle_event::{FaultKind, Guard, Order, Rmw, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_spin_init", init),
    ("pthread_spin_destroy", nothing),
    ("pthread_spin_lock", lock),
    ("pthread_spin_trylock", trylock),
    ("pthread_spin_unlock", unlock),
];

fn init(call: &mut Call) -> Run<u64> {
    call.runner.store(call.address(0), 4, Value::Word(0), Order::Release)?;
    Ok(0)
}

fn taking(call: &Call) -> Rmw {
    Rmw::compare_exchange(0, owner(call) as u128)
}

fn lock(call: &mut Call) -> Run<u64> {
    call.runner.rmw(call.address(0), 4, taking(call).guarded(Guard::Is(0)), Order::Acquire)?;
    Ok(0)
}

fn trylock(call: &mut Call) -> Run<u64> {
    let old = call.runner.rmw(call.address(0), 4, taking(call), Order::Acquire)?;
    Ok(if old == 0 { 0 } else { int(EBUSY) })
}

fn unlock(call: &mut Call) -> Run<u64> {
    let own = owner(call) as u128;
    let old = call.runner.rmw(call.address(0), 4, Rmw::compare_exchange(own, 0), Order::Release)?;
    if old != own {
        return call.fault(FaultKind::MutexMisuse, "a spin lock is unlocked that the thread does not hold");
    }
    Ok(0)
}
