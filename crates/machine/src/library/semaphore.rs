//! POSIX semaphores: one word at the start of the object, with the count in its lower half and marks above it. With a
//! time limit a thread gives up where it would have to wait.
//!
//! Those with names lie in a table that all threads share: for each name a few words, one for each time that it was
//! created. A mark says that the word has the name now, another that it had it until it was unlinked. So creating one
//! and setting its count is one event, and what was opened before stays as it is.

use super::errno::{EAGAIN, EEXIST, EINVAL, ENOENT, EOVERFLOW, ETIMEDOUT, failed, set};
use super::{Builtin, Call, Shared, nothing};
use crate::runner::Run;
use raddle_event::{Address, Guard, Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[
    ("sem_init", init),
    ("sem_destroy", destroy),
    ("sem_wait", wait),
    ("sem_trywait", trywait),
    ("sem_timedwait", timedwait),
    ("sem_clockwait", timedwait),
    ("sem_post", post),
    ("sem_getvalue", value),
    ("sem_open", open),
    ("sem_close", nothing),
    ("sem_unlink", unlink),
];

/// The table of semaphores with names.
pub const NAMED: Shared = ("named semaphores", MOST * LIVES * 8, &["sem_open", "sem_unlink"]);

/// How many semaphores with names there can be.
const MOST: u64 = 64;

/// How often each name can be created.
const LIVES: u64 = 8;

/// The greatest count.
const VALUE_MAX: u64 = 0x7fff_ffff;

/// The part of a word that is the count.
const COUNT: u64 = 0xffff_ffff;

/// A mark of a semaphore with a name.
const LINKED: u64 = 1 << 32;

/// A mark of a semaphore that had a name until it was unlinked.
const UNLINKED: u64 = 1 << 33;

/// The word of one that has been destroyed.
const DESTROYED: u64 = 1 << 34;

fn init(call: &mut Call) -> Run<u64> {
    let count = call.word(2) as u32 as u64;
    if count > VALUE_MAX {
        return failed(call, EINVAL);
    }
    call.put(call.address(0), 8, count, Order::Release)?;
    Ok(0)
}

/// A thread that still waits finds the mark, too.
fn destroy(call: &mut Call) -> Run<u64> {
    let word = call.look(call.address(0), 8)?;
    check(call, word)?;
    call.put(call.address(0), 8, DESTROYED, Order::Relaxed)?;
    Ok(0)
}

fn check(call: &Call, word: u64) -> Run<()> {
    if word & DESTROYED == 0 { Ok(()) } else { call.misuse("a semaphore is used that has been destroyed") }
}

fn wait(call: &mut Call) -> Run<u64> {
    super::jump::waits(call)?;
    let rmw = Rmw::new(RmwOp::Down, 0).guarded(Guard::AnyOf(COUNT | DESTROYED));
    let old = call.change(call.address(0), 8, rmw, Order::Acquire)?;
    check(call, old).map(|()| 0)
}

/// Has counted down where it could, or fails.
fn counted(call: &mut Call, old: u64, error: i32) -> Run<u64> {
    check(call, old)?;
    if old & COUNT == 0 { failed(call, error) } else { Ok(0) }
}

fn trywait(call: &mut Call) -> Run<u64> {
    let old = call.attempt(call.address(0), 8, Rmw::new(RmwOp::Down, 0), Order::Acquire)?;
    counted(call, old, EAGAIN)
}

/// Giving up takes a locked instruction, too.
fn timedwait(call: &mut Call) -> Run<u64> {
    let old = call.change(call.address(0), 8, Rmw::new(RmwOp::Down, 0), Order::Acquire)?;
    counted(call, old, ETIMEDOUT)
}

/// Who counts up too far takes that back: whoever counts down in between would have got something anyway.
fn post(call: &mut Call) -> Run<u64> {
    let semaphore = call.address(0);
    let old = call.change(semaphore, 8, Rmw::new(RmwOp::Add, 1), Order::Release)?;
    check(call, old)?;
    if old & COUNT < VALUE_MAX {
        return Ok(0);
    }
    call.change(semaphore, 8, Rmw::new(RmwOp::Sub, 1), Order::Relaxed)?;
    failed(call, EOVERFLOW)
}

fn value(call: &mut Call) -> Run<u64> {
    let word = call.look(call.address(0), 8)?;
    check(call, word)?;
    call.store(call.address(1), 4, word & COUNT)?;
    Ok(0)
}

/// The address of the word for each time that the name, which is the first argument, was created.
fn lives(call: &mut Call) -> Run<impl Iterator<Item = Address> + use<>> {
    let name = call.string(call.address(0))?;
    let slot = call.slot(NAMED, name) as u64;
    if slot >= MOST {
        return call.unsupported(format!("more than {MOST} semaphores with names"));
    }
    let first = call.shared(NAMED)?.0 + slot * LIVES * 8;
    Ok((0..LIVES).map(move |life| Address(first + life * 8)))
}

fn too_many_lives<T>(call: &Call) -> Run<T> {
    call.unsupported(format!("a semaphore whose name is created more than {LIVES} times"))
}

/// The arguments are the name, the flags of `open`, the mode and the first count. A null pointer says that it fails.
fn open(call: &mut Call) -> Run<u64> {
    const O_CREAT: u64 = 0o100;
    const O_EXCL: u64 = 0o200;
    let (creates, count) = (call.word(1) & O_CREAT != 0, call.word(3) as u32 as u64);
    if creates && count > VALUE_MAX {
        return fails(call, EINVAL);
    }
    let created = if creates { LINKED | count } else { 0 };
    for semaphore in lives(call)? {
        let word = call.change(semaphore, 8, Rmw::compare_exchange(0, created as u128), Order::AcqRel)?;
        match word {
            0 if creates => return Ok(semaphore.0),
            0 => return fails(call, ENOENT),
            word if word & UNLINKED != 0 => {}
            _ if creates && call.word(1) & O_EXCL != 0 => return fails(call, EEXIST),
            _ => return Ok(semaphore.0),
        }
    }
    too_many_lives(call)
}

/// Sets `errno` and gives a null pointer.
fn fails(call: &mut Call, error: i32) -> Run<u64> {
    set(call, error)?;
    Ok(0)
}

fn unlink(call: &mut Call) -> Run<u64> {
    for semaphore in lives(call)? {
        let mut word = call.look(semaphore, 8)?;
        while word & LINKED != 0 {
            let unlinked = word ^ LINKED ^ UNLINKED;
            let found = call.change(semaphore, 8, Rmw::compare_exchange(word as u128, unlinked as u128), Order::AcqRel)?;
            if found == word {
                return Ok(0);
            }
            word = found;
        }
        if word == 0 {
            return failed(call, ENOENT);
        }
    }
    too_many_lives(call)
}
