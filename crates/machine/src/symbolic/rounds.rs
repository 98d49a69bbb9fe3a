//! Iterations of loops, and when one of them has changed nothing (see [`crate::spin`]).
//!
//! A stretch of iterations is *idle* when the thread is in the same state at its end as at its beginning, and its
//! events are reads, read-modify-writes that put back what was there, and writes of what the thread itself had written
//! there last, where no other thread writes ([`crate::owners`]). Every execution that goes on from there has a shorter
//! one beside it, without the stretch, that does the same; so the thread stops. A value that is not known yet may turn
//! out to be the same or another one. So a stretch that cannot be judged when it ends is judged again later.

use super::{Content, Instance, NodeId, Operand, Shadow, Symbolic, Tag, What};
use crate::sharing::Site;
use crate::store::Store;
use crate::thread::Kept;
use crate::vain::{Spurious, spurious_at};
use crate::world::World;
use raddle_event::{LocationId, Locations, ThreadId};
use raddle_program::{FunctionId, LoopId, Reg};
use smallvec::SmallVec;
use std::ops::Range;
use std::rc::Rc;

/// The state of a thread where it begins an iteration of a loop.
#[derive(Clone)]
pub(crate) struct Round {
    pub depth: u32,
    pub at: LoopId,
    pub kept: Kept,
    /// What lies over its private memory.
    pub shadow: Rc<Shadow>,
    /// What the last load that reserves has reserved, and that load.
    pub reserved: Option<(LocationId, u32)>,
    /// How many events had been fetched.
    pub n_events: usize,
    /// How many iterations before it, in a row, are known to have paused in the same way and done nothing else
    /// ([`crate::vain`]).
    pub pauses: u32,
}

/// What is known of a stretch of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// It has changed nothing.
    Idle,
    /// It has changed nothing, but a weak compare-exchange has failed for no reason.
    Failed,
    /// It has changed nothing, but has waited for conditions and woken up for no reason.
    Woken,
    /// It has changed something.
    Busy,
    /// That depends on values that are not known yet.
    Open,
}

impl Stretch {
    fn and(self, other: impl FnOnce() -> Stretch) -> Stretch {
        match self {
            Stretch::Busy => Stretch::Busy,
            Stretch::Idle => other(),
            Stretch::Failed | Stretch::Woken => match other() {
                Stretch::Idle | Stretch::Failed => self,
                other => other,
            },
            Stretch::Open => match other() {
                Stretch::Busy => Stretch::Busy,
                _ => Stretch::Open,
            },
        }
    }

    fn of(same: bool) -> Stretch {
        if same { Stretch::Idle } else { Stretch::Busy }
    }
}

impl Symbolic {
    /// What is known of the iterations between two states, by the registers that are `live` there.
    pub fn stretch(&self, before: &Round, now: &Round, live: &[Reg], world: &World) -> Stretch {
        let reserves_first = now.reserved.is_some_and(|(_, load)| load as usize == before.n_events);
        Stretch::of(before.reserved == now.reserved || reserves_first)
            .and(|| Stretch::of(before.kept.is_back(&now.kept)))
            .and(|| self.same_registers(&before.kept, &now.kept, live))
            .and(|| self.events_change_nothing(before.n_events..now.n_events, world))
            .and(|| self.same_memory(before, now))
    }

    /// The events of the first stretch of iterations that is idle, among those from one state to the next, and those
    /// from any state to the present one: a loop may go round several variables.
    pub fn idle_events(&self, first: usize, live: &[Reg], world: &World) -> Option<Range<usize>> {
        let rounds = &self.rounds[first..];
        let (now, earlier) = rounds.split_last()?;
        let adjacent = rounds.windows(2).map(|pair| (&pair[0], &pair[1]));
        let to_now = earlier.iter().rev().skip(1).map(|before| (before, now));
        let is_idle = |(before, now): &(&Round, &Round)| self.stretch(before, now, live, world) == Stretch::Idle;
        adjacent.chain(to_now).find(is_idle).map(|(before, now)| before.n_events..now.n_events)
    }

    /// Whether no stretch that has what lies between two states can be idle.
    pub fn changes_for_good(&self, before: &Round, now: &Round, world: &World) -> bool {
        !before.kept.is_back(&now.kept) || self.events_change_nothing(before.n_events..now.n_events, world) == Stretch::Busy
    }

    fn same_words(&self, a: Operand, b: Operand) -> Stretch {
        match (self.nodes.word(a), self.nodes.word(b)) {
            _ if a == b => Stretch::Idle,
            (Some(a), Some(b)) => Stretch::of(a == b),
            _ => Stretch::Open,
        }
    }

    fn same_registers(&self, before: &Kept, now: &Kept, live: &[Reg]) -> Stretch {
        let (Some(a), Some(b)) = (&before.frames, &now.frames) else { return Stretch::Busy };
        let operand = |tag: Tag, word: u64| if let Tag::Node(node) = tag { Operand::Node(node) } else { Operand::Known(word) };
        live.iter().map(|reg| reg.index()).fold(Stretch::Idle, |all, n| {
            all.and(|| self.same_words(operand(a.tags[n], a.registers[n]), operand(b.tags[n], b.registers[n])))
        })
    }

    /// Reads change nothing, nor do writes that put back what was there, nor waits for conditions that end for no
    /// reason.
    fn events_change_nothing(&self, events: Range<usize>, world: &World) -> Stretch {
        let mut paused_at = None;
        events.fold(Stretch::Idle, |all, number| {
            let event = &self.events[number];
            let chooses = matches!(event.what, What::Choose { .. });
            if paused_at == Some(event.place) && !chooses {
                return all;
            }
            let what = if chooses { self.choice(event, world) } else { self.changes_nothing(number, world) };
            paused_at = (chooses && what == Stretch::Woken).then_some(event.place);
            all.and(|| what)
        })
    }

    /// The mutexes with which a thread has waited.
    fn paused_with(&self, events: Range<usize>, world: &World) -> SmallVec<[LocationId; 2]> {
        let is_lock = |event: &&Instance| {
            let writes = matches!(event.what, What::Write { exclusive: Some(_), .. });
            writes && spurious_at(world.program, event.place.0, event.place.1) == Some(Spurious::Wait)
        };
        let mut mutexes: SmallVec<_> = self.events[events].iter().filter(is_lock).filter_map(|event| event.fetched.at).collect();
        mutexes.sort();
        mutexes.dedup();
        mutexes
    }

    /// What a choice of something that may end for no reason means.
    fn choice(&self, event: &Instance, world: &World) -> Stretch {
        let place = spurious_at(world.program, event.place.0, event.place.1);
        let chosen = event.node.and_then(|node| self.nodes.value(node));
        match (place, chosen) {
            (None, _) | (Some(Spurious::Wait), Some(0)) => Stretch::Busy,
            (Some(_), None) => Stretch::Open,
            (Some(Spurious::Exchange | Spurious::Try), Some(0)) => Stretch::Idle,
            (Some(Spurious::Exchange | Spurious::Try), Some(_)) => Stretch::Failed,
            (Some(Spurious::Wait), Some(_)) => Stretch::Woken,
        }
    }

    /// Counts the pauses of the iterations of a loop between these states.
    pub fn count_pauses(&mut self, first: usize, live: &[Reg], world: &World) {
        for n in first + 1..self.rounds.len() {
            let [before, now] = [n - 1, n].map(|n| &self.rounds[n]);
            if now.pauses > 0 || self.stretch(before, now, live, world) != Stretch::Woken {
                continue;
            }
            let is_repeated =
                n > first + 1 && self.is_repeated(self.rounds[n - 2].n_events..before.n_events, before.n_events..now.n_events);
            let pauses = 1 + if is_repeated { before.pauses } else { 0 };
            Rc::make_mut(&mut self.rounds)[n].pauses = pauses;
        }
    }

    /// Whether events are the same as earlier ones, and have read and chosen the same.
    fn is_repeated(&self, earlier: Range<usize>, events: Range<usize>) -> bool {
        let is_same = |(a, b): (&Instance, &Instance)| {
            let value = |event: &Instance| event.node.map(|node| self.nodes.value(node));
            (a.place, a.fetched.at, &a.callers) == (b.place, b.fetched.at, &b.callers) && value(a) == value(b) && value(a) != Some(None)
        };
        earlier.len() == events.len() && self.events[earlier].iter().zip(&self.events[events]).all(is_same)
    }

    /// How many pauses in a row there were in the iterations of a loop before the last one, and with which mutexes.
    pub fn pauses(&self, world: &World) -> (u32, SmallVec<[LocationId; 2]>) {
        match &self.rounds[..] {
            [.., before, now] => (now.pauses, self.paused_with(before.n_events..now.n_events, world)),
            _ => (0, SmallVec::new()),
        }
    }

    /// Whether the present iteration of a loop is about to choose as the one before it did, and has come there in the
    /// same way.
    pub fn is_at_same_choice(&self, place: (FunctionId, u32)) -> bool {
        let [.., before, now] = &self.rounds[..] else { return false };
        let chooses = before.n_events + (self.events.len() - now.n_events);
        let is_choice = |event: &Instance| matches!(event.what, What::Choose { .. }) && event.place == place;
        chooses < now.n_events
            && is_choice(&self.events[chooses])
            && self.is_repeated(before.n_events..chooses, now.n_events..self.events.len())
    }

    fn changes_nothing(&self, number: usize, world: &World) -> Stretch {
        let event = &self.events[number];
        match (&event.what, event.fetched.at) {
            (What::Read { guard: None, .. }, _) => Stretch::Idle,
            (What::Write { content, .. }, _) if self.happens(content) == Some(false) => Stretch::Idle,
            (What::Write { content, exclusive: Some(read) }, Some(at)) => {
                let (size, node) = (world.locations.range(at).size, self.events[*read as usize].node.expect("a read has a node"));
                let upper = if size > 8 { Operand::Node(NodeId(node.0 + 1)) } else { Operand::Known(0) };
                self.same_contents(&Content::Words([Operand::Node(node), upper]), content, size)
            }
            // Among what ends for no reason writes are left alone.
            (What::Write { content, exclusive: None }, Some(at)) if !world.limits.spurious && !world.is_contested(at) => {
                self.was_written_before(number, at, content, &world.locations)
            }
            _ => Stretch::Busy,
        }
    }

    fn same_contents(&self, old: &Content, new: &Content, size: u32) -> Stretch {
        match (self.content(old, size), self.content(new, size)) {
            (Some(old), Some(new)) => Stretch::of(old == new),
            _ => Stretch::Open,
        }
    }

    /// Whether the thread has last written the same to a location before an event.
    fn was_written_before(&self, event: usize, at: LocationId, content: &Content, locations: &Locations) -> Stretch {
        let range = locations.range(at);
        let is_near =
            |event: &&Instance| !event.fetched.is_read() && event.fetched.at.is_some_and(|other| locations.range(other).overlaps(range));
        match self.events[..event].iter().rev().find(is_near) {
            Some(Instance { what: What::Write { content: old, .. }, fetched, .. }) if fetched.at == Some(at) => {
                self.same_contents(old, content, range.size)
            }
            _ => Stretch::Busy,
        }
    }

    /// The instructions by which a loop may wait that are not all that an iteration does: the last read of a thread
    /// among some events that may find what others write, and those behind it.
    pub fn last_looks_of_several(&self, events: Range<usize>, thread: ThreadId, world: &World) -> SmallVec<[Site; 2]> {
        let reads: SmallVec<[&Instance; 4]> = self.events[events].iter().filter(|event| matches!(event.what, What::Read { .. })).collect();
        let finds_own = |event: &&Instance| event.fetched.at.is_some_and(|at| world.finds_again(at, thread));
        let first = reads.iter().rposition(|event| !finds_own(event)).unwrap_or(0);
        let site = |event: &&Instance| Site::Code(event.place.0, event.place.1);
        if reads.len() > 1 { reads[first..].iter().map(site).collect() } else { SmallVec::new() }
    }

    /// Where the last look of several is, where it is a plain read of what others write.
    pub fn last_read_of_several(&self, events: Range<usize>, thread: ThreadId, world: &World) -> Option<LocationId> {
        let mut reads = self.events[events].iter().filter(|event| matches!(event.what, What::Read { .. }));
        let is_own = |event: &Instance| event.fetched.at.is_some_and(|at| world.finds_again(at, thread));
        let last = reads.rfind(|event| !is_own(event)).filter(|last| matches!(last.what, What::Read { guard: None, exclusive: false }))?;
        last.fetched.at.filter(|_| reads.next().is_some())
    }

    /// Where some events write and are no read-modify-writes.
    pub fn plainly_written(&self, events: Range<usize>) -> SmallVec<[LocationId; 2]> {
        let plain = self.events[events].iter().filter(|event| matches!(event.what, What::Write { exclusive: None, .. }));
        plain.filter_map(|event| event.fetched.at).collect()
    }

    /// Compares private memory, with what is known by now of the values that lie over it.
    fn same_memory(&self, before: &Round, now: &Round) -> Stretch {
        let (a, b) = (self.revealed(before), self.revealed(now));
        let is_same = Rc::ptr_eq(&a, &b) || a == b;
        let unknown = |round: &Round| {
            let open: Vec<_> = round.shadow.unknown().filter(|found| self.nodes.value(found.2).is_none()).collect();
            open
        };
        let (a, b) = (unknown(before), unknown(now));
        match a == b {
            true => Stretch::of(is_same),
            // Where memory is the same but for what is not known, it may turn out to be the same.
            false => Stretch::Open,
        }
    }

    /// The private memory of a state, with the values that lay over it and are known by now.
    fn revealed(&self, round: &Round) -> Rc<Store> {
        let mut store = round.kept.store.clone();
        for (spot, size, node, from) in round.shadow.unknown() {
            if let Some(value) = self.nodes.value(node) {
                let bytes = (value >> (8 * from as u32)).to_le_bytes();
                Rc::make_mut(&mut store).write(spot, &bytes[..size]);
            }
        }
        store
    }
}
