//! Futexes of Linux, which programs call by `syscall` and the library of C++ beneath `std::atomic::wait`, latches,
//! semaphores and futures.
//!
//! A table that all threads share has a word for each futex, with a bit for each waiting thread, as condition variables
//! have. Who waits sets its bit, looks at the futex, and waits until the bit is gone, or takes it away again where the
//! value is another. So no wake-up between looking and waiting is lost, as the kernel promises; like the kernel, both
//! sides have a full fence between the futex and its waiters. There are no spurious wake-ups. A wait with a time limit
//! ends as in [`super::condition`].

use super::errno::{EAGAIN, ENOSYS, ETIMEDOUT, failed};
use super::{Builtin, Call, Shared, condition};
use crate::runner::Run;
use raddle_event::{Address, Fence, Order};

pub const TABLE: &[(&str, Builtin)] = &[
    ("syscall", syscall),
    (WAIT_UNTIL, wait_until),
    (WAIT_UNTIL_STEADY, wait_until),
    (NOTIFY_ALL, |call| wake(call, call.address(0), u32::MAX)),
];

/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until`
const WAIT_UNTIL: &str =
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE";

/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady`
const WAIT_UNTIL_STEADY: &str = "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE";

/// `std::__atomic_futex_unsigned_base::_M_futex_notify_all`
const NOTIFY_ALL: &str = "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj";

/// The table of waiters.
pub const WAITERS: Shared = ("futex waiters", MOST * 8, &["syscall", WAIT_UNTIL, WAIT_UNTIL_STEADY, NOTIFY_ALL]);

/// How many futexes there can be.
const MOST: u64 = 256;

/// The numbers of system calls of x86-64 that are known.
const SYS_SCHED_YIELD: u64 = 24;
const SYS_GETPID: u64 = 39;
const SYS_GETTID: u64 = 186;
const SYS_FUTEX: u64 = 202;
/// Not in this kernel, as in older ones: programs have other barriers for those.
const SYS_MEMBARRIER: u64 = 324;

fn syscall(call: &mut Call) -> Run<u64> {
    match call.word(0) {
        SYS_FUTEX => futex(call),
        SYS_SCHED_YIELD => Ok(0),
        SYS_MEMBARRIER => failed(call, ENOSYS),
        SYS_GETPID => Ok(1),
        SYS_GETTID => Ok(call.runner.thread.id.0 as u64 + 1),
        number => call.unsupported(format!("the system call number {number}")),
    }
}

/// The arguments are the address, the operation, the value or number, and a time limit.
fn futex(call: &mut Call) -> Run<u64> {
    const WAIT: u64 = 0;
    const WAKE: u64 = 1;
    const WAIT_BITSET: u64 = 9;
    const WAKE_BITSET: u64 = 10;
    /// Private to the process; by which clock.
    const FLAGS: u64 = 128 | 256;
    match call.word(2) & !FLAGS {
        WAIT | WAIT_BITSET => match wait(call, call.address(1), call.word(3) as u32, call.word(4) != 0)? {
            0 => Ok(0),
            error => Ok(failed(call, error)? as u32 as i32 as i64 as u64),
        },
        WAKE | WAKE_BITSET => wake(call, call.address(1), call.word(3) as u32),
        operation => call.unsupported(format!("the futex operation number {operation}")),
    }
}

/// Whether it was woken or found another value, and not out of time. The arguments are the object, the address, the
/// value and whether there is a time limit.
fn wait_until(call: &mut Call) -> Run<u64> {
    Ok((wait(call, call.address(1), call.word(2) as u32, call.word(3) & 1 != 0)? != ETIMEDOUT) as u64)
}

/// The word of the waiters for a futex.
fn waiters(call: &mut Call, futex: Address) -> Run<Address> {
    let slot = call.slot(WAITERS, futex.0.to_le_bytes().to_vec()) as u64;
    if slot >= MOST {
        return call.unsupported(format!("more than {MOST} futexes"));
    }
    Ok(Address(call.shared(WAITERS)?.0 + slot * 8))
}

/// Waits while a futex has a value; gives an error number.
fn wait(call: &mut Call, futex: Address, value: u32, limited: bool) -> Run<i32> {
    let waiters = waiters(call, futex)?;
    condition::come(call, waiters)?;
    call.runner.fence(Fence::SeqCst)?;
    if call.runner.load(futex, 4, Order::SeqCst, true)? as u32 != value {
        condition::leave(call, waiters)?;
        return Ok(EAGAIN);
    }
    if limited {
        return Ok(if condition::leave(call, waiters)? { ETIMEDOUT } else { 0 });
    }
    condition::sleep(call, waiters)?;
    Ok(0)
}

/// Wakes at most so many waiters, any of them; gives how many.
fn wake(call: &mut Call, futex: Address, most: u32) -> Run<u64> {
    let waiters = waiters(call, futex)?;
    let most = most.min(condition::MOST_WAITERS);
    let mut woken = 0;
    call.runner.fence(Fence::SeqCst)?;
    while woken < most {
        let (all, of) = condition::wake(call, waiters, most - woken)?;
        woken += all;
        if all == of {
            break;
        }
    }
    Ok(woken as u64)
}
