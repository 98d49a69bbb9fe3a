//! Condition variables of pthreads.
//!
//! The first word of the object has a bit for each waiting thread. A wait sets the thread's bit, unlocks the mutex,
//! waits until the bit is gone, and locks the mutex again. A signal takes the only waiter's bit away; where several
//! wait it sets the top bit, chooses one, and takes both bits away; while the top bit is set nobody else comes or goes.
//!
//! A wait with a time limit is a choice: either it is signalled, or it gives up. Where spurious wake-ups are asked for,
//! so is any wait. Who gives up or wakes up without a signal was never seen to be a waiter, so all that it does is to
//! unlock the mutex and to lock it again, later: it *pauses* ([`crate::vain`]).

use super::errno::ETIMEDOUT;
use super::{Builtin, Call, int, mutex, time};
use crate::history::{Blocked, Next};
use crate::runner::Run;
use raddle_event::{Address, Guard, Order, Rmw, RmwOp};

/// The functions that may wake up spuriously.
pub const WAITS: &[&str] = &["pthread_cond_wait", "cnd_wait", STD_WAIT];

/// The functions that wait with a time limit.
pub const TIMED_WAITS: &[&str] = &["pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait"];

/// `std::condition_variable::wait`
pub const STD_WAIT: &str = "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE";

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_cond_init", init),
    ("pthread_cond_destroy", destroy),
    ("pthread_cond_wait", |call| wait(call, call.address(0), call.address(1)).map(int)),
    ("pthread_cond_timedwait", |call| timedwait(call, call.address(2)).map(int)),
    ("pthread_cond_clockwait", |call| timedwait(call, call.address(3)).map(int)),
    ("pthread_cond_signal", signal),
    ("pthread_cond_broadcast", broadcast),
];

/// Set while a signal chooses among the waiters.
const CHOOSING: u64 = 1 << 63;

/// The word of one that has been destroyed.
const DESTROYED: u64 = 1 << 62;

/// More than can wait.
pub const MOST_WAITERS: u32 = 64;

/// The thread's bit.
fn bit(call: &Call) -> Run<u64> {
    match call.runner.thread.id.0 {
        number @ 0..=61 => Ok(1 << number),
        number => call.unsupported(format!("a wait on a condition variable in thread {number}: only the first 62 threads can")),
    }
}

pub fn init(call: &mut Call) -> Run<u64> {
    call.put(call.address(0), 8, 0, Order::Release)?;
    Ok(0)
}

pub fn destroy(call: &mut Call) -> Run<u64> {
    let condition = call.address(0);
    match call.look(condition, 8)? {
        0 => call.put(condition, 8, DESTROYED, Order::Relaxed).map(|()| 0),
        DESTROYED => call.misuse("a condition variable is destroyed that has been destroyed before"),
        _ => call.misuse("a condition variable is destroyed while a thread waits for it"),
    }
}

/// What changes the waiters while nobody chooses among them.
fn changing(op: RmwOp, operand: u64) -> Rmw {
    Rmw::new(op, operand).guarded(Guard::NoneOf(CHOOSING))
}

/// The waiters before a change.
fn waiters(call: &Call, word: u64) -> Run<u64> {
    match word & DESTROYED {
        0 => Ok(word),
        _ => call.misuse("a condition variable is used that has been destroyed"),
    }
}

/// The thread becomes a waiter.
pub fn come(call: &mut Call, condition: Address) -> Run<()> {
    let bit = bit(call)?;
    let word = call.change(condition, 8, changing(RmwOp::Or, bit), Order::AcqRel)?;
    waiters(call, word).map(|_| ())
}

/// The thread is a waiter no longer; tells whether nobody has woken it.
pub fn leave(call: &mut Call, condition: Address) -> Run<bool> {
    let bit = bit(call)?;
    let word = call.change(condition, 8, changing(RmwOp::And, !bit), Order::AcqRel)?;
    Ok(waiters(call, word)? & bit != 0)
}

/// The thread waits until it is woken.
pub fn sleep(call: &mut Call, condition: Address) -> Run<()> {
    let bit = bit(call)?;
    call.runner.wait(condition, 8, Guard::NoneOf(bit)).map(|_| ())
}

/// Unlocks the mutex with which a thread waits, which is to be `waiting` first where it waits for a signal; gives an
/// error number.
fn begin(call: &mut Call, mutex: Address, waiting: Option<Address>) -> Run<i32> {
    if call.holds(mutex) == 0 {
        return mutex::not_held(call, mutex, "a thread waits with a mutex that it does not hold");
    }
    if let Some(condition) = waiting {
        come(call, condition)?;
    }
    mutex::unlock(call, mutex)
}

/// A wait that ends for no reason, or because its time limit is over; gives an error number. Whoever is not signalled
/// could as well not have been a waiter.
fn pause(call: &mut Call, mutex: Address) -> Run<i32> {
    let error = begin(call, mutex, None)?;
    if error != 0 {
        return Ok(error);
    }
    call.runner.thread.counts.wakes += 1;
    mutex::lock(call, mutex)
}

/// Waits for a signal; gives an error number.
pub fn wait(call: &mut Call, condition: Address, mutex: Address) -> Run<i32> {
    super::jump::waits(call)?;
    if call.runner.world.limits.spurious && call.runner.choose(2)? == 1 {
        return pause(call, mutex);
    }
    let error = begin(call, mutex, Some(condition))?;
    if error != 0 {
        return Ok(error);
    }
    sleep(call, condition)?;
    mutex::lock(call, mutex)
}

/// Waits for a signal or gives up; gives an error number. The limit lies at an address. That it waits for a signal
/// which never comes is no execution: the limit is over first.
pub fn timedwait(call: &mut Call, limit: Address) -> Run<i32> {
    let (condition, mutex) = (call.address(0), call.address(1));
    let gives_up = call.runner.choose(2)? == 1;
    let error = if gives_up { pause(call, mutex)? } else { begin(call, mutex, Some(condition))? };
    if error != 0 {
        return Ok(error);
    }
    if gives_up {
        time::pass(call, limit)?;
        return Ok(ETIMEDOUT);
    }
    if leave(call, condition)? {
        return Err(Next::Blocked(Blocked::Assume));
    }
    mutex::lock(call, mutex)?;
    time::stay(call);
    Ok(0)
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
    let word = call.attempt(condition, 8, changing(RmwOp::Signal, most as u64), Order::AcqRel)?;
    let waiters = waiters(call, word)?;
    let waiting = waiters.count_ones();
    if waiting <= most {
        return Ok((waiting, waiting));
    }
    let chosen = call.runner.choose(waiting.into())?;
    let bit = (0..62).map(|n| 1 << n).filter(|bit| waiters & bit != 0).nth(chosen as usize).expect("one of the waiters is chosen");
    call.change(condition, 8, Rmw::new(RmwOp::And, !(bit | CHOOSING)), Order::AcqRel)?;
    Ok((1, waiting))
}
