//! What programs say to a model checker: choices, assumptions, errors.

use super::{Builtin, Call, Shared, nothing};
use crate::history::{Blocked, Next};
use crate::limits::{AtomicBlocks, OPEN_VALUES};
use crate::runner::Run;
use crate::sharing::Site;
use raddle_event::{FaultKind, Guard, Order, Rmw, RmwOp};

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
    ("__VERIFIER_nondet_u8", |call| nondet(call, Type::unsigned(8))),
    ("__VERIFIER_nondet_u16", |call| nondet(call, Type::unsigned(16))),
    ("__VERIFIER_nondet_u32", |call| nondet(call, Type::unsigned(32))),
    ("__VERIFIER_nondet_u64", |call| nondet(call, Type::unsigned(64))),
    ("__VERIFIER_nondet_unsigned_int", |call| nondet(call, Type::unsigned(32))),
    ("__VERIFIER_nondet_pthread_t", |call| nondet(call, Type::unsigned(64))),
    ("__VERIFIER_nondet_sector_t", |call| nondet(call, Type::unsigned(64))),
    ("__VERIFIER_nondet_float", |call| Ok((nondet_float(call)? as f32).to_bits() as u64)),
    ("__VERIFIER_nondet_double", |call| Ok(nondet_float(call)?.to_bits())),
    ("__VERIFIER_nondet_pointer", nondet_pointer),
    ("__VERIFIER_nondet_pchar", nondet_pointer),
    ("__VERIFIER_nondet_charp", nondet_pointer),
    ("__VERIFIER_nondet_int128", |call| nondet_wide(call, true)),
    ("__VERIFIER_nondet_uint128", |call| nondet_wide(call, false)),
    ("__VERIFIER_nondet_memory", nondet_memory),
    ("__VERIFIER_assert", assert),
    ("__VERIFIER_tid", |call| Ok(call.runner.thread.id.0 as u64)),
    ("__VERIFIER_opt_begin", |call| call.runner.choose(2)),
    // Loops that wait need no marks, and all of what others bound is looked at.
    ("__VERIFIER_loop_begin", nothing),
    ("__VERIFIER_loop_bound", nothing),
    ("__VERIFIER_spin_start", nothing),
    ("__VERIFIER_spin_end", nothing),
    ("__VERIFIER_annotate_begin", nothing),
    ("__VERIFIER_annotate_end", nothing),
    ("__VERIFIER_atomic_begin", begin),
    ("__VERIFIER_atomic_end", end),
];

/// The word that a thread holds while it is in a block that is one step for all others.
pub const BLOCK: Shared = ("atomic block", 8, &["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"]);

fn error(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, format!("{} is called", call.name))
}

fn assert(call: &mut Call) -> Run<u64> {
    match call.int(0) {
        0 => call.fault(FaultKind::Assertion, "an assertion fails"),
        _ => Ok(0),
    }
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

/// Any number of the range that the user gave, as far as the type has it. Where no range is given, one more choice
/// stands for the values outside of the usual one.
fn nondet(call: &mut Call, of: Type) -> Run<u64> {
    let given = call.runner.world.limits.nondet;
    choice(call, of, given.is_none()).map(|number| number as u64 & of.mask)
}

/// The same in two registers, the lower half first.
fn nondet_wide(call: &mut Call, is_signed: bool) -> Run<u64> {
    let of = if is_signed { Type::signed(64) } else { Type::unsigned(63) };
    let given = call.runner.world.limits.nondet;
    let number = choice(call, of, given.is_none())?;
    call.more.push((number >> 64) as u64);
    Ok(number as u64)
}

/// All bytes of some memory are zero; all others are left out.
fn nondet_memory(call: &mut Call) -> Run<u64> {
    const MOST: u64 = 1 << 24;
    if call.word(1) > MOST {
        return call.unsupported(format!("`{}` of more than {MOST} bytes", call.name));
    }
    nondet_pointer(call)?;
    let bytes = vec![0; call.word(1) as usize];
    call.runner.write_bytes(call.address(0), &bytes)?;
    Ok(0)
}

/// A whole number as floating point; all others are left out.
fn nondet_float(call: &mut Call) -> Run<f64> {
    choice(call, Type::signed(64), true).map(|number| number as f64)
}

/// No object; all others are left out.
fn nondet_pointer(call: &mut Call) -> Run<u64> {
    match call.runner.choose(2)? {
        0 => Ok(0),
        _ => Err(Next::Blocked(Blocked::Values)),
    }
}

/// A number that a type has, of the range that the user gave or of the usual one.
fn choice(call: &mut Call, of: Type, leaves_out: bool) -> Run<i128> {
    let (low, high) = call.runner.world.limits.nondet.unwrap_or(OPEN_VALUES);
    let (low, high) = (of.least.max(low as i128), of.most.min(high as i128));
    if low > high {
        return Err(Next::Blocked(Blocked::Assume));
    }
    let Ok(n) = u64::try_from(high - low + 1 + leaves_out as i128) else {
        return call.unsupported(format!("a choice between more than {} values", u64::MAX));
    };
    match low + call.runner.choose(n)? as i128 {
        number if number > high => Err(Next::Blocked(Blocked::Values)),
        number => Ok(number),
    }
}

/// Begins a block. What others see of it is that its word is taken: whoever schedules threads lets nobody else act
/// until it is given back.
fn begin(call: &mut Call) -> Run<u64> {
    if call.runner.is_in_block() || !call.runner.thread.store.is_published() {
        call.notes().blocks += 1;
        return Ok(0);
    }
    if call.runner.world.limits.blocks == AtomicBlocks::Unknown {
        return call.unsupported(format!("`{}` with --robustness", call.name));
    }
    let site = Site::Global(call.shared_id(BLOCK)?);
    if call.runner.world.sites.share(site) {
        return Err(Next::Blocked(Blocked::Assume));
    }
    let word = call.shared(BLOCK)?;
    let take = Rmw { guard: Some(Guard::Is(0)), ..Rmw::new(RmwOp::Exchange, 1) };
    call.runner.rmw(word, 8, take, Order::Acquire)?;
    call.notes().blocks = 1;
    Ok(0)
}

fn end(call: &mut Call) -> Run<u64> {
    let n_blocks = call.runner.thread.counts.notes.blocks;
    if n_blocks == 0 {
        return call.fault(FaultKind::Assertion, format!("{} is called outside of a block", call.name));
    }
    if n_blocks == 1 && call.runner.thread.store.is_published() {
        let word = call.shared(BLOCK)?;
        call.runner.rmw(word, 8, Rmw::new(RmwOp::Exchange, 0), Order::Release)?;
    }
    call.notes().blocks -= 1;
    Ok(0)
}
