//! Small programs that call the library, run in every order over a plain memory.

mod memory;
mod sequential;
mod synchronisation;
mod text;

use memory::Memory;
use raddle_event::{Action, ThreadId};
use raddle_machine::{HistoryId, Limits, Machine, Next, Sites};
use raddle_program::FunctionId;
use std::collections::{BTreeSet, HashSet};
use text::Text;

/// Compares the outcomes of all schedules with those expected, in order. An outcome is what the assigned variables are
/// at the end, or how it went wrong.
#[track_caller]
fn check(functions: &[&str], expected: &[&str]) {
    let text = Text::new(functions);
    let mut sites = Sites::default();
    loop {
        let machine = Machine::new(&text.program, Limits::default(), sites);
        let mut search = Search { machine, text: &text, seen: HashSet::new(), outcomes: BTreeSet::new() };
        search.explore(&Memory::default());
        if !search.machine.is_contradicted() {
            assert_eq!(search.outcomes.iter().map(String::as_str).collect::<Vec<_>>(), expected);
            return;
        }
        sites = search.machine.sites().clone();
    }
}

struct Search<'t> {
    machine: Machine<'t>,
    text: &'t Text,
    seen: HashSet<(Vec<HistoryId>, Memory)>,
    outcomes: BTreeSet<String>,
}

impl Search<'_> {
    fn explore(&mut self, memory: &Memory) {
        let threads: Vec<ThreadId> = self.machine.threads().collect();
        let steps = threads.iter().map(|&thread| self.machine.position(thread)).collect();
        if !self.seen.insert((steps, memory.clone())) {
            return;
        }
        if let Some(outcome) = threads.iter().find_map(|&thread| wrong(self.machine.next(thread))) {
            self.outcomes.insert(outcome);
            return;
        }
        let moved = threads.iter().filter(|&&thread| self.step(memory, thread)).count();
        if moved == 0 {
            let ended = threads.iter().all(|&thread| self.machine.action(thread).is_none());
            self.outcomes.insert(if ended { self.text.outcome(memory) } else { "deadlock".into() });
        }
    }

    /// Explores what comes after a step of a thread; tells whether it can take one.
    fn step(&mut self, memory: &Memory, thread: ThreadId) -> bool {
        let Some(action) = self.machine.action(thread).cloned() else { return false };
        let mut after = memory.clone();
        let replies = after.take(&self.machine, &action);
        for reply in &replies {
            let mark = self.machine.mark();
            if let Action::Spawn { child, function, argument } = action {
                after.publish(self.machine.image(thread));
                self.machine.start(child, FunctionId(function), argument);
            }
            self.machine.advance(thread, reply.clone());
            self.explore(&after);
            self.machine.rewind(mark);
        }
        !replies.is_empty()
    }
}

fn wrong(next: &Next) -> Option<String> {
    match next {
        Next::Action(_) | Next::Ended(_) => None,
        Next::Fault(fault) => Some(fault.kind.to_string()),
        other => Some(format!("{other:?}")),
    }
}
