//! The end of the program, assertions and assumptions.

use super::{Builtin, Call};
use crate::history::{Blocked, Next};
use crate::runner::Run;
use raddle_event::FaultKind;

pub const TABLE: &[(&str, Builtin)] = &[
    ("exit", exit),
    ("_exit", exit),
    ("_Exit", exit),
    ("abort", abort),
    ("__assert_fail", assert_fail),
    ("__VERIFIER_error", verifier_error),
    ("reach_error", verifier_error),
    ("__VERIFIER_assume", assume),
];

fn exit(call: &mut Call) -> Run<u64> {
    Err(Next::Exited(call.int(0)))
}

fn abort(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, "abort is called")
}

fn verifier_error(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, format!("{} is called", call.name))
}

fn assert_fail(call: &mut Call) -> Run<u64> {
    let what = call.text(call.address(0))?;
    call.fault(FaultKind::Assertion, format!("assertion `{what}` fails"))
}

fn assume(call: &mut Call) -> Run<u64> {
    if call.int(0) == 0 {
        return Err(Next::Blocked(Blocked::Assume));
    }
    Ok(0)
}
