//! Threads and mutexes of pthreads.
//!
//! A mutex is one word at the start of its object: the owner plus one in the upper half and how often it has locked it
//! in the lower; zero when it is free. Locking is a read-modify-write that is enabled while the word is free.

use super::{Builtin, Call};
use crate::runner::{Run, taking};
use raddle_event::{Action, Address, FaultKind, Guard, Order, Region, ThreadId, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_create", create),
    ("pthread_join", join),
    ("pthread_self", this_thread),
    ("pthread_mutex_init", mutex_init),
    ("pthread_mutex_destroy", mutex_destroy),
    ("pthread_mutex_lock", mutex_lock),
    ("pthread_mutex_trylock", mutex_trylock),
    ("pthread_mutex_unlock", mutex_unlock),
];

const EBUSY: u64 = 16;

fn create(call: &mut Call) -> Run<u64> {
    let handle = call.runner.spawn(call.address(2), call.word(3))?;
    call.runner.store(call.address(0), 8, Value::Word(handle.0), Order::Plain)?;
    Ok(0)
}

fn this_thread(call: &mut Call) -> Run<u64> {
    call.runner.thread_word(call.runner.thread.id).map(|word| word.0)
}

/// The thread that a handle names.
pub fn thread_of(call: &mut Call, handle: Address) -> Run<ThreadId> {
    match call.runner.world.map.find(handle) {
        Some((Region::Threads, number, 0)) if (number as usize) < call.runner.world.names.len() => Ok(ThreadId(number)),
        _ => call.fault(FaultKind::ThreadMisuse, format!("{} is called with {handle}, which is not a thread", call.name)),
    }
}

fn join(call: &mut Call) -> Run<u64> {
    let handle = call.address(0);
    thread_of(call, handle)?;
    let at = call.runner.location(handle, 16);
    let word = call.runner.ask_value(Action::Read { at, order: Order::Acquire, guard: Some(Guard::AnyOf(1)) })?;
    let to = call.address(1);
    if to.0 != 0 {
        let result = (word.to_u128() >> 64) as u64;
        call.runner.store(to, 8, Value::Word(result), Order::Plain)?;
    }
    Ok(0)
}

/// The number by which a thread owns things: never zero.
fn owner(call: &Call) -> u32 {
    call.runner.thread.id.0 + 1
}

fn mutex_init(call: &mut Call) -> Run<u64> {
    call.runner.store(call.address(0), 8, Value::Word(0), Order::SeqCst)?;
    Ok(0)
}

fn mutex_destroy(call: &mut Call) -> Run<u64> {
    let word = call.runner.load(call.address(0), 8, Order::SeqCst, false)?;
    if word != 0 {
        return call.fault(FaultKind::MutexMisuse, "a locked mutex is destroyed");
    }
    Ok(0)
}

fn mutex_lock(call: &mut Call) -> Run<u64> {
    let rmw = taking(owner(call)).guarded(Guard::Is(0));
    call.runner.rmw(call.address(0), 8, rmw, Order::SeqCst)?;
    Ok(0)
}

fn mutex_trylock(call: &mut Call) -> Run<u64> {
    let rmw = raddle_event::Rmw::compare_exchange(0, taking(owner(call)).operand);
    let old = call.runner.rmw(call.address(0), 8, rmw, Order::SeqCst)?;
    Ok(if old == 0 { 0 } else { EBUSY })
}

fn mutex_unlock(call: &mut Call) -> Run<u64> {
    let held = taking(owner(call)).operand;
    let old = call.runner.rmw(call.address(0), 8, raddle_event::Rmw::compare_exchange(held, 0), Order::SeqCst)?;
    if old != held {
        return call.fault(FaultKind::MutexMisuse, "a mutex is unlocked that the thread does not hold");
    }
    Ok(0)
}
