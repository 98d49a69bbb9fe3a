//! Thread-specific values: `pthread_key_create` and its family.
//!
//! A key names the thread that made it, how many that thread had made before, and its destructor; so it says everything
//! by itself, and no key is an event. Destructors are called by the prelude when a thread ends. Deviation: a deleted
//! key keeps its destructor in the threads that still have a value for it.

use super::errno::EINVAL;
use super::{Builtin, Call, int};
use crate::runner::Run;
use raddle_event::{Address, Region};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_key_create", |call| create(call).map(int)),
    ("pthread_key_delete", delete),
    ("pthread_getspecific", get),
    ("pthread_setspecific", |call| set(call).map(int)),
    ("__raddle_next_destructor", next_destructor),
];

const THREAD_BITS: u32 = 6;
const COUNT_BITS: u32 = 6;
const FUNCTION_BITS: u32 = 32 - THREAD_BITS - COUNT_BITS;

/// How often the destructors are called as long as they leave new values.
const ROUNDS: u64 = 4;

/// Makes a key; gives an error number.
pub fn create(call: &mut Call) -> Run<i32> {
    let (thread, count) = (call.runner.thread.id.0, call.notes().keys);
    let destructor = match call.runner.world.map.find(call.address(1)) {
        Some((Region::Code, number, 0)) => number + 1,
        _ => 0,
    };
    if thread >> THREAD_BITS != 0 || count >> COUNT_BITS != 0 || destructor >> FUNCTION_BITS != 0 {
        return call.unsupported("more than 64 keys of one thread, or a key of a thread after the first 64");
    }
    call.notes().keys += 1;
    // No key is zero.
    let key = destructor << (THREAD_BITS + COUNT_BITS) | (count << THREAD_BITS | thread);
    call.store(call.address(0), 4, key.wrapping_add(1) as u64)?;
    Ok(0)
}

fn destructor(call: &mut Call, key: u32) -> Address {
    match key.wrapping_sub(1) >> (THREAD_BITS + COUNT_BITS) {
        0 => Address(0),
        number => call.runner.world.map.address(Region::Code, number - 1, 1).unwrap_or_default(),
    }
}

pub fn delete(call: &mut Call) -> Run<u64> {
    let key = call.word(0) as u32;
    call.notes().specific.retain(|entry| entry.0 != key);
    Ok(0)
}

pub fn get(call: &mut Call) -> Run<u64> {
    let key = call.word(0) as u32;
    let notes = &call.runner.thread.counts.notes;
    Ok(notes.specific.iter().find(|entry| entry.0 == key).map_or(0, |entry| entry.1))
}

/// Sets the thread's value; gives an error number.
pub fn set(call: &mut Call) -> Run<i32> {
    let (key, value) = (call.word(0) as u32, call.word(1));
    if key == 0 {
        return Ok(EINVAL);
    }
    let specific = &mut call.notes().specific;
    match specific.iter_mut().find(|entry| entry.0 == key) {
        Some(entry) => entry.1 = value,
        None => specific.push((key, value)),
    }
    Ok(0)
}

/// The next destructor of the thread to call from a position on, its argument, and the position after it; a null
/// pointer at the end.
fn next_destructor(call: &mut Call) -> Run<u64> {
    if let Some((function, argument)) = call.notes().at_thread_end.pop() {
        call.more.extend([argument, call.word(0)]);
        return Ok(function);
    }
    let n = call.notes().specific.len() as u64;
    for position in call.word(0)..n * ROUNDS {
        let at = (position % n) as usize;
        let (key, value) = call.notes().specific[at];
        let function = destructor(call, key);
        if value != 0 && function.0 != 0 {
            call.notes().specific[at].1 = 0;
            call.more.extend([value, position + 1]);
            return Ok(function.0);
        }
    }
    call.more.extend([0, 0]);
    Ok(0)
}
