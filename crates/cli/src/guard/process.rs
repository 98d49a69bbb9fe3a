//! What only the system can do: end the process at once, write past every lock, give memory back.

#![allow(unsafe_code, reason = "calls of the C library that have no safe form")]

/// Ends the process without waiting for anybody.
pub fn end_now(code: u8) -> ! {
    // SAFETY: it has no preconditions.
    unsafe { libc::_exit(code.into()) }
}

/// Writes text to a descriptor. A thread that is stuck may hold the lock of the stream.
pub fn write(descriptor: i32, text: &str) {
    let mut left = text.as_bytes();
    while !left.is_empty() {
        // SAFETY: the bytes are there, and as many as said.
        match unsafe { libc::write(descriptor, left.as_ptr().cast(), left.len()) } {
            n if n > 0 => left = &left[n as usize..],
            _ => return,
        }
    }
}

/// Gives memory that is not in use back to the machine.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it has no preconditions.
    unsafe {
        libc::malloc_trim(0);
    }
}
