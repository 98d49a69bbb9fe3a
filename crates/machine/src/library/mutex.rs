//! Mutexes of pthreads.
//!
//! A mutex is one word at the start of its object: the owner plus one in the upper half and how often it has locked it in the lower; zero when it is
//! free. Its kind stands where glibc has it, so that static initialisers and constructors of C++ need no call.
//!
//! Locking is one read-modify-write, enabled while the word is free or the thread's own. Only a thread that finds its own mutex
//! looks at the kind: a recursive one is then locked once more, an error-checking one tells, a normal one is a deadlock.

use super::errno::{EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use super::{Builtin, Call, int, nothing};
use crate::runner::{Run, taking};
use raddle_event::{Address, FaultKind, Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_mutex_init", init),
    ("pthread_mutex_destroy", destroy),
    ("pthread_mutex_lock", |call| lock(call, call.address(0)).map(int)),
    ("pthread_mutex_trylock", |call| trylock(call, call.address(0)).map(int)),
    ("pthread_mutex_timedlock", |call| timedlock(call, call.address(0)).map(int)),
    ("pthread_mutex_clocklock", |call| timedlock(call, call.address(0)).map(int)),
    ("pthread_mutex_unlock", |call| unlock(call, call.address(0)).map(int)),
    ("pthread_mutex_consistent", nothing),
    ("pthread_mutexattr_init", attr_init),
    ("pthread_mutexattr_destroy", nothing),
    ("pthread_mutexattr_settype", attr_settype),
    ("pthread_mutexattr_gettype", attr_gettype),
    ("pthread_mutexattr_setpshared", nothing),
    ("pthread_mutexattr_setrobust", nothing),
    ("pthread_mutexattr_setprotocol", nothing),
    ("pthread_mutexattr_setprioceiling", nothing),
];

/// Where glibc keeps the kind.
const KIND: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Normal,
    Recursive,
    ErrorCheck,
}

impl Kind {
    fn from_word(word: u64) -> Kind {
        match word & 3 {
            1 => Kind::Recursive,
            2 => Kind::ErrorCheck,
            _ => Kind::Normal,
        }
    }
}

/// The number by which a thread owns things: never zero.
pub fn owner(call: &Call) -> u32 {
    call.runner.thread.id.0 + 1
}

/// The word of what this thread has locked once.
pub fn held(call: &Call) -> u64 {
    (owner(call) as u64) << 32 | 1
}

fn kind(call: &mut Call, mutex: Address) -> Run<Kind> {
    call.load(Address(mutex.0 + KIND), 4).map(Kind::from_word)
}

fn is_own(call: &Call, word: u128) -> bool {
    (word >> 32) as u32 == owner(call)
}

fn init(call: &mut Call) -> Run<u64> {
    let attributes = call.address(1);
    let kind = if attributes.0 == 0 { 0 } else { call.load(attributes, 4)? };
    init_kind(call, call.address(0), kind)?;
    Ok(0)
}

/// Makes a mutex of a kind, by glibc's number for it.
pub fn init_kind(call: &mut Call, mutex: Address, kind: u64) -> Run<()> {
    call.runner.store(mutex, 8, Value::Word(0), Order::Release)?;
    call.store(Address(mutex.0 + KIND), 4, kind)
}

pub fn destroy(call: &mut Call) -> Run<u64> {
    let word = call.runner.load(call.address(0), 8, Order::Relaxed, false)?;
    if word != 0 {
        return call.fault(FaultKind::MutexMisuse, "a locked mutex is destroyed");
    }
    Ok(0)
}

/// Takes the mutex. `Err` tells the kind of one that the thread holds already and that is not recursive; it is left as it was.
fn acquire(call: &mut Call, mutex: Address) -> Run<Result<(), Kind>> {
    let owner = owner(call);
    let old = call.runner.rmw(mutex, 8, taking(owner).guarded(Guard::FreeOrOwnedBy(owner)), Order::Acquire)?;
    if old == 0 {
        return Ok(Ok(()));
    }
    match kind(call, mutex)? {
        Kind::Recursive => Ok(Ok(())),
        other => {
            call.runner.rmw(mutex, 8, Rmw::new(RmwOp::Sub, 1), Order::Relaxed)?;
            Ok(Err(other))
        }
    }
}

/// Locks a mutex; gives an error number.
pub fn lock(call: &mut Call, mutex: Address) -> Run<i32> {
    match acquire(call, mutex)? {
        Ok(()) => Ok(0),
        Err(Kind::ErrorCheck) => Ok(EDEADLK),
        Err(_) => call.fault(FaultKind::Deadlock, "a thread locks a mutex that it holds already"),
    }
}

/// Locks a mutex if it is free, or recursive and the thread's own.
pub fn trylock(call: &mut Call, mutex: Address) -> Run<i32> {
    let rmw = Rmw::compare_exchange(0, held(call) as u128);
    let old = call.runner.rmw(mutex, 8, rmw, Order::Acquire)?;
    if old == 0 {
        return Ok(0);
    }
    if is_own(call, old) && kind(call, mutex)? == Kind::Recursive {
        call.runner.rmw(mutex, 8, Rmw::new(RmwOp::Add, 1), Order::Relaxed)?;
        return Ok(0);
    }
    Ok(EBUSY)
}

/// Either waits as long as it takes, or gives up at once when it would have to wait.
pub fn timedlock(call: &mut Call, mutex: Address) -> Run<i32> {
    let patient = !call.runner.thread.store.is_published() || call.runner.choose(2)? == 0;
    if !patient {
        let error = trylock(call, mutex)?;
        return Ok(if error == 0 { 0 } else { ETIMEDOUT });
    }
    match acquire(call, mutex)? {
        Ok(()) => Ok(0),
        Err(Kind::ErrorCheck) => Ok(EDEADLK),
        Err(_) => Ok(ETIMEDOUT),
    }
}

/// Unlocks a mutex; gives an error number.
pub fn unlock(call: &mut Call, mutex: Address) -> Run<i32> {
    let old = call.runner.rmw(mutex, 8, Rmw::new(RmwOp::Release, held(call)), Order::Release)?;
    if is_own(call, old) {
        return Ok(0);
    }
    match kind(call, mutex)? {
        Kind::ErrorCheck => Ok(EPERM),
        _ => call.fault(FaultKind::MutexMisuse, "a mutex is unlocked that the thread does not hold"),
    }
}

fn attr_init(call: &mut Call) -> Run<u64> {
    call.store(call.address(0), 4, 0)?;
    Ok(0)
}

fn attr_settype(call: &mut Call) -> Run<u64> {
    call.store(call.address(0), 4, call.word(1))?;
    Ok(0)
}

fn attr_gettype(call: &mut Call) -> Run<u64> {
    let kind = call.load(call.address(0), 4)?;
    call.store(call.address(1), 4, kind)?;
    Ok(0)
}
