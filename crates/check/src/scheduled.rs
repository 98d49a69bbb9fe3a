//! The end of an execution that was run by a schedule (SC, TSO, PSO).

use crate::ending::Ending;
use crate::joined::{FaultAt, Joined, Stop};
use crate::judge::Plain;
use crate::outcome::{Path, Witness};
use crate::plan::MemoryModel;
use crate::races::Races;
use crate::robust::Graph;
use crate::watch::Watch;
use raddle_event::{Action, Address, AddressMap, Fault, FaultKind, Region, Reply, Step, ThreadId, Value};
use raddle_machine::{Blocked, Machine, Moment, Next, Site};
use raddle_memory::{Model, Who};

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

    /// Runs the execution again for somebody who looks on.
    fn again<W: Watch>(&self, watch: W) -> Plain<'p, W> {
        let machine = &self.joined.machine;
        let limits = machine.limits().clone();
        let tracked = limits.uninitialised;
        let machine = Machine::with_tables(machine.program(), limits, machine.sites().clone(), machine.tables());
        let mut plain = Plain::new(machine, self.model, tracked, watch);
        assert!(plain.run(&self.steps()), "a schedule that was explored can be run");
        plain
    }
}

impl Ending for Scheduled<'_, '_> {
    fn stop(&self) -> Option<&Stop> {
        self.joined.stop.as_ref()
    }

    fn is_well(&self) -> bool {
        let Joined { machine, stop, faults, .. } = self.joined;
        stop.is_none() && faults.is_empty() && machine.is_over()
    }

    fn faults(&self) -> &[FaultAt] {
        &self.joined.faults
    }

    fn blocked(&self) -> Option<Blocked> {
        self.joined.blocked()
    }

    fn deadlocked(&self) -> Vec<ThreadId> {
        self.joined.deadlocked()
    }

    /// A thread that would find another value now will not spin for ever.
    fn spinning(&self) -> Option<ThreadId> {
        let machine = &self.joined.machine;
        let is_same = |(action, reply): (&Action, &Reply)| match (action.location(), reply) {
            (Some(at), Reply::Value(found)) => self.joined.memory.has(at, found),
            _ => true,
        };
        let spins = |thread: &ThreadId| matches!(machine.next(*thread), Next::Blocked(Blocked::Spin));
        machine.threads().filter(spins).find(|&thread| machine.last_round(thread).into_iter().all(is_same))
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
        let plain = self.again(Graph::default());
        let (thread, moment) = plain.watch.first_on_cycle()?;
        let model = self.name.to_string().to_uppercase();
        let message = format!("this execution is possible under {model}, but not under SC");
        Some(FaultAt { fault: Fault::new(FaultKind::NotRobust, message), thread, moment: moment.clone() })
    }

    fn race(&self) -> Option<FaultAt> {
        self.again(Races::default()).watch.found
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
