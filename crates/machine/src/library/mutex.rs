//! Mutexes of pthreads.
//!
//! A mutex is one word at the start of its object: the owner plus one in the upper half and one in the lower while it
//! is locked, zero when it is free, one when it has been destroyed. Its kind stands where glibc has it, so that static
//! initialisers and constructors of C++ need no call.
//!
//! Locking is one read-modify-write, enabled while there is no owner. Only a thread that holds the mutex already looks
//! at the kind: a recursive one is then locked once more, which is nobody else's business; an error-checking one tells;
//! a normal one is a deadlock. With a time limit it gives up where the mutex is locked: that it waits for some time is
//! the same as that it comes later.

use super::errno::{EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, EOWNERDEAD, EPERM, ETIMEDOUT};
use super::{Builtin, Call, int, nothing};
use crate::alike::held_by;
use crate::runner::{Run, taking};
use raddle_event::{Address, FaultKind, Guard, Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_mutex_init", init),
    ("pthread_mutex_destroy", destroy),
    ("pthread_mutex_lock", |call| lock(call, call.address(0)).map(int)),
    ("pthread_mutex_trylock", |call| trylock(call, call.address(0)).map(int)),
    ("pthread_mutex_timedlock", |call| timedlock(call, call.address(0)).map(int)),
    ("pthread_mutex_clocklock", |call| timedlock(call, call.address(0)).map(int)),
    ("pthread_mutex_unlock", |call| unlock(call, call.address(0)).map(int)),
    ("pthread_mutexattr_init", attr_init),
    ("pthread_mutexattr_destroy", nothing),
    ("pthread_mutexattr_settype", |call| attr_set(call, TYPE, 3)),
    ("pthread_mutexattr_gettype", |call| attr_get(call, TYPE)),
    ("pthread_mutexattr_setpshared", nothing),
    (SET_ROBUST, attr_setrobust),
    ("pthread_mutexattr_setrobust_np", attr_setrobust),
    ("pthread_mutexattr_getrobust", attr_getrobust),
    ("pthread_mutexattr_getpshared", attr_zero),
    ("pthread_mutexattr_getprotocol", |call| attr_get(call, PROTOCOL)),
    ("pthread_mutexattr_getprioceiling", |call| attr_get(call, CEILING)),
    ("pthread_mutex_consistent", consistent),
    ("pthread_mutex_consistent_np", consistent),
    ("__raddle_leave_robust", leave_robust),
    ("pthread_mutexattr_setprotocol", |call| attr_set(call, PROTOCOL, 2)),
    ("pthread_mutexattr_setprioceiling", |call| attr_set(call, CEILING, 99)),
    ("pthread_mutex_getprioceiling", getprioceiling),
];

/// The functions that wait for a lock: a mutex, a read-write lock or a spin lock.
pub const TAKING: &[&str] = &["pthread_mutex_lock", "mtx_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_spin_lock"];

/// Those that take one, or fail because it is taken.
pub const TRYING: &[&str] = &[
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "mtx_trylock",
    "mtx_timedlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_spin_trylock",
];

/// The functions that give one back.
pub const GIVING: &[&str] = &["pthread_mutex_unlock", "mtx_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock"];

/// The word of a mutex that has been destroyed.
const DESTROYED: u64 = 1;

/// The part of a word that names the owner.
pub const OWNER: u64 = 0xffff_ffff << 32;

/// Where glibc keeps the kind.
const KIND: u64 = 16;

/// The function that makes robust mutexes: without a call of it there are none.
pub const SET_ROBUST: &str = "pthread_mutexattr_setrobust";

/// The bit of the kind that says that a mutex is robust.
const ROBUST: u64 = 16;

/// The bits of a kind that say how priorities are inherited, and those of its ceiling: kept, and without effect, since
/// all threads have one priority.
const PROTOCOL: Field = Field { shift: 5, mask: 3 };
const CEILING: Field = Field { shift: 8, mask: 0xff };

/// Some bits of a kind.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    mask: u64,
}

/// Where a robust mutex has what became of it: zero, [`DIED`] or [`LOST`]. Only who holds it looks there.
const FATE: u64 = 24;

/// Its owner has ended, and nobody has said yet that what it guards is consistent again.
const DIED: u64 = 1;

/// It was unlocked before anybody did: it can never be locked again.
const LOST: u64 = 2;

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
    held_by(call.runner.thread.id)
}

fn kind(call: &mut Call, mutex: Address) -> Run<Kind> {
    call.load(Address(mutex.0 + KIND), 4).map(Kind::from_word)
}

fn init(call: &mut Call) -> Run<u64> {
    let attributes = call.address(1);
    let kind = if attributes.0 == 0 { 0 } else { call.load(attributes, 4)? };
    init_kind(call, call.address(0), kind)?;
    Ok(0)
}

/// Makes a mutex of a kind, by glibc's number for it.
pub fn init_kind(call: &mut Call, mutex: Address, kind: u64) -> Run<()> {
    call.forget(mutex);
    call.put(mutex, 8, 0, Order::Release)?;
    if kind & ROBUST != 0 {
        call.store(Address(mutex.0 + FATE), 4, 0)?;
    }
    call.store(Address(mutex.0 + KIND), 4, kind)
}

pub fn destroy(call: &mut Call) -> Run<u64> {
    let mutex = call.address(0);
    match call.look(mutex, 8)? {
        0 => call.put(mutex, 8, DESTROYED, Order::Relaxed).map(|()| 0),
        DESTROYED => call.misuse("a mutex is destroyed that has been destroyed before"),
        _ => call.misuse("a locked mutex is destroyed"),
    }
}

/// The kind of a mutex that the thread holds already.
fn held_kind(call: &mut Call, mutex: Address) -> Run<Option<Kind>> {
    let own = held(call);
    match call.still_holds(mutex, 8, |word| word == own)? {
        true => kind(call, mutex).map(Some),
        false => Ok(None),
    }
}

/// The thread has got the mutex where it found the word free.
fn take(call: &mut Call, mutex: Address, old: u64, otherwise: i32) -> Run<i32> {
    match old {
        0 => {
            call.hold(mutex);
            if call.runner.world.library.robust { fate(call, mutex) } else { Ok(0) }
        }
        DESTROYED => call.misuse("a mutex is locked that has been destroyed"),
        _ => {
            call.found_taken(mutex);
            Ok(otherwise)
        }
    }
}

/// Locks a mutex; gives an error number.
pub fn lock(call: &mut Call, mutex: Address) -> Run<i32> {
    match held_kind(call, mutex)? {
        None => {
            let rmw = taking(owner(call)).guarded(Guard::NoneOf(OWNER));
            let old = call.change(mutex, 8, rmw, Order::Acquire)?;
            take(call, mutex, old, 0)
        }
        Some(Kind::ErrorCheck) => Ok(EDEADLK),
        Some(Kind::Recursive) => lock_again(call, mutex),
        Some(Kind::Normal) => call.fault(FaultKind::Deadlock, "a thread locks a mutex that it holds already"),
    }
}

fn lock_again(call: &mut Call, mutex: Address) -> Run<i32> {
    call.hold(mutex);
    Ok(0)
}

/// Whether a lock that the thread does not hold is taken for found taken, whatever is there, because it may have been
/// in a round that is left out ([`crate::backoff`]).
pub fn fails_for_no_reason(call: &mut Call, lock: Address) -> Run<bool> {
    let may_fail = call.holds(lock) == 0 && call.runner.world.sites.is_left_out(lock, call.runner.thread.id);
    if !may_fail || call.runner.choose(2)? == 0 {
        return Ok(false);
    }
    call.runner.thread.counts.supposed += 1;
    Ok(true)
}

/// Locks a mutex if it is free, or recursive and the thread's own.
pub fn trylock(call: &mut Call, mutex: Address) -> Run<i32> {
    if fails_for_no_reason(call, mutex)? {
        return Ok(EBUSY);
    }
    match held_kind(call, mutex)? {
        None => {
            let rmw = Rmw::compare_exchange(0, held(call) as u128);
            let old = call.attempt(mutex, 8, rmw, Order::Acquire)?;
            take(call, mutex, old, EBUSY)
        }
        Some(Kind::Recursive) => lock_again(call, mutex),
        Some(_) => Ok(EBUSY),
    }
}

/// Locks a mutex or gives up. Giving up takes a locked instruction, too.
pub fn timedlock(call: &mut Call, mutex: Address) -> Run<i32> {
    if fails_for_no_reason(call, mutex)? {
        return Ok(ETIMEDOUT);
    }
    match held_kind(call, mutex)? {
        None => {
            let rmw = Rmw::compare_exchange(0, held(call) as u128);
            let old = call.change(mutex, 8, rmw, Order::Acquire)?;
            take(call, mutex, old, ETIMEDOUT)
        }
        Some(Kind::ErrorCheck) => Ok(EDEADLK),
        Some(Kind::Recursive) => lock_again(call, mutex),
        Some(Kind::Normal) => Ok(ETIMEDOUT),
    }
}

/// Unlocks a mutex; gives an error number.
pub fn unlock(call: &mut Call, mutex: Address) -> Run<i32> {
    let times = call.holds(mutex);
    call.let_go(mutex);
    if times > 1 {
        return Ok(0);
    }
    if times == 1 {
        if call.runner.world.library.robust && is_robust(call, mutex)? && call.load(Address(mutex.0 + FATE), 4)? == DIED {
            call.store(Address(mutex.0 + FATE), 4, LOST)?;
        }
        let rmw = Rmw::new(RmwOp::Release, held(call));
        let old = call.change(mutex, 8, rmw, Order::Release)?;
        if rmw.apply(old as u128, 8).is_some() {
            return Ok(0);
        }
    }
    not_held(call, mutex, "a mutex is unlocked that the thread does not hold")
}

/// The error number for a mutex that the thread does not hold, where its kind has one.
pub fn not_held(call: &mut Call, mutex: Address, what: &str) -> Run<i32> {
    if call.look(mutex, 8)? == DESTROYED {
        return call.misuse("a mutex is used that has been destroyed");
    }
    match kind(call, mutex)? {
        Kind::ErrorCheck | Kind::Recursive => Ok(EPERM),
        Kind::Normal => call.misuse(what),
    }
}

fn attr_init(call: &mut Call) -> Run<u64> {
    call.store(call.address(0), 4, 0)?;
    Ok(0)
}

fn is_robust(call: &mut Call, mutex: Address) -> Run<bool> {
    Ok(call.load(Address(mutex.0 + KIND), 4)? & ROBUST != 0)
}

/// What the thread is told that has just locked a mutex.
fn fate(call: &mut Call, mutex: Address) -> Run<i32> {
    if !is_robust(call, mutex)? {
        return Ok(0);
    }
    match call.load(Address(mutex.0 + FATE), 4)? {
        DIED => Ok(EOWNERDEAD),
        LOST => {
            call.let_go(mutex);
            call.change(mutex, 8, Rmw::new(RmwOp::Release, held(call)), Order::Release)?;
            Ok(ENOTRECOVERABLE)
        }
        _ => Ok(0),
    }
}

fn consistent(call: &mut Call) -> Run<u64> {
    let mutex = call.address(0);
    if call.holds(mutex) == 0 || !is_robust(call, mutex)? || call.load(Address(mutex.0 + FATE), 4)? != DIED {
        return Ok(int(EINVAL));
    }
    call.store(Address(mutex.0 + FATE), 4, 0)?;
    Ok(0)
}

/// The thread ends: robust mutexes that it holds are free, and tell so.
fn leave_robust(call: &mut Call) -> Run<u64> {
    if !call.runner.world.library.robust {
        return Ok(0);
    }
    for (mutex, _) in call.runner.thread.counts.notes.held.clone() {
        let own = held(call);
        let is_mutex = call.still_holds(mutex, 8, |word| word == own)?;
        if is_mutex && is_robust(call, mutex)? {
            call.store(Address(mutex.0 + FATE), 4, DIED)?;
            call.forget(mutex);
            call.change(mutex, 8, Rmw::new(RmwOp::Release, own), Order::Release)?;
        }
    }
    Ok(0)
}

fn attr_setrobust(call: &mut Call) -> Run<u64> {
    let kind = call.load(call.address(0), 4)?;
    let kind = if call.int(1) == 0 { kind & !ROBUST } else { kind | ROBUST };
    call.store(call.address(0), 4, kind)?;
    Ok(0)
}

fn attr_getrobust(call: &mut Call) -> Run<u64> {
    let kind = call.load(call.address(0), 4)?;
    call.store(call.address(1), 4, (kind & ROBUST != 0) as u64)?;
    Ok(0)
}

/// An attribute that is never set.
fn attr_zero(call: &mut Call) -> Run<u64> {
    call.store(call.address(1), 4, 0)?;
    Ok(0)
}

const TYPE: Field = Field { shift: 0, mask: 3 };

fn attr_set(call: &mut Call, Field { shift, mask }: Field, most: u64) -> Run<u64> {
    let value = call.word(1) as u32 as u64;
    if value > most {
        return Ok(int(EINVAL));
    }
    let kept = call.load(call.address(0), 4)? & !(mask << shift);
    call.store(call.address(0), 4, kept | value << shift)?;
    Ok(0)
}

fn attr_get(call: &mut Call, Field { shift, mask }: Field) -> Run<u64> {
    let kind = call.load(call.address(0), 4)?;
    call.store(call.address(1), 4, kind >> shift & mask)?;
    Ok(0)
}

/// The ceiling of a mutex that has one.
fn getprioceiling(call: &mut Call) -> Run<u64> {
    const PROTECT: u64 = 2;
    let kind = call.load(Address(call.address(0).0 + KIND), 4)?;
    if kind >> PROTOCOL.shift & PROTOCOL.mask != PROTECT {
        return Ok(int(EINVAL));
    }
    call.give(call.address(1), 4, kind >> CEILING.shift & CEILING.mask)?;
    Ok(0)
}
