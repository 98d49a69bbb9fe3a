//! What a thread that is fetched out of order has besides its registers and private memory: values that are not known
//! yet, what values depend on, and the events fetched so far.
//!
//! Every register has a [`Tag`]. An untagged one is a word that depends on no event, as in the in-order machine.

mod dependencies;
mod fetched;
mod nodes;
mod rounds;
mod shadow;

pub(crate) use dependencies::{Dependencies, Set};
pub(crate) use fetched::Predecessors;
pub use fetched::{Content, Instance, Milestone, What};
pub(crate) use nodes::{Gathered, How, Nodes, Part, Wrong};
pub use nodes::{NodeId, Operand};
pub(crate) use rounds::{Round, Stretch};
pub(crate) use shadow::Shadow;

use raddle_event::{Arrival, DepsId, LocationId, Value};
use raddle_program::FunctionId;
use std::ops::Range;
use std::rc::Rc;

/// What a word depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tag {
    /// On nothing.
    #[default]
    Plain,
    /// The word is known and depends on these events.
    From(DepsId),
    /// The word is the value of a node.
    Node(NodeId),
}

/// All of it. What is not a table is part of each state that is gone back to.
#[derive(Default)]
pub(crate) struct Symbolic {
    pub nodes: Nodes,
    pub sets: Dependencies,
    pub events: Vec<Instance>,
    /// What came into being in the shared memory.
    pub arrivals: Vec<Arrival>,
    /// What stands between the events, each with how many of them come before it.
    pub milestones: Vec<(u32, Milestone)>,
    pub standing: Predecessors,
    pub shadow: Rc<Shadow>,
    pub rounds: Rc<Vec<Round>>,
    /// What the library call under way depends on.
    pub call: DepsId,
    /// The calls that are under way, for the places of events: kept until the number of frames changes.
    pub callers: (u32, Rc<[(FunctionId, u32)]>),
    /// Values that the fetching stopped for.
    pub awaited: Vec<NodeId>,
    /// The events of the idle iterations that it stopped after.
    pub idle: Option<Range<u32>>,
}

/// How long the tables are.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Sizes {
    nodes: usize,
    sets: usize,
    events: usize,
    arrivals: usize,
    milestones: usize,
}

/// What was added to the tables between two states.
pub(crate) struct Added {
    nodes: Vec<(DepsId, How)>,
    sets: Vec<Set>,
    events: Vec<Instance>,
    arrivals: Vec<Arrival>,
    milestones: Vec<(u32, Milestone)>,
}

impl Symbolic {
    /// How long the tables are now.
    pub fn sizes(&self) -> Sizes {
        let Symbolic { nodes, sets, events, arrivals, milestones, .. } = self;
        Sizes { nodes: nodes.len(), sets: sets.len(), events: events.len(), arrivals: arrivals.len(), milestones: milestones.len() }
    }

    /// What was added to the tables since they had these sizes.
    pub fn added_since(&self, before: Sizes) -> Added {
        Added {
            nodes: self.nodes.since(before.nodes),
            sets: self.sets.since(before.sets),
            events: self.events[before.events..].to_vec(),
            arrivals: self.arrivals[before.arrivals..].to_vec(),
            milestones: self.milestones[before.milestones..].to_vec(),
        }
    }

    /// Adds to the tables what was added once before.
    pub fn add(&mut self, added: &Added) {
        for (deps, how) in &added.nodes {
            self.nodes.add(*deps, how.clone());
        }
        self.sets.extend(&added.sets);
        self.events.extend_from_slice(&added.events);
        self.arrivals.extend_from_slice(&added.arrivals);
        self.milestones.extend_from_slice(&added.milestones);
    }

    /// Cuts the tables back.
    pub fn truncate(&mut self, sizes: Sizes) {
        self.nodes.truncate(sizes.nodes);
        self.sets.truncate(sizes.sets);
        self.events.truncate(sizes.events);
        self.arrivals.truncate(sizes.arrivals);
        self.milestones.truncate(sizes.milestones);
    }

    /// The events that a word depends on.
    pub fn deps(&self, tag: Tag) -> DepsId {
        self.sets.whole(self.deps_by_bytes(tag))
    }

    /// The events that a word depends on, byte by byte where they differ.
    pub fn deps_by_bytes(&self, tag: Tag) -> DepsId {
        match tag {
            Tag::Plain => DepsId::NONE,
            Tag::From(deps) => deps,
            Tag::Node(node) => self.nodes.deps(node),
        }
    }

    /// The union of what two words depend on.
    pub fn join(&mut self, deps: DepsId, tag: Tag) -> DepsId {
        let more = self.deps(tag);
        self.sets.union(deps, more)
    }

    /// What follows comes after this, by the language.
    pub fn stand(&mut self, what: Milestone) {
        self.milestones.push((self.events.len() as u32, what));
    }

    /// The value that a store writes, once it is known.
    pub fn content(&self, content: &Content, size: u32) -> Option<Value> {
        match content {
            Content::Value(value) => Some(value.clone()),
            Content::When { when, .. } if self.nodes.word(*when)? == 0 => None,
            Content::Words([low, high]) | Content::When { words: [low, high], .. } => {
                let word = self.nodes.word(*low)? as u128 | (self.nodes.word(*high)? as u128) << 64;
                Some(Value::from_u128(word, size))
            }
        }
    }

    /// Whether a store writes; none where that is not known yet.
    pub fn happens(&self, content: &Content) -> Option<bool> {
        match content {
            Content::When { when, .. } => self.nodes.word(*when).map(|when| when != 0),
            Content::Value(_) | Content::Words(_) => Some(true),
        }
    }

    /// The last event fetched so far that accesses a location.
    pub fn last_at(&self, at: LocationId) -> Option<u32> {
        self.events.iter().rposition(|event| event.fetched.at == Some(at)).map(|n| n as u32)
    }
}
