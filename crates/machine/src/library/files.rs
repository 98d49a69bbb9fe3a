//! What the C library's own code (crates/llvm/runtime/library.c) asks of the machine: the contents of files, and to be
//! refused.

use super::{Builtin, Call};
use crate::limits::FileContent;
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[("__raddle_file", file), ("__raddle_refuse", refuse)];

/// Puts the contents of a file, or of the standard input where no name is given, into a new object; gives its size, -1
/// where there is no such file.
fn file(call: &mut Call) -> Run<u64> {
    let name = match call.address(0) {
        Address(0) => None,
        at => Some(call.text(at)?),
    };
    let bytes = match call.runner.world.limits.files.read(name.as_deref()) {
        FileContent::Bytes(bytes) => bytes,
        FileContent::Missing => return Ok(u64::MAX),
        FileContent::Refused(why) => return call.unsupported(why),
    };
    let address = call.runner.allocate((bytes.len() as u64).max(1), true, call.site)?;
    call.runner.write_bytes(address, &bytes)?;
    call.store(call.address(1), 8, address.0)?;
    Ok(bytes.len() as u64)
}

fn refuse(call: &mut Call) -> Run<u64> {
    let what = call.text(call.address(0))?;
    call.unsupported(what)
}
