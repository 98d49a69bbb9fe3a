//! The state of the memory as a value, so that tests can compare two memories.

use super::accesses::Accesses;
use super::buffer::Buffer;
use super::memory::Memory;
use crate::heap::RoomState;
use raddle_event::Address;

/// Everything in the memory that belongs to the present execution. Locations are numbered: two memories that are
/// compared must have learned of the same ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    objects: Vec<(Address, RoomState)>,
    accesses: Accesses,
    buffers: Vec<Buffer>,
}

impl Snapshot {
    /// The present state of a memory.
    pub fn of(memory: &Memory) -> Snapshot {
        Snapshot { objects: memory.heap.objects(), accesses: memory.accesses.clone(), buffers: memory.buffers.clone() }
    }
}
