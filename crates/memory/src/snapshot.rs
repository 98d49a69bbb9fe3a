//! The state of the memory as a value, so that tests can compare two memories.

use crate::accesses::{Access, Written};
use crate::buffer::Buffer;
use crate::heap::Object;
use crate::memory::Memory;
use raddle_event::Address;

/// Everything in the memory that belongs to the present execution. Locations are numbered: two memories that are compared must
/// have learned of the same ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    objects: Vec<(Address, Object)>,
    written: Vec<Vec<Written>>,
    read: Vec<Access>,
    buffers: Vec<Buffer>,
}

impl Snapshot {
    /// The present state of a memory.
    pub fn of(memory: &Memory) -> Snapshot {
        let accesses = &memory.accesses;
        Snapshot {
            objects: memory.heap.objects(),
            written: accesses.written.clone(),
            read: accesses.read.clone(),
            buffers: memory.buffers.clone(),
        }
    }
}
