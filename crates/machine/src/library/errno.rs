//! Error numbers, and `errno`: a thread-local variable that exists in programs which look at it.

use super::Call;
use crate::runner::Run;

/// The name of the variable, which [`super::link`] adds.
pub const ERRNO: &str = "errno";

pub const EPERM: i32 = 1;
pub const ENOENT: i32 = 2;
pub const EAGAIN: i32 = 11;
pub const ENOMEM: i32 = 12;
pub const EBUSY: i32 = 16;
pub const EEXIST: i32 = 17;
pub const EINVAL: i32 = 22;
pub const ERANGE: i32 = 34;
pub const EDEADLK: i32 = 35;
pub const ENOSYS: i32 = 38;
pub const EOVERFLOW: i32 = 75;
pub const ETIMEDOUT: i32 = 110;

/// What `perror` says for an error number of this library.
pub fn message(error: i32) -> String {
    match error {
        0 => "Success".into(),
        EPERM => "Operation not permitted".into(),
        ENOENT => "No such file or directory".into(),
        EAGAIN => "Resource temporarily unavailable".into(),
        ENOMEM => "Cannot allocate memory".into(),
        EBUSY => "Device or resource busy".into(),
        EEXIST => "File exists".into(),
        EINVAL => "Invalid argument".into(),
        ERANGE => "Numerical result out of range".into(),
        EDEADLK => "Resource deadlock avoided".into(),
        EOVERFLOW => "Value too large for defined data type".into(),
        ETIMEDOUT => "Connection timed out".into(),
        other => format!("Unknown error {other}"),
    }
}

/// The value of `errno`.
pub fn get(call: &mut Call) -> Run<i32> {
    match call.runner.world.library.errno {
        Some(global) => {
            let address = call.runner.thread_local(global)?;
            Ok(call.load(address, 4)? as i32)
        }
        None => Ok(0),
    }
}

/// Sets `errno`.
pub fn set(call: &mut Call, error: i32) -> Run<()> {
    match call.runner.world.library.errno {
        Some(global) => {
            let address = call.runner.thread_local(global)?;
            call.store(address, 4, super::int(error))
        }
        None => Ok(()),
    }
}

/// Sets `errno` and gives -1.
pub fn failed(call: &mut Call, error: i32) -> Run<u64> {
    set(call, error)?;
    Ok(super::int(-1))
}

/// The owner of a robust mutex has ended.
pub const EOWNERDEAD: i32 = 130;

/// A robust mutex can never be locked again.
pub const ENOTRECOVERABLE: i32 = 131;
