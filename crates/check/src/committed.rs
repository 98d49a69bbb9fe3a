//! Executions whose events are committed out of order (POWER): how they are explored, and what there is to know of one that has ended.

use crate::committing::Committing;
use crate::ending::Ending;
use crate::joined::{FaultAt, Stop};
use crate::outcome::{Path, Witness};
use crate::plan::MemoryModel;
use crate::scheduled::{leak, not_robust};
use crate::search::{Each, Options};
use crate::standing::Standing;
use raddle_event::{Address, EventId, Fetching, Parameter, Range, ThreadId, Value};
use raddle_explore::{CommitSink, End, rsmc};
use raddle_judge::PlainPower;
use raddle_machine::{Halt, Moment, Sites};
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

    fn is_well(&self) -> bool {
        self.committing.has_ended_well()
    }

    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        self.committing.standings()
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
        let mut plain = PlainPower::new(machine.program(), machine.limits().again(), machine.sites().clone(), machine.tables());
        for (event, parameter) in self.committing.run() {
            let makes_sense = plain.commit(event, parameter);
            assert!(makes_sense || self.committing.stop.is_some(), "a run that was explored makes sense");
        }
        let event = plain.first_on_cycle()?;
        Some(not_robust(MemoryModel::Power, event.thread, machine.moment_of(event.thread, event.index)))
    }

    /// Plans do not pair races with POWER.
    fn race(&self) -> Option<FaultAt> {
        None
    }

    fn status(&self) -> Option<i32> {
        let machine = &self.committing.machine;
        machine.threads().find_map(|thread| if let Halt::Exited(status) = machine.halt(thread) { Some(*status) } else { None })
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

    /// Loops that wait for ever read what is last in coherence, to show it.
    fn witness(&self) -> Witness {
        let Committing { machine, power, .. } = self.committing;
        let last = |event: &EventId| {
            let at = machine.fetched(*event).at.expect("a load has a location");
            (*event, Parameter::Source(power.last(at).map(|store| power.event(store).id)))
        };
        let run = self.committing.run().into_iter().chain(self.committing.awaiting().iter().map(last)).collect();
        Witness { path: Path::Commits(run), sites: machine.sites().clone(), tables: machine.tables() }
    }
}

/// Receives every run, for those who compare explorations by commits.
pub trait EachCommits: for<'p> CommitSink<Committing<'p>> {
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Explores by commits, and starts over whenever something taken as private turns out to be shared, and when loops that wait may look too late: then they read whatever they can.
pub fn explore_commits<T: EachCommits>(program: &Program, options: &Options, sink: &mut T) {
    let (mut sites, mut finds_livelocks) = (Sites::default(), options.liveness);
    loop {
        let mut committing = Committing::new(program, options.limits.clone(), sites, options.keep_going);
        committing.finds_livelocks = finds_livelocks;
        let ended = rsmc(&mut committing, sink);
        let looks_again = ended.is_continue() && committing.has_late_loops && !finds_livelocks;
        if committing.stop != Some(Stop::Contradicted) && !looks_again {
            return;
        }
        finds_livelocks |= looks_again;
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
