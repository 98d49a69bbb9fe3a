//! The end of an execution that was run by a schedule (SC, TSO, PSO).

use crate::ending::Ending;
use crate::joined::{FaultAt, Joined, Stop};
use crate::outcome::{Path, Witness};
use crate::plan::{MemoryModel, buffering};
use crate::races::Races;
use crate::robust::Graph;
use crate::standing::Standing;
use raddle_event::{Address, AddressMap, Fault, FaultKind, Region, Step, ThreadId, Value, Who};
use raddle_judge::{PlainSchedule, Watch};
use raddle_machine::{Machine, Moment, Next, Site};
use raddle_memory::buffered::Model;

/// A program that has come to an end, and the schedule that led there.
pub struct Scheduled<'e, 'p> {
    pub joined: &'e Joined<'p>,
    pub schedule: &'e dyn Fn() -> Vec<Step>,
    pub model: Model,
    pub name: MemoryModel,
}

impl<'p> Scheduled<'_, 'p> {
    /// The steps of the schedule by who takes them.
    fn steps(&self) -> Vec<(Who, u32)> {
        (self.schedule)().into_iter().map(|step| (self.joined.who(step), step.choice)).collect()
    }

    /// Runs the execution again for somebody who looks on. One that stopped at something that cannot be run may not be run again either.
    fn again<W: Watch>(&self, watch: W) -> Option<PlainSchedule<'p, W>> {
        let machine = &self.joined.machine;
        let limits = machine.limits().again();
        let tracked = limits.uninitialised;
        let machine = Machine::with_tables(machine.program(), limits, machine.sites().clone(), machine.tables());
        let mut plain = PlainSchedule::new(machine, buffering(self.model), tracked, watch);
        let can_be_run = plain.run(&self.steps());
        assert!(can_be_run || self.joined.stop.is_some(), "a schedule that was explored can be run");
        can_be_run.then_some(plain)
    }
}

impl Ending for Scheduled<'_, '_> {
    fn stop(&self) -> Option<&Stop> {
        self.joined.stop_at_end()
    }

    fn is_well(&self) -> bool {
        let Joined { machine, faults, .. } = self.joined;
        self.stop().is_none() && faults.is_empty() && machine.is_over()
    }

    fn faults(&self) -> &[FaultAt] {
        &self.joined.faults
    }

    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        self.joined.standings()
    }

    fn moment(&self, thread: ThreadId) -> Moment {
        self.joined.machine.moment(thread)
    }

    fn leak(&self) -> Option<FaultAt> {
        let (machine, memory) = (&self.joined.machine, &self.joined.memory);
        let shared = memory.live_heap_objects().into_iter().map(|(start, size)| (start, size as u64));
        let left: Vec<(Address, u64)> = shared.chain(machine.private_heap()).collect();
        leak(machine.addresses(), &left, |start| machine.maker(start))
    }

    fn not_robust(&self) -> Option<FaultAt> {
        if self.model.is_direct() {
            return None;
        }
        let plain = self.again(Graph::default())?;
        let (thread, moment) = plain.watch.first_on_cycle()?;
        Some(not_robust(self.name, thread, moment.clone()))
    }

    fn race(&self) -> Option<FaultAt> {
        self.again(Races::default())?.watch.found
    }

    fn status(&self) -> Option<i32> {
        self.joined.machine.status()
    }

    fn results(&self, n: usize) -> Option<&[u64]> {
        let thread = self.joined.machine.threads().nth(n)?;
        match self.joined.machine.next(thread) {
            Next::Ended(values) => Some(values),
            _ => None,
        }
    }

    fn final_value(&self, at: Address, size: u32) -> u64 {
        let start = self.joined.machine.addresses().room(at).map_or(at, |room| room.start);
        let bytes = self.joined.memory.look(start).expect("globals are never freed");
        let offset = (at.0 - start.0) as usize;
        Value::from_bytes(&bytes[offset..offset + size as usize]).word()
    }

    fn witness(&self) -> Witness {
        let machine = &self.joined.machine;
        Witness { path: Path::Schedule(self.steps()), sites: machine.sites().clone(), tables: machine.tables() }
    }
}

/// The fault of an execution that SC does not have.
pub(crate) fn not_robust(model: MemoryModel, thread: ThreadId, moment: Moment) -> FaultAt {
    let message = format!("this execution is possible under {}, but not under SC", model.to_string().to_uppercase());
    FaultAt { fault: Fault::new(FaultKind::NotRobust, message), thread, moment }
}

/// The first of the heap objects that are left, placed where it was allocated.
pub fn leak(map: &AddressMap, left: &[(Address, u64)], maker: impl Fn(Address) -> Option<Site>) -> Option<FaultAt> {
    let &(start, size) = left.first()?;
    let Some((Region::Heap(thread), ..)) = map.find(start) else { return None };
    let Some(Site::Code(function, at)) = maker(start) else { return None };
    let others = match left.len() - 1 {
        0 => String::new(),
        n => format!(", nor {n} other object{}", if n == 1 { "" } else { "s" }),
    };
    let message = format!("{size} bytes that are allocated here are never freed{others}");
    Some(FaultAt { fault: Fault::new(FaultKind::Leak, message), thread, moment: Moment { stack: vec![(function, at)] } })
}
