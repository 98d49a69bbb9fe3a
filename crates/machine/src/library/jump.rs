//! `setjmp` and `longjmp`, and what glibc makes of them: handlers that clean up when a thread exits or is cancelled.
//!
//! What `setjmp` keeps lies with the thread, by the address of its buffer: how many functions were under way, and where
//! the innermost stood. A thread is cancelled where it looks whether it was: at `pthread_testcancel` and where it
//! sleeps. Whoever could be cancelled while it waits is refused.

use super::errno::{EBUSY, ETIMEDOUT};
use super::notes::Jump;
use super::{Builtin, Call, Shared, int, nothing, thread};
use crate::runner::Run;
use raddle_event::{Address, FaultKind, Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[
    ("setjmp", setjmp),
    ("_setjmp", setjmp),
    ("sigsetjmp", setjmp),
    ("__sigsetjmp", setjmp),
    ("longjmp", longjmp),
    ("_longjmp", longjmp),
    ("siglongjmp", longjmp),
    ("__longjmp_chk", longjmp),
    ("__pthread_register_cancel", register),
    ("__pthread_unregister_cancel", unregister),
    ("__pthread_unwind_next", |call| leave(call, call.runner.thread.counts.notes.result)),
    ("__raddle_cleanups", cleanups),
    ("__raddle_result", |call| Ok(call.runner.thread.counts.notes.result)),
    ("pthread_exit", |call| leave(call, call.word(0))),
    ("pthread_cancel", cancel),
    ("pthread_testcancel", test),
    ("pthread_setcancelstate", set_state),
    ("pthread_setcanceltype", set_type),
    ("pthread_tryjoin_np", |call| join_or(call, EBUSY)),
    ("pthread_timedjoin_np", |call| join_or(call, ETIMEDOUT)),
    ("pthread_clockjoin_np", |call| join_or(call, ETIMEDOUT)),
    ("usleep", sleep),
    ("sleep", sleep),
    ("nanosleep", sleep),
    ("clock_nanosleep", sleep),
];

/// For each thread whether somebody has cancelled it.
pub const CANCELLED: Shared = ("cancelled threads", MOST, &["pthread_cancel"]);

/// How many threads can be cancelled.
const MOST: u64 = 4096;

/// What a thread that was cancelled returns.
const RESULT: u64 = u64::MAX;

fn setjmp(call: &mut Call) -> Run<u64> {
    let frames = call.runner.thread.counts.frames;
    let (function, at, registers) = call.runner.innermost();
    let jump = Jump { buffer: call.word(0), frames, function, at, registers };
    let jumps = &mut call.notes().jumps;
    jumps.retain(|other| other.frames <= frames && other.buffer != jump.buffer);
    jumps.push(jump);
    Ok(0)
}

fn longjmp(call: &mut Call) -> Run<u64> {
    let value = if call.int(1) == 0 { 1 } else { call.int(1) };
    go_back(call, call.word(0), int(value))
}

/// Goes back to where `setjmp` was called with a buffer, which gives this value now.
fn go_back(call: &mut Call, buffer: u64, value: u64) -> Run<u64> {
    let known = call.runner.thread.counts.notes.jumps.iter().find(|jump| jump.buffer == buffer).cloned();
    let frames = call.runner.thread.counts.frames;
    let Some(jump) = known.filter(|jump| call.runner.is_under_way(jump.frames, jump.function)) else {
        return call.fault(FaultKind::WildPointer, format!("{} is called for a function that has returned", call.name));
    };
    call.runner.come_back((frames - jump.frames) as usize, jump.at, &jump.registers, value)?;
    Ok(0)
}

fn register(call: &mut Call) -> Run<u64> {
    let buffer = call.word(0);
    call.notes().cleanups.push(buffer);
    Ok(0)
}

fn unregister(call: &mut Call) -> Run<u64> {
    call.notes().cleanups.pop();
    Ok(0)
}

/// Goes to the newest handler that cleans up before the thread returns this, where there is one.
fn clean_up(call: &mut Call, result: u64) -> Run<bool> {
    let Some(&buffer) = call.runner.thread.counts.notes.cleanups.last() else { return Ok(false) };
    go_back(call, buffer, 1)?;
    let notes = call.notes();
    notes.cleanups.pop();
    notes.result = result;
    Ok(true)
}

fn cleanups(call: &mut Call) -> Run<u64> {
    clean_up(call, call.word(0))?;
    Ok(0)
}

/// Ends the thread, after its handlers have cleaned up.
fn leave(call: &mut Call, result: u64) -> Run<u64> {
    if clean_up(call, result)? {
        return Ok(0);
    }
    let has_endings = call.runner.world.program.functions.iter().any(|function| function.name == "__raddle_endings");
    if has_endings && call.name != "pthread_exit" {
        return call.unsupported("a thread that is cancelled and has destructors of thread-local variables");
    }
    Err(call.runner.end(&[result]))
}

/// Where it is told that a thread is cancelled; nowhere in a program that cancels none.
fn flag(call: &Call, thread: u64) -> Run<Option<Address>> {
    if !call.runner.world.library.cancels {
        return Ok(None);
    }
    match thread < MOST {
        true => Ok(Some(Address(call.shared(CANCELLED)?.0 + thread))),
        false => call.unsupported(format!("cancelling a thread after the first {MOST}")),
    }
}

fn cancel(call: &mut Call) -> Run<u64> {
    let thread = thread::thread_of(call, call.address(0))?;
    if let Some(at) = flag(call, thread.0 as u64)? {
        call.runner.rmw(at, 1, Rmw::new(RmwOp::Exchange, 1), Order::AcqRel)?;
    }
    Ok(0)
}

/// A thread that was cancelled ends here, unless it does not want to.
fn test(call: &mut Call) -> Run<u64> {
    if call.runner.thread.counts.notes.is_uncancellable {
        return Ok(0);
    }
    let Some(at) = flag(call, call.runner.thread.id.0 as u64)? else { return Ok(0) };
    match call.runner.load(at, 1, Order::Acquire, true)? {
        0 => Ok(0),
        _ => leave(call, RESULT),
    }
}

fn sleep(call: &mut Call) -> Run<u64> {
    test(call)
}

/// A wait in which a thread may be cancelled. The first thread is taken not to be.
pub fn waits(call: &Call) -> Run<()> {
    let is_first = call.runner.thread.id.0 == 0;
    if is_first || call.runner.thread.counts.notes.is_uncancellable || flag(call, 0)?.is_none() {
        return Ok(());
    }
    call.unsupported(format!("`{}` in a thread that may be cancelled while it waits", call.name))
}

fn set_state(call: &mut Call) -> Run<u64> {
    let old = call.runner.thread.counts.notes.is_uncancellable;
    call.give(call.address(1), 4, old as u64)?;
    call.notes().is_uncancellable = call.int(0) != 0;
    Ok(0)
}

fn set_type(call: &mut Call) -> Run<u64> {
    call.give(call.address(1), 4, 0)?;
    if call.int(0) != 0 && flag(call, 0)?.is_some() {
        return call.unsupported("a thread that may be cancelled anywhere");
    }
    nothing(call)
}

/// Joins a thread, or gives up, as a choice: the thread may always need a little longer.
fn join_or(call: &mut Call, otherwise: i32) -> Run<u64> {
    if call.runner.choose(2)? == 0 {
        return Ok(int(otherwise));
    }
    let result = thread::wait_for(call, call.address(0), call.word(1) != 0)?;
    call.give(call.address(1), 8, result)?;
    Ok(0)
}
