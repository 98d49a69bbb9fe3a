//! The end of the program and assertions.
//!
//! The prelude makes `exit` of `__raddle_next_at_exit` and `_exit`. The functions to call stand in a table that all
//! threads share: how many there are, and three words for each.

use super::{Builtin, Call, Shared};
use crate::history::Next;
use crate::runner::Run;
use raddle_event::{Address, FaultKind, Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[
    ("exit", exit),
    ("_exit", exit),
    ("_Exit", exit),
    ("atexit", |call| at_exit(call, 0, false)),
    ("__cxa_atexit", |call| at_exit(call, call.word(1), false)),
    ("__cxa_thread_atexit", at_thread_end),
    ("on_exit", |call| at_exit(call, call.word(1), true)),
    ("__raddle_next_at_exit", next_at_exit),
    ("abort", abort),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__raddle_undefined", undefined),
];

/// The table of functions to call at exit.
pub const AT_EXIT: Shared = ("functions at exit", 8 + MOST * 24, &["atexit", "__cxa_atexit", "on_exit"]);

/// How many functions can be registered.
const MOST: u64 = 256;

fn exit(call: &mut Call) -> Run<u64> {
    let status = call.int(0);
    if call.runner.world.limits.exit_codes && status != 0 {
        return call.fault(FaultKind::ExitStatus, format!("the program ends with status {status}"));
    }
    Err(Next::Exited(status))
}

/// Registers a function with its argument. The exit status comes before the argument with `on_exit`.
fn at_exit(call: &mut Call, argument: u64, takes_status: bool) -> Run<u64> {
    let table = call.shared(AT_EXIT)?;
    let number = call.runner.rmw(table, 8, Rmw::new(RmwOp::Add, 1), Order::AcqRel)? as u64;
    if number >= MOST {
        return call.unsupported(format!("more than {MOST} functions to call at exit"));
    }
    for (n, word) in [call.word(0), argument, takes_status as u64].into_iter().enumerate() {
        call.store(entry(table, number, n as u64), 8, word)?;
    }
    Ok(0)
}

/// The address of a word of an entry.
fn entry(table: Address, number: u64, word: u64) -> Address {
    Address(table.0 + 8 + number * 24 + word * 8)
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
    if !call.runner.world.program.globals.iter().any(|global| global.name == AT_EXIT.0) {
        call.more.extend([0, 0]);
        return Ok(0);
    }
    let table = call.shared(AT_EXIT)?;
    let count = call.runner.rmw(table, 8, Rmw::new(RmwOp::USubCond, 1), Order::AcqRel)? as u64;
    if count == 0 {
        call.more.extend([0, 0]);
        return Ok(0);
    }
    let [function, argument, takes_status] = [0, 1, 2].map(|word| entry(table, count - 1, word));
    let (function, argument) = (call.load(function, 8)?, call.load(argument, 8)?);
    let takes_status = call.load(takes_status, 8)? != 0;
    call.more.extend(if takes_status { [status, argument] } else { [argument, 0] });
    Ok(function)
}

fn abort(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, "abort is called")
}

/// What a check that the compiler has put into the program has found. Its number is clang's (`SanitizerHandler`).
fn undefined(call: &mut Call) -> Run<u64> {
    let what = match call.word(0) {
        0 => "an addition overflows",
        3 => "a division overflows",
        5 => "a number does not fit where it is converted to",
        8 => "a builtin function is called with 0, for which it has no result",
        10 => "a value is read that its type does not have",
        11 => "a function with a result ends without one",
        12 => "a multiplication overflows",
        13 => "a negation overflows",
        16 => "a null pointer is passed where none may be",
        17 => "a null pointer is returned where none may be",
        18 => "an index is outside of its array",
        19 => "a pointer is moved beyond the end of memory, or from null",
        20 => "a shift is by less than 0 or too far, or shifts into or out of the sign",
        21 => "a subtraction overflows",
        22 => "a pointer is not aligned as its type demands",
        23 => "a pointer is not aligned as the program promises",
        24 => "an array of variable length has no positive length",
        _ => "the behaviour is undefined",
    };
    call.fault(FaultKind::UndefinedBehaviour, what)
}

fn assert_fail(call: &mut Call) -> Run<u64> {
    let what = call.text(call.address(0))?;
    call.fault(FaultKind::Assertion, format!("assertion `{what}` fails"))
}
