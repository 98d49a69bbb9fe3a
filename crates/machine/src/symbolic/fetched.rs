//! Events as they are fetched: what they do, where, and what of their thread they depend on or are ordered after.

use super::{NodeId, Operand};
use raddle_event::{Address, Annotation, Barrier, DepsId, Fence, Fetched, Free, Guard, Half, LocationId, Order, Role, ThreadId, Value};
use raddle_program::FunctionId;
use std::rc::Rc;

/// What a store writes.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A known value.
    Value(Value),
    /// The lower and the upper eight bytes, known or not.
    Words([Operand; 2]),
    /// The same, where the word `when` is not zero; otherwise nothing is written.
    When {
        /// Whether anything is written.
        when: Operand,
        /// What is written then.
        words: [Operand; 2],
    },
}

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Reads a location.
    Read {
        /// Where it is there, only a value is read for which it holds.
        guard: Option<Guard>,
        /// Whether it is the first half of a read-modify-write.
        exclusive: bool,
    },
    /// Writes a location.
    Write {
        /// What is written.
        content: Content,
        /// For the second half of a read-modify-write: the read that is its first.
        exclusive: Option<u32>,
    },
    /// A choice.
    Choose {
        /// How many outcomes there are.
        n: u32,
    },
    /// An object ceases to be.
    Free {
        /// The address that was given.
        start: Address,
        /// Who asks for it.
        how: Free,
    },
}

/// What the events to come depend on and are ordered after, in their own thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Predecessors {
    /// Branches passed so far depend on these.
    pub ctrl: DepsId,
    /// Branches passed before the last barrier between branches depend on these.
    pub isync: DepsId,
    /// Addresses of accesses so far depend on these.
    pub addr_po: DepsId,
    /// Choices made so far: what is fetched at all depends on them, and nothing else does.
    pub choices: DepsId,
    /// How many events come before the last barrier of each kind.
    pub barriers: [u32; Barrier::KINDS],
    /// For each bit of an annotation how many events come up to the last one that has it.
    pub annotated: [u32; Annotation::BITS],
    /// The location that the last load that reserves has reserved, and that load.
    pub reserved: Option<(LocationId, u32)>,
}

impl Predecessors {
    /// An event with an annotation was fetched.
    pub fn note_annotation(&mut self, annotation: Annotation, number: u32) {
        for (bit, annotated) in self.annotated.iter_mut().enumerate() {
            if annotation.has(Annotation(1 << bit)) {
                *annotated = number + 1;
            }
        }
    }
}

/// What stands between the events of a thread and orders them in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Milestone {
    /// A fence.
    Fence(Fence),
    /// A thread comes into being.
    Spawn(ThreadId),
    /// A thread has ended.
    Join(ThreadId),
}

/// An instance of an instruction, or of what a library call does, that has been fetched and is an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// What the graph of the model sees of it.
    pub fetched: Fetched,
    /// What it does.
    pub what: What,
    /// The order of the language that it has, and the one that it has where the read-modify-write to which it belongs
    /// stores nothing.
    pub orders: [Order; 2],
    /// Whether what it reads is only moved elsewhere: that it was never written is no fault.
    pub moves: bool,
    /// The node of the value that it reads or chooses.
    pub node: Option<NodeId>,
    /// How many values were not known when it was fetched, or had not been: those of the events before it, and what is
    /// computed of them.
    pub(crate) n_nodes: u32,
    /// Where it is fetched, innermost first.
    pub place: (FunctionId, u32),
    /// The frames around it, innermost first.
    pub callers: Rc<[(FunctionId, u32)]>,
}

impl What {
    /// What it is to its instruction, where that is no load that reserves and no conditional store.
    pub(crate) fn half(&self) -> Option<Half> {
        match *self {
            What::Read { exclusive, .. } => Some(if exclusive { Half::RmwLoad } else { Half::Load }),
            What::Write { exclusive, .. } => Some(if exclusive.is_some() { Half::RmwStore } else { Half::Store }),
            What::Choose { .. } | What::Free { .. } => None,
        }
    }

    /// What it is to the memory.
    pub fn role(&self) -> Role {
        match *self {
            What::Read { .. } => Role::Load,
            What::Write { exclusive, .. } => Role::Store { pair: exclusive },
            What::Choose { .. } | What::Free { .. } => Role::Other,
        }
    }
}
