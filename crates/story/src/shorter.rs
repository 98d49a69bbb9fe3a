//! A shorter witness of the same fault.
//!
//! What a search finds has steps that have nothing to do with the fault, and goes to and fro between threads as the
//! search did. Here what comes last of each thread is left out, then the last updates, and then the turns of threads
//! are put together. Every attempt is run by the judge, and taken where the same fault shows itself in the same place,
//! so that nothing need be known of models: what is no execution is not taken either.
//!
//! The result is not the shortest that there is: within this execution no thread can end earlier, and no turn of a
//! thread can be put next to another one of it. How much is tried is counted in steps, so that a search that finds the
//! same finds the same again.

use crate::tell::judge;
use raddle_event::{Path, ThreadId, Who};
use raddle_judge::Model;
use raddle_machine::{FaultAt, Found, Limits};
use raddle_program::Program;

/// How many steps are run at the most: about a second.
const MOST_STEPS: usize = 200_000;
/// What it takes to begin, in steps.
const START: usize = 100;

/// The same fault with a witness that is as short as could be found.
pub fn shortened(program: &Program, model: Model, limits: &Limits, found: Found) -> Found {
    let mut shorter = Shorter { program, model, limits, fault: found.at(), best: found, left: MOST_STEPS };
    while shorter.drop_ends() {}
    shorter.join_turns();
    shorter.best
}

/// A step of a path: whose it is, and whether the memory takes it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Owner {
    thread: ThreadId,
    is_update: bool,
}

struct Shorter<'s> {
    program: &'s Program,
    model: Model,
    limits: &'s Limits,
    fault: FaultAt,
    best: Found,
    /// How many steps may still be run.
    left: usize,
}

impl Shorter<'_> {
    /// Leaves out what threads do last, and the updates that come last; says whether there was any.
    fn drop_ends(&mut self) -> bool {
        let before = owners(&self.best.witness.path);
        let mut threads: Vec<ThreadId> = before.iter().map(|owner| owner.thread).collect();
        threads.sort();
        threads.dedup();
        for &thread in &threads {
            self.drop_end(&|owner| owner.thread == thread);
            self.drop_end(&|owner| owner == Owner { thread, is_update: true });
        }
        owners(&self.best.witness.path).len() < before.len()
    }

    /// Leaves out as much as possible of the last of some steps.
    fn drop_end(&mut self, are: &dyn Fn(Owner) -> bool) {
        let owners = owners(&self.best.witness.path);
        let mut steps: Vec<usize> = (0..owners.len()).filter(|&at| are(owners[at])).collect();
        let all = self.best.witness.path.clone();
        if let Path::Commits(events) = &all {
            // What comes first in the program stays, however late it is: that it is late may be what goes wrong.
            steps.sort_by_key(|&at| events[at].0.index);
        }
        let (mut least, mut most) = (0, steps.len());
        while least < most {
            let middle = (least + most) / 2;
            let kept: Vec<usize> = (0..owners.len()).filter(|at| !steps[middle..].contains(at)).collect();
            if self.shows(chosen(&all, &kept)) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
    }

    /// Puts turns of a thread next to the one that it had before.
    fn join_turns(&mut self) {
        let mut n = 1;
        while n < turns(&self.best.witness.path).len() {
            n = if self.join_turn(n) { n.max(2) - 1 } else { n + 1 };
        }
    }

    /// Puts a turn of a thread next to the one that it had before; says whether that was possible.
    fn join_turn(&mut self, n: usize) -> bool {
        let path = self.best.witness.path.clone();
        let turns = turns(&path);
        let turn = &turns[n];
        let Some(last) = turns[..n].iter().rev().find(|last| last.thread == turn.thread) else { return false };
        let (first, second, between) = (last.steps.clone(), turn.steps.clone(), last.steps.end..turn.steps.start);
        let early: Vec<usize> = (0..first.end).chain(second.clone()).chain(between.clone()).chain(second.end..len(&path)).collect();
        let late: Vec<usize> = (0..first.start).chain(between).chain(first).chain(second.start..len(&path)).collect();
        self.shows(chosen(&path, &early)) || self.shows(chosen(&path, &late))
    }

    /// Whether a path shows the fault; then it is the best so far.
    fn shows(&mut self, path: Path) -> bool {
        let cost = START + len(&path);
        if self.left < cost {
            return false;
        }
        self.left -= cost;
        let mut found = self.best.clone();
        found.witness.path = path;
        let shows = judge(self.program, self.model, self.limits, &found).is_ok_and(|fault| fault == self.fault);
        if shows {
            self.best = found;
        }
        shows
    }
}

/// Steps of one thread, or of the memory for it, without another one's between them.
struct Turn {
    thread: ThreadId,
    steps: std::ops::Range<usize>,
}

fn turns(path: &Path) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (at, Owner { thread, .. }) in owners(path).into_iter().enumerate() {
        match turns.last_mut().filter(|turn| turn.thread == thread) {
            Some(turn) => turn.steps.end = at + 1,
            None => turns.push(Turn { thread, steps: at..at + 1 }),
        }
    }
    turns
}

fn owners(path: &Path) -> Vec<Owner> {
    let of = |thread| Owner { thread, is_update: false };
    match path {
        Path::Schedule(steps) => steps
            .iter()
            .map(|&(who, _)| match who {
                Who::Thread(thread) => of(thread),
                Who::Update(thread) | Who::UpdateAt(thread, _) => Owner { thread, is_update: true },
            })
            .collect(),
        Path::Graph(events) => events.iter().map(|&(thread, _)| of(thread)).collect(),
        Path::Commits(events) => events.iter().map(|&(event, _)| of(event.thread)).collect(),
    }
}

fn len(path: &Path) -> usize {
    match path {
        Path::Schedule(steps) => steps.len(),
        Path::Graph(events) => events.len(),
        Path::Commits(events) => events.len(),
    }
}

/// Some of the steps of a path, in this order.
fn chosen(path: &Path, steps: &[usize]) -> Path {
    match path {
        Path::Schedule(all) => Path::Schedule(steps.iter().map(|&at| all[at]).collect()),
        Path::Graph(all) => Path::Graph(steps.iter().map(|&at| all[at]).collect()),
        Path::Commits(all) => Path::Commits(steps.iter().map(|&at| all[at]).collect()),
    }
}
