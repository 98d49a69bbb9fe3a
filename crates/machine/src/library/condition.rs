//! Condition variables of pthreads.
//!
//! The first word of the object has a bit for each waiting thread. A wait sets the thread's bit, unlocks the mutex, waits until the bit is
//! gone, and locks the mutex again. A signal takes the only waiter's bit away; where several wait it sets the top bit, chooses one, and takes
//! both bits away; while the top bit is set nobody else comes or goes. There are no spurious wake-ups.
//!
//! A wait with a time limit is a choice, made beforehand: to wait as long as it takes, or to give up once the mutex is unlocked.

use super::errno::ETIMEDOUT;
use super::{Builtin, Call, int, mutex, nothing};
use crate::runner::Run;
use raddle_event::{Address, FaultKind, Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_cond_init", init),
    ("pthread_cond_destroy", destroy),
    ("pthread_cond_wait", |call| wait(call, call.address(0), call.address(1)).map(int)),
    ("pthread_cond_timedwait", |call| timedwait(call, call.address(0), call.address(1)).map(int)),
    ("pthread_cond_clockwait", |call| timedwait(call, call.address(0), call.address(1)).map(int)),
    ("pthread_cond_signal", signal),
    ("pthread_cond_broadcast", broadcast),
    ("pthread_condattr_init", nothing),
    ("pthread_condattr_destroy", nothing),
    ("pthread_condattr_setclock", nothing),
    ("pthread_condattr_setpshared", nothing),
];

/// Set while a signal chooses among the waiters.
const CHOOSING: u64 = 1 << 63;

/// More than can wait.
pub const MOST_WAITERS: u32 = 64;

/// The thread's bit.
pub fn bit(call: &Call) -> Run<u64> {
    match call.runner.thread.id.0 {
        number @ 0..=61 => Ok(1 << number),
        number => call.unsupported(format!("a wait on a condition variable in thread {number}: only the first 62 threads can")),
    }
}

pub fn init(call: &mut Call) -> Run<u64> {
    call.runner.store(call.address(0), 8, Value::Word(0), Order::Release)?;
    Ok(0)
}

pub fn destroy(call: &mut Call) -> Run<u64> {
    let waiters = call.runner.load(call.address(0), 8, Order::Relaxed, false)?;
    if waiters != 0 {
        return call.fault(FaultKind::MutexMisuse, "a condition variable is destroyed while a thread waits for it");
    }
    Ok(0)
}

/// Changes the waiters while nobody chooses among them; gives those before.
pub fn change(call: &mut Call, condition: Address, op: RmwOp, operand: u64) -> Run<u64> {
    let rmw = Rmw::new(op, operand).guarded(Guard::NoneOf(CHOOSING));
    call.runner.rmw(condition, 8, rmw, Order::AcqRel).map(|old| old as u64)
}

fn leave_mutex(call: &mut Call, mutex: Address) -> Run<()> {
    match mutex::unlock(call, mutex)? {
        0 => Ok(()),
        _ => call.fault(FaultKind::MutexMisuse, "a thread waits with a mutex that it does not hold"),
    }
}

/// Waits for a signal; gives an error number.
pub fn wait(call: &mut Call, condition: Address, mutex: Address) -> Run<i32> {
    let bit = bit(call)?;
    change(call, condition, RmwOp::Or, bit)?;
    leave_mutex(call, mutex)?;
    call.runner.wait(condition, 8, Guard::NoneOf(bit))?;
    mutex::lock(call, mutex)
}

/// Waits for a signal or gives up; gives an error number.
pub fn timedwait(call: &mut Call, condition: Address, mutex: Address) -> Run<i32> {
    let patient = call.runner.thread.store.is_published() && call.runner.choose(2)? == 0;
    if patient {
        return wait(call, condition, mutex);
    }
    let bit = bit(call)?;
    change(call, condition, RmwOp::Or, bit)?;
    leave_mutex(call, mutex)?;
    let waiters = change(call, condition, RmwOp::And, !bit)?;
    mutex::lock(call, mutex)?;
    Ok(if waiters & bit != 0 { ETIMEDOUT } else { 0 })
}

/// Wakes one waiter, any of them.
pub fn signal(call: &mut Call) -> Run<u64> {
    wake(call, call.address(0), 1)?;
    Ok(0)
}

/// Wakes all waiters.
pub fn broadcast(call: &mut Call) -> Run<u64> {
    wake(call, call.address(0), MOST_WAITERS)?;
    Ok(0)
}

/// Wakes all waiters where they are at most so many, else any one of them; gives how many of how many.
pub fn wake(call: &mut Call, condition: Address, most: u32) -> Run<(u32, u32)> {
    let waiters = change(call, condition, RmwOp::Signal, most as u64)?;
    let waiting = waiters.count_ones();
    if waiting <= most {
        return Ok((waiting, waiting));
    }
    let chosen = call.runner.choose(waiting)?;
    let bit = (0..62).map(|n| 1 << n).filter(|bit| waiters & bit != 0).nth(chosen as usize).expect("one of the waiters is chosen");
    call.runner.rmw(condition, 8, Rmw::new(RmwOp::And, !(bit | CHOOSING)), Order::AcqRel)?;
    Ok((1, waiting))
}
