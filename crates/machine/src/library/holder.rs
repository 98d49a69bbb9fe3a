//! Who holds a lock, by what lies in it: mutexes and read-write locks have their owner plus one in the upper half of
//! eight bytes, spin locks are four bytes that name it in the same way. Readers have no names.

use raddle_event::{Guard, ThreadId};

/// Which thread holds the lock that a guard waits for, where that can be said; `word` is what lies there.
pub fn holder(guard: Guard, size: u32, word: u64) -> Option<ThreadId> {
    let owner = match (guard, size) {
        (Guard::NoneOf(0xffff_ffff_0000_0000 | 0xffff_ffff_7fff_ffff), 8) => word >> 32,
        (Guard::NoneOf(0x7fff_ffff), 4) => word,
        _ => 0,
    };
    u32::try_from(owner.checked_sub(1)?).ok().map(ThreadId)
}
