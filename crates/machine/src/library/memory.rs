//! Blocks of bytes: the `mem` functions.

use super::{Builtin, Call, int};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("memcpy", copy),
    ("memmove", copy),
    ("__memcpy_chk", copy),
    ("__memmove_chk", copy),
    ("mempcpy", |call| copy(call).map(|to| to + call.word(2))),
    ("__mempcpy", |call| copy(call).map(|to| to + call.word(2))),
    ("bcopy", bcopy),
    ("memset", fill),
    ("__memset_chk", fill),
    ("bzero", zero),
    ("explicit_bzero", zero),
    ("memcmp", compare),
    ("bcmp", compare),
    ("memchr", |call| find(call, call.word(2))),
    ("rawmemchr", |call| find(call, u64::MAX)),
    ("memrchr", find_last),
];

fn copy(call: &mut Call) -> Run<u64> {
    call.runner.copy(call.address(0), call.address(1), call.word(2))?;
    Ok(call.word(0))
}

fn bcopy(call: &mut Call) -> Run<u64> {
    call.runner.copy(call.address(1), call.address(0), call.word(2))?;
    Ok(0)
}

fn fill(call: &mut Call) -> Run<u64> {
    call.runner.fill(call.address(0), call.word(1) as u8, call.word(2))?;
    Ok(call.word(0))
}

fn zero(call: &mut Call) -> Run<u64> {
    call.runner.fill(call.address(0), 0, call.word(1))?;
    Ok(0)
}

fn compare(call: &mut Call) -> Run<u64> {
    let size = call.word(2);
    let first = call.runner.read_bytes(call.address(0), size)?;
    let second = call.runner.read_bytes(call.address(1), size)?;
    let different = first.iter().zip(&second).find(|(a, b)| a != b);
    Ok(int(different.map_or(0, |(&a, &b)| a as i32 - b as i32)))
}

fn find(call: &mut Call, most: u64) -> Run<u64> {
    let (start, wanted) = (call.word(0), call.word(1) as u8);
    for offset in 0..most {
        if call.load(Address(start + offset), 1)? as u8 == wanted {
            return Ok(start + offset);
        }
    }
    Ok(0)
}

fn find_last(call: &mut Call) -> Run<u64> {
    let (start, wanted) = (call.word(0), call.word(1) as u8);
    let bytes = call.runner.read_bytes(call.address(0), call.word(2))?;
    Ok(bytes.iter().rposition(|&byte| byte == wanted).map_or(0, |at| start + at as u64))
}
