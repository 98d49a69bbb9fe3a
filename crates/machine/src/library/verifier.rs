//! What programs say to a model checker: choices, assumptions, errors.

use super::{Builtin, Call};
use crate::history::{Blocked, Next};
use crate::runner::Run;
use raddle_event::FaultKind;

pub const TABLE: &[(&str, Builtin)] = &[
    ("__VERIFIER_error", error),
    ("reach_error", error),
    ("__VERIFIER_assume", assume),
    ("assume_abort_if_not", assume),
    ("raddle_assume", assume),
    ("raddle_choose", choose),
    ("__VERIFIER_nondet_bool", |call| call.runner.choose(2)),
    ("__VERIFIER_nondet__Bool", |call| call.runner.choose(2)),
    ("__VERIFIER_nondet_char", |call| nondet(call, Type::signed(8))),
    ("__VERIFIER_nondet_schar", |call| nondet(call, Type::signed(8))),
    ("__VERIFIER_nondet_uchar", |call| nondet(call, Type::unsigned(8))),
    ("__VERIFIER_nondet_short", |call| nondet(call, Type::signed(16))),
    ("__VERIFIER_nondet_ushort", |call| nondet(call, Type::unsigned(16))),
    ("__VERIFIER_nondet_int", |call| nondet(call, Type::signed(32))),
    ("__VERIFIER_nondet_uint", |call| nondet(call, Type::unsigned(32))),
    ("__VERIFIER_nondet_unsigned", |call| nondet(call, Type::unsigned(32))),
    ("__VERIFIER_nondet_long", |call| nondet(call, Type::signed(64))),
    ("__VERIFIER_nondet_longlong", |call| nondet(call, Type::signed(64))),
    ("__VERIFIER_nondet_loff_t", |call| nondet(call, Type::signed(64))),
    ("__VERIFIER_nondet_ulong", |call| nondet(call, Type::unsigned(64))),
    ("__VERIFIER_nondet_ulonglong", |call| nondet(call, Type::unsigned(64))),
    ("__VERIFIER_nondet_size_t", |call| nondet(call, Type::unsigned(64))),
    ("__VERIFIER_atomic_begin", atomic),
    ("__VERIFIER_atomic_end", atomic),
];

fn error(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, format!("{} is called", call.name))
}

fn assume(call: &mut Call) -> Run<u64> {
    if call.int(0) == 0 {
        return Err(Next::Blocked(Blocked::Assume));
    }
    Ok(0)
}

/// Any number below the argument.
fn choose(call: &mut Call) -> Run<u64> {
    match call.word(0) as u32 {
        0 => Err(Next::Blocked(Blocked::Assume)),
        n => call.runner.choose(n as u64),
    }
}

/// An integer type.
#[derive(Clone, Copy)]
struct Type {
    least: i128,
    most: i128,
    mask: u64,
}

impl Type {
    fn signed(bits: u32) -> Type {
        Type { least: -(1i128 << (bits - 1)), most: (1i128 << (bits - 1)) - 1, mask: u64::MAX >> (64 - bits) }
    }

    fn unsigned(bits: u32) -> Type {
        Type { least: 0, most: (1i128 << bits) - 1, mask: u64::MAX >> (64 - bits) }
    }
}

/// Any number of the range that the user gave, as far as the type has it.
fn nondet(call: &mut Call, of: Type) -> Run<u64> {
    let Some((low, high)) = call.runner.world.limits.nondet else {
        return call.unsupported(format!("the function `{}` without a range to choose from: use --nondet LO..HI", call.name));
    };
    let (low, high) = (of.least.max(low as i128), of.most.min(high as i128));
    if low > high {
        return Err(Next::Blocked(Blocked::Assume));
    }
    let Ok(n) = u64::try_from(high - low + 1) else {
        return call.unsupported(format!("a choice between more than {} values", u64::MAX));
    };
    Ok((low + call.runner.choose(n)? as i128) as u64 & of.mask)
}

fn atomic(call: &mut Call) -> Run<u64> {
    call.unsupported(format!("`{}`: a block that is atomic for all other threads", call.name))
}
