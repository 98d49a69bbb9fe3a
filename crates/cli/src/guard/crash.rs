//! Crashes: signals that say that code of this process is broken, be it LLVM's reader on a file that is not sound, deep
//! recursion, or a mistake of Raddle.
//!
//! The handler does only what a handler may do: it notes the signal and waits, on a stack of its own, and the guard
//! speaks the last words. Where the guard cannot, the handler ends the process.

#![allow(unsafe_code, reason = "handlers of signals have no safe form")]

use super::process;
use crate::exit;
use std::sync::atomic::{AtomicI32, Ordering};

/// What a process does not survive.
const SIGNALS: [i32; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];

/// How long the guard may take; it looks at least every 250 ms.
const MOST_MILLISECONDS: u32 = 2000;

/// The signal that came; zero for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Catches crashes from now on. (Rust has given every thread a stack for handlers.)
pub fn catch() {
    for signal in SIGNALS {
        // SAFETY: the handler calls nothing but what a handler may call.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = note as extern "C" fn(i32) as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// What came, in words.
pub fn seen() -> Option<String> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    let name = match signal {
        0 => return None,
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGILL => "SIGILL",
        libc::SIGFPE => "SIGFPE",
        _ => "SIGABRT",
    };
    Some(format!("crash by signal {signal} ({name})"))
}

extern "C" fn note(signal: i32) {
    SIGNAL.store(signal, Ordering::Relaxed);
    for _ in 0..MOST_MILLISECONDS / 10 {
        // SAFETY: it sleeps, and may be called in a handler.
        unsafe { libc::poll(std::ptr::null_mut(), 0, 10) };
    }
    process::end_now(exit::INTERNAL)
}
