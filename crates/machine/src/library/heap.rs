//! `malloc` and its family, and the operators of C++ for it.
//!
//! Every object begins at a multiple of a large power of two ([`AddressMap::ALIGNMENT`]), so that alignment asks for
//! nothing; a larger one is refused.

use super::errno::{EINVAL, ENOMEM};
use super::{Builtin, Call, int};
use crate::runner::Run;
use raddle_event::{Address, AddressMap};

pub const TABLE: &[(&str, Builtin)] = &[
    ("malloc", |call| allocate(call, call.word(0), false)),
    ("calloc", calloc),
    ("realloc", |call| realloc(call, call.word(1))),
    ("reallocarray", reallocarray),
    ("aligned_alloc", |call| aligned(call, call.word(0), call.word(1))),
    ("memalign", |call| aligned(call, call.word(0), call.word(1))),
    ("valloc", |call| allocate(call, call.word(0), false)),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", usable_size),
    ("free", free),
    ("cfree", free),
    ("__raddle_allocate", |call| call.runner.allocate(call.word(0), false, call.site).map(|address| address.0)),
    ("_Znwm", new),
    ("_Znam", new),
    ("_ZnwmSt11align_val_t", new),
    ("_ZnamSt11align_val_t", new),
    ("_ZnwmRKSt9nothrow_t", |call| allocate(call, call.word(0), false)),
    ("_ZnamRKSt9nothrow_t", |call| allocate(call, call.word(0), false)),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", |call| allocate(call, call.word(0), false)),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", |call| allocate(call, call.word(0), false)),
    ("_ZdlPv", free),
    ("_ZdaPv", free),
    ("_ZdlPvm", free),
    ("_ZdaPvm", free),
    ("_ZdlPvSt11align_val_t", free),
    ("_ZdaPvSt11align_val_t", free),
    ("_ZdlPvmSt11align_val_t", free),
    ("_ZdaPvmSt11align_val_t", free),
    ("_ZdlPvRKSt9nothrow_t", free),
    ("_ZdaPvRKSt9nothrow_t", free),
    ("strdup", |call| duplicate(call, u64::MAX)),
    ("__strdup", |call| duplicate(call, u64::MAX)),
    ("strndup", |call| duplicate(call, call.word(1))),
];

/// A new object, or null as a choice.
fn allocate(call: &mut Call, size: u64, zeroed: bool) -> Run<u64> {
    if call.runner.world.limits.malloc_may_fail && call.runner.choose(2)? == 1 {
        return Ok(0);
    }
    given(call, size, zeroed)
}

/// A new object, or one that was freed before, as a choice.
fn given(call: &mut Call, size: u64, zeroed: bool) -> Run<u64> {
    match call.runner.allocate_again(size, zeroed, call.site)? {
        Some(address) => Ok(address.0),
        None => call.runner.allocate(size, zeroed, call.site).map(|address| address.0),
    }
}

/// A new object at a multiple of a number, or null as a choice.
fn aligned(call: &mut Call, align: u64, size: u64) -> Run<u64> {
    match align {
        0..=AddressMap::ALIGNMENT => allocate(call, size, false),
        _ => call.unsupported(format!("an alignment of {align} bytes")),
    }
}

/// A new object; there is no null.
fn new(call: &mut Call) -> Run<u64> {
    given(call, call.word(0), false)
}

/// A new object with a string in it, or null as a choice.
pub fn new_string(call: &mut Call, text: &[u8]) -> Run<u64> {
    let address = allocate(call, text.len() as u64 + 1, false)?;
    if address != 0 {
        call.runner.write_bytes(Address(address), &[text, &[0]].concat())?;
    }
    Ok(address)
}

fn duplicate(call: &mut Call, most: u64) -> Run<u64> {
    let text = call.string_of(call.address(0), most)?;
    new_string(call, &text)
}

/// All bits are zero from the start. That they were made so is a plain write, which matters to races alone: whoever
/// can see something else does not come after the call.
fn calloc(call: &mut Call) -> Run<u64> {
    let Some(size) = call.word(0).checked_mul(call.word(1)) else { return Ok(0) };
    let address = allocate(call, size, true)?;
    if address != 0 && call.runner.world.sites.writes_zeros() {
        call.runner.fill(Address(address), 0, size)?;
    }
    Ok(address)
}

/// The functions that ask how large an object is.
pub const ASKS_SIZES: [&str; 3] = ["realloc", "reallocarray", "malloc_usable_size"];

/// The size of an object.
fn size(call: &mut Call, address: Address) -> Run<u64> {
    let own = call.runner.thread.store.size_at(&call.runner.world.map, address);
    match own.or_else(|| call.runner.size_of_any(address)) {
        Some(size) => Ok(size),
        None => {
            let what = "which another thread has allocated, and not with the same size in all executions";
            call.unsupported(format!("`{}` of {address}, {what}", call.name))
        }
    }
}

/// A new object that begins with the bytes of the old one, which is freed.
fn realloc(call: &mut Call, wanted: u64) -> Run<u64> {
    let old = call.address(0);
    if old.0 == 0 {
        return allocate(call, wanted, false);
    }
    if wanted == 0 {
        return free(call);
    }
    let kept = size(call, old)?.min(wanted);
    let address = allocate(call, wanted, false)?;
    if address != 0 {
        call.runner.copy(Address(address), old, kept)?;
        call.runner.free(old)?;
    }
    Ok(address)
}

fn reallocarray(call: &mut Call) -> Run<u64> {
    match call.word(1).checked_mul(call.word(2)) {
        Some(wanted) => realloc(call, wanted),
        None => Ok(0),
    }
}

fn posix_memalign(call: &mut Call) -> Run<u64> {
    let align = call.word(1);
    if !align.is_power_of_two() || align < 8 {
        return Ok(int(EINVAL));
    }
    let address = aligned(call, align, call.word(2))?;
    if address == 0 {
        return Ok(int(ENOMEM));
    }
    call.store(call.address(0), 8, address)?;
    Ok(0)
}

fn usable_size(call: &mut Call) -> Run<u64> {
    match call.address(0) {
        Address(0) => Ok(0),
        address => size(call, address),
    }
}

fn free(call: &mut Call) -> Run<u64> {
    let address = call.address(0);
    if address.0 != 0 {
        call.runner.free(address)?;
    }
    Ok(0)
}
