//! The threads of C11: the same objects as those of pthreads, other names and error numbers.

use super::errno::{EBUSY, ETIMEDOUT};
use super::{Builtin, Call, condition, int, key, mutex, nothing, thread};
use crate::runner::Run;

pub const TABLE: &[(&str, Builtin)] = &[
    ("thrd_create", create),
    ("thrd_exit", thread::exit),
    ("thrd_join", join),
    ("thrd_detach", thread::detach),
    ("thrd_current", thread::this_thread),
    ("thrd_equal", thread::equal),
    ("thrd_yield", nothing),
    ("thrd_sleep", nothing),
    ("mtx_init", init),
    ("mtx_destroy", mutex::destroy),
    ("mtx_lock", |call| mutex::lock(call, call.address(0)).map(told)),
    ("mtx_trylock", |call| mutex::trylock(call, call.address(0)).map(told)),
    ("mtx_timedlock", |call| mutex::timedlock(call, call.address(0)).map(told)),
    ("mtx_unlock", |call| mutex::unlock(call, call.address(0)).map(told)),
    ("cnd_init", condition::init),
    ("cnd_destroy", condition::destroy),
    ("cnd_wait", |call| condition::wait(call, call.address(0), call.address(1)).map(told)),
    ("cnd_timedwait", |call| condition::timedwait(call, call.address(2)).map(told)),
    ("cnd_signal", condition::signal),
    ("cnd_broadcast", condition::broadcast),
    ("tss_create", |call| key::create(call).map(told)),
    ("tss_delete", key::delete),
    ("tss_get", key::get),
    ("tss_set", |call| key::set(call).map(told)),
];

/// What C11 says for an error number.
fn told(error: i32) -> u64 {
    const SUCCESS: i32 = 0;
    const BUSY: i32 = 1;
    const ERROR: i32 = 2;
    const TIMED_OUT: i32 = 4;
    int(match error {
        0 => SUCCESS,
        EBUSY => BUSY,
        ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    })
}

/// The function gives an `int`, which arrives in the same register as a pointer.
fn create(call: &mut Call) -> Run<u64> {
    thread::start(call, call.address(1), call.word(2))
}

fn join(call: &mut Call) -> Run<u64> {
    let result = thread::wait_for(call, call.address(0), call.word(1) != 0)?;
    call.give(call.address(1), 4, result)?;
    Ok(0)
}

/// The recursive type is an odd number; glibc's kind for it is one.
fn init(call: &mut Call) -> Run<u64> {
    mutex::init_kind(call, call.address(0), call.word(1) & 1)?;
    Ok(0)
}
