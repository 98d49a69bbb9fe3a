//! Objects that come into the shared memory with what is in them.

use crate::{Address, LocationId, Value};
use std::rc::Rc;

/// An object that goes from the private memory of a thread to the shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Where it begins.
    pub address: Address,
    /// How many bytes it has.
    pub size: u64,
    /// Its first bytes; those after them are zero.
    pub bytes: Vec<u8>,
    /// Which bytes have been written; empty when all count as written.
    pub written: Vec<u8>,
    /// Whether it was freed before anybody else could see it.
    pub freed: bool,
    /// Whether it is of the heap, and must be freed by the program.
    pub heap: bool,
}

impl Published {
    /// The value of `size` bytes, which begin `from` bytes behind its start.
    pub fn value(&self, from: usize, size: usize) -> Value {
        match self.bytes.get(from..from + size) {
            Some(bytes) => Value::from_bytes(bytes),
            None => Value::from_bytes(&(from..from + size).map(|at| self.bytes.get(at).copied().unwrap_or(0)).collect::<Vec<u8>>()),
        }
    }

    /// All bytes. What nobody has written takes no memory until somebody does.
    pub fn all_bytes(&self) -> Vec<u8> {
        let mut all = vec![0; self.size as usize];
        all[..self.bytes.len()].copy_from_slice(&self.bytes);
        all
    }
}

/// A shared object that comes into being while a thread is fetched out of order.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// The room of the object.
    pub at: LocationId,
    /// How many bytes it has.
    pub size: u64,
    /// Whether all bytes are zero at first.
    pub zeroed: bool,
    /// What is in it and in the objects that it leads to, where it was private before.
    pub image: Option<Rc<Vec<Published>>>,
}
