//! The end of the program and assertions.
//!
//! The prelude makes `exit` of `__raddle_next_at_exit` and `_exit`. The functions to call are those that the thread itself registered.

use super::notes::AtExit;
use super::{Builtin, Call};
use crate::history::Next;
use crate::runner::Run;
use raddle_event::FaultKind;

pub const TABLE: &[(&str, Builtin)] = &[
    ("exit", exit),
    ("_exit", exit),
    ("_Exit", exit),
    ("quick_exit", exit),
    ("atexit", |call| at_exit(call, 0, false)),
    ("__cxa_atexit", |call| at_exit(call, call.word(1), false)),
    ("__cxa_thread_atexit", at_thread_end),
    ("on_exit", |call| at_exit(call, call.word(1), true)),
    ("__raddle_next_at_exit", next_at_exit),
    ("abort", abort),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
];

fn exit(call: &mut Call) -> Run<u64> {
    Err(Next::Exited(call.int(0)))
}

fn at_exit(call: &mut Call, argument: u64, takes_status: bool) -> Run<u64> {
    let function = call.word(0);
    call.notes().at_exit.push(AtExit { function, argument, takes_status });
    Ok(0)
}

/// Destructors of thread-local variables.
fn at_thread_end(call: &mut Call) -> Run<u64> {
    let (function, argument) = (call.word(0), call.word(1));
    call.notes().at_thread_end.push((function, argument));
    Ok(0)
}

/// The next function to call at exit with a status, and its two arguments; a null pointer at the end.
fn next_at_exit(call: &mut Call) -> Run<u64> {
    let status = call.word(0);
    if let Some((function, argument)) = call.notes().at_thread_end.pop() {
        call.more.extend([argument, 0]);
        return Ok(function);
    }
    let Some(next) = call.notes().at_exit.pop() else {
        call.more.extend([0, 0]);
        return Ok(0);
    };
    call.more.extend(if next.takes_status { [status, next.argument] } else { [next.argument, 0] });
    Ok(next.function)
}

fn abort(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, "abort is called")
}

fn assert_fail(call: &mut Call) -> Run<u64> {
    let what = call.text(call.address(0))?;
    call.fault(FaultKind::Assertion, format!("assertion `{what}` fails"))
}
