//! What whoever coordinates a job keeps of its parts: which are at work, and what came of them. It knows neither the
//! network nor the clock, and goes by the rules of [`Parts`], as threads of one process do.
//!
//! Every task has a name: its part, and how often the part was taken up. A result is entered when it is the first one
//! for a task that is at work. So a task may be handed out, explored and answered twice, and is counted once; and
//! whoever enters the same results in the same order comes to the same ledger and the same tasks.

use raddle_check::{PartId, Parts, Rest, Task};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskId {
    /// The part of the exploration.
    pub part: PartId,
    /// How often it was taken up before.
    pub turn: u32,
}

/// The parts of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ledger {
    parts: Parts<Vec<u8>, Vec<u8>>,
    /// For each part that is not over the turn that is next; with this one it is at work.
    turns: BTreeMap<PartId, (u32, bool)>,
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger::new()
    }
}

impl Ledger {
    /// What whoever divides an exploration does, as one part.
    pub const FIRST: TaskId = TaskId { part: PartId(0), turn: 0 };

    /// The first part is at work: with whoever divides the exploration.
    pub fn new() -> Ledger {
        let mut parts = Parts::new(Vec::new());
        parts.take();
        Ledger { parts, turns: BTreeMap::from([(Ledger::FIRST.part, (1, true))]) }
    }

    /// Whether a task is at work.
    pub fn is_at_work(&self, TaskId { part, turn }: TaskId) -> bool {
        self.turns.get(&part) == Some(&(turn.wrapping_add(1), true))
    }

    /// Enters what was done of a task; tells whether that counts. What was broken off stays at work.
    pub fn enter(&mut self, task: TaskId, given: Vec<Vec<u8>>, rest: Rest) -> bool {
        if !self.is_at_work(task) {
            return false;
        }
        let (part, next) = (task.part, task.turn + 1);
        given.into_iter().for_each(|unit| self.parts.give(part, unit));
        match rest {
            Rest::Broken => return true,
            Rest::Nothing(answer) => {
                self.parts.finish(part, answer);
                self.turns.remove(&part);
                return true;
            }
            Rest::Work(unit) => self.parts.put_down(part, unit),
            Rest::Answers(unit) if self.parts.has_no_mail(part) => {
                self.parts.put_to_sleep(part, unit);
            }
            Rest::Answers(unit) => self.parts.put_down(part, unit),
        }
        self.turns.insert(part, (next, false));
        true
    }

    /// The tasks that are to be handed out now. They are at work from here on.
    pub fn hand_out(&mut self) -> Vec<(TaskId, Task)> {
        let mut tasks = Vec::new();
        while let Some((part, unit)) = self.parts.take() {
            let (next, is_at_work) = self.turns.entry(part).or_insert((0, false));
            let turn = *next;
            (*next, *is_at_work) = (turn + 1, true);
            let (mail, is_given) = (self.parts.take_mail(part), self.parts.is_given(part));
            tasks.push((TaskId { part, turn }, Task { unit, mail, is_given }));
        }
        tasks
    }

    /// Whether all is explored.
    pub fn is_done(&self) -> bool {
        self.parts.is_done()
    }

    /// How many parts are not over, and how many are.
    pub fn n_open_and_done(&self) -> (u64, u64) {
        self.parts.n_open_and_done()
    }
}
