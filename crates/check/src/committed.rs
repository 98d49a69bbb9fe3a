//! Executions whose events are committed out of order (POWER): how they are explored, and what there is to know of one that has ended.

use crate::committing::Committing;
use crate::ending::Ending;
use crate::joined::{FaultAt, Stop};
use crate::outcome::{Path, Witness};
use crate::plain_power::PlainPower;
use crate::scheduled::leak;
use crate::search::{Each, Options};
use raddle_event::{Address, EventId, Fault, FaultKind, Range, ThreadId, Value};
use raddle_explore::{CommitSink, End, rsmc};
use raddle_machine::{Blocked, Halt, Moment, OutOfOrder, Sites};
use raddle_program::Program;
use std::ops::ControlFlow;

/// A program that has come to an end.
pub struct Committed<'e, 'p> {
    committing: &'e Committing<'p>,
    /// What the first function of each thread has returned.
    results: Vec<Option<Vec<u64>>>,
}

impl<'e, 'p> Committed<'e, 'p> {
    pub fn new(committing: &'e Committing<'p>) -> Committed<'e, 'p> {
        let results = committing.machine.threads().map(|thread| committing.machine.results(thread)).collect();
        Committed { committing, results }
    }
}

impl Ending for Committed<'_, '_> {
    fn stop(&self) -> Option<&Stop> {
        self.committing.stop.as_ref()
    }

    fn faults(&self) -> &[FaultAt] {
        &self.committing.faults
    }

    fn blocked(&self) -> Option<Blocked> {
        self.committing.blocked()
    }

    fn deadlocked(&self) -> Vec<ThreadId> {
        self.committing.deadlocked()
    }

    /// A thread that reads what is overwritten will not do so for ever. What it has read last of each location since it last wrote must be the last in coherence.
    fn spinning(&self) -> Option<ThreadId> {
        let Committing { machine, power, .. } = self.committing;
        let is_stuck = |thread: ThreadId| {
            let events = machine.events(thread);
            let reads = events.len() - events.iter().rev().take_while(|event| event.is_read()).count()..events.len();
            let is_newest = |&index: &usize| events[index + 1..].iter().all(|later| later.at != events[index].at);
            let number = |index: usize| power.number(EventId { thread, index: index as u32 });
            reads.filter(is_newest).filter_map(number).all(|load| power.reads_last(load))
        };
        machine.threads().find(|&thread| *machine.halt(thread) == Halt::Blocked(Blocked::Spin) && is_stuck(thread))
    }

    fn moment(&self, thread: ThreadId) -> Moment {
        self.committing.moment(thread)
    }

    fn leak(&self) -> Option<FaultAt> {
        let (machine, objects) = (&self.committing.machine, &self.committing.objects);
        let shared = objects.live_heap_objects().into_iter().map(|(start, size)| (start, size as u64));
        let left: Vec<(Address, u64)> = shared.chain(machine.private_heap()).collect();
        leak(machine.addresses(), &left, |start| machine.maker(start))
    }

    fn not_robust(&self) -> Option<FaultAt> {
        let machine = &self.committing.machine;
        let again = OutOfOrder::with_tables(machine.program(), machine.limits().clone(), machine.sites().clone(), machine.tables());
        let mut plain = PlainPower::new(again);
        for (event, parameter) in self.committing.run() {
            assert!(plain.commit(event, parameter), "a run that was explored makes sense");
        }
        let event = plain.first_on_cycle()?;
        let fault = Fault::new(FaultKind::NotRobust, "this execution is possible under POWER, but not under SC");
        Some(FaultAt { fault, thread: event.thread, moment: machine.moment_of(event.thread, event.index) })
    }

    /// Plans do not pair races with POWER.
    fn race(&self) -> Option<FaultAt> {
        None
    }

    fn results(&self, n: usize) -> Option<&[u64]> {
        self.results.get(n)?.as_deref()
    }

    fn final_value(&self, at: Address, size: u32) -> u64 {
        let Committing { machine, power, objects, .. } = self.committing;
        let written = machine.locations().find(Range { start: at, size }).and_then(|location| power.last(location));
        if let Some(store) = written {
            return power.event(store).value.as_ref().map_or(0, Value::word);
        }
        let start = machine.addresses().room(at).map_or(at, |room| room.start);
        let bytes = objects.look(start).expect("globals are never freed");
        let offset = (at.0 - start.0) as usize;
        Value::from_bytes(&bytes[offset..offset + size as usize]).word()
    }

    fn witness(&self) -> Witness {
        let machine = &self.committing.machine;
        Witness { path: Path::Commits(self.committing.run()), sites: machine.sites().clone(), tables: machine.tables() }
    }
}

/// Receives every run, for those who compare explorations by commits.
pub trait EachCommits: for<'p> CommitSink<Committing<'p>> {
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Explores by commits, and starts over whenever something taken as private turns out to be shared.
pub fn explore_commits<T: EachCommits>(program: &Program, options: &Options, sink: &mut T) {
    let mut sites = Sites::default();
    loop {
        let mut committing = Committing::new(program, options.limits.clone(), sites, options.keep_going);
        let _ended = rsmc(&mut committing, sink);
        if committing.stop != Some(Stop::Contradicted) {
            return;
        }
        sites = committing.machine.sites().clone();
        sink.restart();
    }
}

/// Passes runs on without what is peculiar to them.
pub(crate) struct CommitsByEnding<'e, E> {
    pub sink: &'e mut E,
}

impl<E: Each> EachCommits for CommitsByEnding<'_, E> {
    fn restart(&mut self) {
        self.sink.restart();
    }
}

impl<'p, E: Each> CommitSink<Committing<'p>> for CommitsByEnding<'_, E> {
    fn run(&mut self, committing: &Committing<'p>, end: End) -> ControlFlow<()> {
        self.sink.ended(&Committed::new(committing), end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.sink.event()
    }
}
