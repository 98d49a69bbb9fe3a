//! Read-write locks of pthreads.
//!
//! One word at the start of the object: how many threads read, or an owner in the upper half and one in the lower for the thread that writes.

use super::errno::{EBUSY, ETIMEDOUT};
use super::mutex::held;
use super::{Builtin, Call, int, nothing};
use crate::runner::Run;
use raddle_event::{FaultKind, Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_rwlock_init", init),
    ("pthread_rwlock_destroy", destroy),
    ("pthread_rwlock_rdlock", |call| take(call, reading()).map(int)),
    ("pthread_rwlock_wrlock", |call| take(call, writing(call)).map(int)),
    ("pthread_rwlock_tryrdlock", |call| attempt(call, reading(), EBUSY).map(int)),
    ("pthread_rwlock_trywrlock", |call| attempt(call, writing(call), EBUSY).map(int)),
    ("pthread_rwlock_timedrdlock", |call| timed(call, reading()).map(int)),
    ("pthread_rwlock_timedwrlock", |call| timed(call, writing(call)).map(int)),
    ("pthread_rwlock_clockrdlock", |call| timed(call, reading()).map(int)),
    ("pthread_rwlock_clockwrlock", |call| timed(call, writing(call)).map(int)),
    ("pthread_rwlock_unlock", unlock),
    ("pthread_rwlockattr_init", nothing),
    ("pthread_rwlockattr_destroy", nothing),
    ("pthread_rwlockattr_setpshared", nothing),
    ("pthread_rwlockattr_setkind_np", nothing),
];

/// The smallest word of a lock that is written under.
const WRITER: u64 = 1 << 32;

/// How a lock is taken: what is done when it can be, and when it can be.
#[derive(Clone, Copy)]
struct Way {
    rmw: Rmw,
    guard: Guard,
}

fn reading() -> Way {
    Way { rmw: Rmw::new(RmwOp::UIncBelow, WRITER), guard: Guard::NoneOf(!(WRITER - 1)) }
}

fn writing(call: &Call) -> Way {
    Way { rmw: Rmw::compare_exchange(0, held(call) as u128), guard: Guard::Is(0) }
}

fn init(call: &mut Call) -> Run<u64> {
    call.runner.store(call.address(0), 8, Value::Word(0), Order::Release)?;
    Ok(0)
}

fn destroy(call: &mut Call) -> Run<u64> {
    if call.runner.load(call.address(0), 8, Order::Relaxed, false)? != 0 {
        return call.fault(FaultKind::MutexMisuse, "a locked read-write lock is destroyed");
    }
    Ok(0)
}

fn take(call: &mut Call, way: Way) -> Run<i32> {
    call.runner.rmw(call.address(0), 8, way.rmw.guarded(way.guard), Order::Acquire)?;
    Ok(0)
}

/// Takes the lock or gives the error number.
fn attempt(call: &mut Call, way: Way, error: i32) -> Run<i32> {
    let old = call.runner.rmw(call.address(0), 8, way.rmw, Order::Acquire)?;
    Ok(if way.guard.holds(old as u64) { 0 } else { error })
}

/// Either waits as long as it takes, or gives up at once when it would have to wait.
fn timed(call: &mut Call, way: Way) -> Run<i32> {
    let patient = call.runner.thread.store.is_published() && call.runner.choose(2)? == 0;
    if patient { take(call, way) } else { attempt(call, way, ETIMEDOUT) }
}

fn unlock(call: &mut Call) -> Run<u64> {
    let rmw = Rmw::new(RmwOp::Release, held(call));
    let old = call.runner.rmw(call.address(0), 8, rmw, Order::Release)?;
    if rmw.apply(old, 8).is_none() {
        return call.fault(FaultKind::MutexMisuse, "a read-write lock is unlocked that the thread does not hold");
    }
    Ok(0)
}
