//! Numbers for those who take steps.

use raddle_event::{Actor, LocationId, ThreadId};
use rustc_hash::FxHashMap;

/// Who takes a step: a thread, or the memory on behalf of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    Thread(ThreadId),
    /// The oldest store in the buffer of the thread reaches memory (TSO).
    Update(ThreadId),
    /// The oldest store of the thread to this location reaches memory (PSO).
    UpdateAt(ThreadId, LocationId),
}

impl Who {
    /// The thread that acts, or for which the memory acts.
    pub fn thread(self) -> ThreadId {
        match self {
            Who::Thread(thread) | Who::Update(thread) | Who::UpdateAt(thread, _) => thread,
        }
    }
}

/// The numbers, given once for all executions.
#[derive(Default)]
pub struct Actors {
    all: Vec<Who>,
    numbers: FxHashMap<Who, Actor>,
    /// The actors of threads, found without hashing.
    threads: Vec<Option<Actor>>,
}

impl Actors {
    /// The number of an actor.
    pub fn number(&mut self, who: Who) -> Actor {
        if let Who::Thread(thread) = who {
            if let Some(Some(actor)) = self.threads.get(thread.index()) {
                return *actor;
            }
        }
        let next = Actor(self.all.len() as u32);
        let actor = *self.numbers.entry(who).or_insert(next);
        if actor == next {
            self.all.push(who);
        }
        if let Who::Thread(thread) = who {
            let n = self.threads.len().max(thread.index() + 1);
            self.threads.resize(n, None);
            self.threads[thread.index()] = Some(actor);
        }
        actor
    }

    /// The number of an actor that has one.
    pub fn known(&self, who: Who) -> Actor {
        match who {
            Who::Thread(thread) => self.threads[thread.index()].expect("the actor has a number"),
            _ => self.numbers[&who],
        }
    }

    /// Who has this number.
    pub fn who(&self, actor: Actor) -> Who {
        self.all[actor.index()]
    }
}
