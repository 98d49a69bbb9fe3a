//! The allocator: that of the system, except that what cannot be granted does not abort the process.
//!
//! Rust gives up where an allocation fails. Here the thread that asks for more than there may be at all, or than the
//! system has, waits for ever, and the guard ends the process in good order. What is granted is not counted: the guard
//! looks at what the process really has, so that allocating costs nothing more.

use super::MOST;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Whether something could not be granted.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Only requests that are larger are compared with the limit.
const LARGE: usize = 1 << 20;

thread_local! {
    /// Whether this thread is the guard's, which must never wait.
    static EXEMPT: Cell<bool> = const { Cell::new(false) };
}

/// This thread never waits for memory.
pub fn exempt() {
    EXEMPT.set(true);
}

/// Whether a thread waits for memory that it will not get.
pub fn is_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

struct Allocator;

#[allow(unsafe_code, reason = "an allocator is unsafe code by its nature; it passes on what it gets")]
// SAFETY: everything is passed on to the allocator of the system, or nothing is given at all.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        refuse_if(layout.size() > LARGE && is_too_large(layout.size()));
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        granted(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // Zeros take no memory until they are written.
        // SAFETY: as for `alloc`.
        granted(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as for `alloc`.
        unsafe { System.dealloc(at, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        refuse_if(size > LARGE && is_too_large(size));
        // SAFETY: as for `alloc`.
        granted(unsafe { System.realloc(at, layout, size) })
    }
}

#[cold]
fn is_too_large(size: usize) -> bool {
    size as u64 > MOST.load(Ordering::Relaxed)
}

#[inline]
fn granted(at: *mut u8) -> *mut u8 {
    refuse_if(at.is_null());
    at
}

#[inline]
fn refuse_if(is_refused: bool) {
    if is_refused {
        wait();
    }
}

/// Waits for the guard to end the process.
#[cold]
fn wait() {
    if EXEMPT.get() {
        return;
    }
    REFUSED.store(true, Ordering::Relaxed);
    super::wake();
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}
