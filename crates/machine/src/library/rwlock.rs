//! Read-write locks of pthreads.
//!
//! One word at the start of the object: how many threads read, or an owner in the upper half and one in the lower for
//! the thread that writes, or a mark that it has been destroyed. With a time limit a thread gives up where it would
//! have to wait.

use super::errno::{EBUSY, ETIMEDOUT};
use super::mutex::{OWNER, fails_for_no_reason, held};
use super::{Builtin, Call, int};
use crate::runner::Run;
use raddle_event::{FaultKind, Guard, Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_rwlock_init", init),
    ("pthread_rwlock_destroy", destroy),
    ("pthread_rwlock_rdlock", |call| lock(call, reading()).map(int)),
    ("pthread_rwlock_wrlock", wrlock),
    ("pthread_rwlock_tryrdlock", |call| trylock(call, reading()).map(int)),
    ("pthread_rwlock_trywrlock", |call| trylock(call, writing(call)).map(int)),
    ("pthread_rwlock_timedrdlock", |call| timedlock(call, reading()).map(int)),
    ("pthread_rwlock_timedwrlock", |call| timedlock(call, writing(call)).map(int)),
    ("pthread_rwlock_clockrdlock", |call| timedlock(call, reading()).map(int)),
    ("pthread_rwlock_clockwrlock", |call| timedlock(call, writing(call)).map(int)),
    ("pthread_rwlock_unlock", unlock),
];

/// The word of a lock that has been destroyed: more than can read, and without owner.
const DESTROYED: u64 = 1 << 31;

/// How a lock is taken: what is done when it can be, and when it can be. That of a destroyed one "can be taken" as
/// well, and is a fault.
#[derive(Clone, Copy)]
struct Attempt {
    rmw: Rmw,
    guard: Guard,
}

fn reading() -> Attempt {
    Attempt { rmw: Rmw::new(RmwOp::UIncBelow, DESTROYED), guard: Guard::NoneOf(OWNER) }
}

fn writing(call: &Call) -> Attempt {
    Attempt { rmw: Rmw::compare_exchange(0, held(call) as u128), guard: Guard::NoneOf(!DESTROYED) }
}

fn init(call: &mut Call) -> Run<u64> {
    call.forget(call.address(0));
    call.put(call.address(0), 8, 0, Order::Release)?;
    Ok(0)
}

fn destroy(call: &mut Call) -> Run<u64> {
    let at = call.address(0);
    match call.look(at, 8)? {
        0 => call.put(at, 8, DESTROYED, Order::Relaxed).map(|()| 0),
        DESTROYED => call.misuse("a read-write lock is destroyed that has been destroyed before"),
        _ => call.misuse("a locked read-write lock is destroyed"),
    }
}

/// The thread has got the lock where it could be taken from its old word.
fn take(call: &mut Call, attempt: Attempt, old: u64, otherwise: i32) -> Run<i32> {
    match attempt.rmw.apply(old as u128, 8) {
        Some(_) => {
            call.hold(call.address(0));
            Ok(0)
        }
        None if old == DESTROYED => call.misuse("a read-write lock is locked that has been destroyed"),
        None => {
            call.found_taken(call.address(0));
            Ok(otherwise)
        }
    }
}

fn lock(call: &mut Call, attempt: Attempt) -> Run<i32> {
    let old = call.change(call.address(0), 8, attempt.rmw.guarded(attempt.guard), Order::Acquire)?;
    take(call, attempt, old, 0)
}

fn wrlock(call: &mut Call) -> Run<u64> {
    if call.still_holds(call.address(0), 8, |word| word != 0)? {
        return call.fault(FaultKind::Deadlock, "a thread locks a read-write lock for writing that it holds already");
    }
    lock(call, writing(call)).map(int)
}

fn trylock(call: &mut Call, attempt: Attempt) -> Run<i32> {
    if fails_for_no_reason(call, call.address(0))? {
        return Ok(EBUSY);
    }
    let old = call.attempt(call.address(0), 8, attempt.rmw, Order::Acquire)?;
    take(call, attempt, old, EBUSY)
}

/// Giving up takes a locked instruction, too.
fn timedlock(call: &mut Call, attempt: Attempt) -> Run<i32> {
    if fails_for_no_reason(call, call.address(0))? {
        return Ok(ETIMEDOUT);
    }
    let old = call.change(call.address(0), 8, attempt.rmw, Order::Acquire)?;
    take(call, attempt, old, ETIMEDOUT)
}

fn unlock(call: &mut Call) -> Run<u64> {
    let (at, rmw) = (call.address(0), Rmw::new(RmwOp::Release, held(call)));
    if call.holds(at) != 0 {
        call.let_go(at);
        let old = call.change(at, 8, rmw, Order::Release)?;
        if old != DESTROYED && rmw.apply(old as u128, 8).is_some() {
            return Ok(0);
        }
    }
    call.misuse("a read-write lock is unlocked that the thread does not hold")
}
