//! Strings that LLVM hands out.

use llvm_sys::core::LLVMDisposeMessage;
use std::ffi::{CStr, c_char};

/// A string that LLVM owns, of a known length.
///
/// # Safety
/// `start` is null or points to `length` bytes that live long enough to be copied.
pub unsafe fn borrowed(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A message that LLVM gave away, which is freed here.
///
/// # Safety
/// `message` is null or comes from LLVM with the duty to free it.
pub unsafe fn given(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}
