//! Models that are sets of allowed graphs, whose events are added each after all that comes before it in po ∪ rf, and
//! taken back newest first.
//!
//! [`GraphModel`] is what a model says. What models have in common is beside it: who comes after whom ([`skeleton`]),
//! where objects lie and which variables they have ([`places`]).

mod objects;
mod places;
mod skeleton;
mod waits;

pub(crate) use objects::{ObjectId, races_with_free};
pub(crate) use places::{FENCES, Places, VariableId};
pub use skeleton::Skeleton;
pub use waits::{Waited, Waiting, Waits};

use raddle_event::{
    Action, Address, AddressMap, EventId, Fault, Guard, LocationId, Locations, Offer, Position, Published, Range, Reply, ThreadId, Value,
    Way,
};
use std::cmp::Ordering;
use std::rc::Rc;

/// What came of adding an event.
#[derive(Clone, Debug)]
pub struct Added {
    /// What the thread is told.
    pub reply: Reply,
    /// What is wrong with the graph now, although the thread goes on.
    pub fault: Option<Box<Fault>>,
}

/// What models of graphs do not make sense of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The same bytes are accessed in different sizes.
    MixedSizes,
    /// Several threads write, in no order, what threads wait for.
    Disputed,
    /// A load reserves, or a store is conditional.
    Reservations,
}

impl Unsupported {
    /// The message under a model.
    pub fn text<M: GraphModel>(self) -> String {
        let what = match self {
            Unsupported::MixedSizes => "mixed-size access",
            Unsupported::Disputed => "what threads wait for (a lock, a semaphore) is written by several threads in no order:",
            Unsupported::Reservations => "load-reserve and store-conditional are",
        };
        format!("{what} not supported {}", M::NOT_SUPPORTED)
    }
}

/// What is known of an access, whatever the model.
pub struct Accessed<'g> {
    pub(crate) variable: VariableId,
    pub(crate) is_read: bool,
    /// The value that it writes, if it writes.
    pub(crate) written: Option<&'g Value>,
    pub(crate) guard: Option<Guard>,
}

/// What an access finds or leaves in its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    pub(crate) variable: VariableId,
    pub(crate) word: u64,
    /// Whether a write of this word can be the last in coherence.
    pub can_last: bool,
}

impl Stay {
    /// Whether two of them that can last can do so at once: they are of different variables, whose orders do not depend
    /// on one another, or the same word.
    pub fn agrees(self, other: Stay) -> bool {
        self.variable != other.variable || self.word == other.word
    }
}

/// A graph of events under a model.
///
/// The model must allow every part of an allowed graph that is closed under po ∪ rf, and every allowed graph must stay
/// allowed when the next event of a thread is added canonically ([`GraphModel::is_canonical`]), unless its guard
/// forbids that.
pub trait GraphModel {
    /// The name of the model.
    const NAME: &'static str;

    /// What stands behind "not supported": under which model, and what to choose instead.
    const NOT_SUPPORTED: &'static str;

    /// Whether a write has places in coherence to choose from. Where it has none, coherence is not part of a graph.
    const PLACES_WRITES: bool;

    /// Whether plain accesses may be cut into pieces where others access the same bytes in another size.
    const CUTS_PLAIN: bool = true;

    /// Whether all reads of parts of what is written as a whole can be reads of the whole: those of a thread are in
    /// order, or what is read has been seen. Where not, some can where races are faults ([`raddle_event::PartReads`]).
    const READS_PARTS: bool = true;

    /// Whether po ∪ rf ∪ co has no cycle in any graph, reads aside.
    const ORDERS_WRITES: bool = false;

    /// Whether stores are buffered, so that the library's try-locks look before they take.
    const BUFFERED: bool = false;

    /// Why an action cannot be had, if it cannot.
    fn refusal(action: &Action) -> Option<Unsupported> {
        matches!(action, Action::Reserve { .. } | Action::WriteReserved { .. }).then_some(Unsupported::Reservations)
    }

    /// What is kept of the order of the writes of a variable.
    type Order: Default + Waited;

    /// The objects and variables.
    fn places(&self) -> &Places<Self::Order>;

    /// For which variables threads wait, and which were written in an order that somebody chose, in all graphs so far.
    fn waiting(&self, locations: &Locations) -> Waiting {
        let seen = self.places().variables.iter().filter_map(|variable| Some((variable.at?, variable.order.waits())));
        Waiting::of(seen, |at| locations.range(at))
    }

    /// The same, to be changed.
    fn places_mut(&mut self) -> &mut Places<Self::Order>;

    /// Makes room for the threads and locations that were seen since the last time.
    fn learn(&mut self, locations: &Locations, map: &AddressMap, n_threads: usize);

    /// Takes over objects that were private so far: with the newest event, or from the start. `is_first` says that no
    /// event of another thread is there yet, so that every event to come has seen the objects.
    fn adopt(&mut self, image: &Rc<Vec<Published>>, map: &AddressMap, is_first: bool) {
        let newest = self.skeleton().newest();
        self.places_mut().adopt(image, map, newest.filter(|_| !is_first), newest);
    }

    /// Whether accesses of different sizes to the same bytes have come up.
    #[inline]
    fn is_mixed(&self) -> bool {
        self.places().is_mixed
    }

    /// Whether threads wait for what is written in no order.
    fn is_disputed(&self) -> bool;

    /// What has come up that this model has no meaning for, or no explorer can make sense of.
    #[inline]
    fn unsupported(&self) -> Option<Unsupported> {
        match (self.is_mixed(), self.is_disputed()) {
            (true, _) => Some(Unsupported::MixedSizes),
            (_, true) => Some(Unsupported::Disputed),
            _ => None,
        }
    }

    /// The ways in which the next event of a thread can be added, but for what [`GraphModel::retain_allowed`] leaves
    /// out. None where it waits for its guard to hold. Of the places of a write the last one in coherence comes first.
    fn candidates(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>);

    /// Leaves out what the axioms forbid, where they forbid more than what stands behind a place in coherence. This
    /// takes long: who asks knows of no other reason to leave a candidate out.
    fn retain_allowed(&mut self, _: ThreadId, _: &Action, _: &Locations, _: &mut Vec<Offer>) {}

    /// The ways in which the next event of a thread can be added.
    fn offers(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        self.candidates(thread, action, locations, offers);
        self.retain_allowed(thread, action, locations, offers);
    }

    /// Adds the next event of a thread.
    fn add(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> Added;

    /// Adds the event by which a thread has waited for the end of another one.
    fn join(&mut self, thread: ThreadId, ended: ThreadId);

    /// Takes back the newest events, until there are so many.
    fn rewind(&mut self, len: usize);

    /// The events without what they do.
    fn skeleton(&self) -> &Skeleton;

    /// How many events a thread has.
    fn n_events(&self, thread: ThreadId) -> u32 {
        self.skeleton().n_events(thread)
    }

    /// The name of an event.
    #[inline]
    fn id(&self, at: Position) -> EventId {
        self.skeleton().id(at)
    }

    /// Where an event is that has been added.
    #[inline]
    fn position(&self, id: EventId) -> Position {
        self.skeleton().position(id)
    }

    /// For each thread how many of its events come before an event in po ∪ rf, itself included.
    #[inline]
    fn clock(&self, at: Position) -> &[u32] {
        self.skeleton().clock(at)
    }

    /// The reads of the variable that an event writes, if it writes, that do not come before it in po ∪ rf.
    fn unordered_reads(&self, write: Position, found: &mut Vec<Position>) {
        let Some(access) = self.accessed(write).filter(|access| access.written.is_some()) else { return };
        let clock = self.clock(write);
        for (thread, own) in &self.places().variables[access.variable.index()].by_thread {
            let unordered = own.iter().rev().take_while(|at| self.id(**at).index >= clock[thread.index()]);
            found.extend(unordered.filter(|at| self.accessed(**at).is_some_and(|access| access.is_read)));
        }
    }

    /// What an event accesses, if it accesses a variable.
    fn accessed(&self, at: Position) -> Option<Accessed<'_>>;

    /// Notes that a loop of a thread waits for a value of a location, by a read-modify-write where it may write. Tells
    /// whether that can be waited for: nobody has freed the object.
    fn await_value(&mut self, thread: ThreadId, at: LocationId, may_write: bool, locations: &Locations) -> bool;

    /// A location for whose values loops wait although its writes are in no order that is forced, where there is one.
    fn disputed_look(&self) -> Option<LocationId>;

    /// What a thread that reads a location next gets from a write, or as the initial value; none where that was never
    /// written, and it is wrong to read it.
    fn value_from(&mut self, thread: ThreadId, at: LocationId, source: Option<EventId>, locations: &Locations) -> Option<Value>;

    /// What a thread that reads a location next finds in what is last in coherence among so many events of each thread;
    /// none where nothing was written, and it is wrong to read it. Only where writes have places.
    fn last_value_within(&mut self, _thread: ThreadId, _at: LocationId, _limits: &[u32], _locations: &Locations) -> Option<Value> {
        None
    }

    /// Whether an event writes what a thread reads that looks at a location next.
    fn writes_to(&mut self, _write: Position, _thread: ThreadId, _at: LocationId, _locations: &Locations) -> bool {
        false
    }

    /// What the event of a thread, which there is or which comes next, finds at a location where all that is written
    /// comes before it.
    fn value_before(&self, event: EventId, at: LocationId) -> Option<Value>;

    /// Whether an event writes.
    fn writes(&self, at: Position) -> bool {
        self.accessed(at).is_some_and(|access| access.written.is_some())
    }

    /// What an event that writes has written.
    fn written(&self, write: Position) -> &Value {
        self.accessed(write).and_then(|access| access.written).expect("it writes")
    }

    /// All words of the variable of an access, the initial one included.
    fn words(&self, at: Position) -> Vec<u64>;

    /// The words of all writes that are, or may be, after what a read reads from in coherence, and do not come after
    /// the read in po ∪ rf.
    fn overtaking(&self, read: Position) -> Vec<u64>;

    /// What an access finds or, where it only writes, leaves; reading again may give the same for ever where this can
    /// be last in coherence.
    fn stay(&self, at: Position) -> Option<Stay>;

    /// Whether the guard of a read, if it has one, lets it read from a write.
    fn accepts(&self, read: Position, write: Position) -> bool {
        let guard = self.accessed(read).and_then(|access| access.guard);
        guard.is_none_or(|guard| guard.holds(self.written(write).word()))
    }

    /// Whether the next event of a thread, a read, may read from a write, guards aside.
    fn is_readable(&mut self, thread: ThreadId, action: &Action, write: Position, locations: &Locations) -> bool;

    /// Whether an event is what would have been added to a graph: the one that has so many events of each thread, and
    /// of `write`, where that is a read-modify-write, the read alone. That graph has all that comes before its events
    /// and before this event (but for its source), and not the event itself. An event by which a loop waits does so for
    /// other words than those that are `in_vain`.
    fn is_canonical(&self, at: Position, limits: &[u32], write: Position, in_vain: &[u64]) -> bool;

    /// Where an access would stand that is added in a way, next to one to the same variable that is there: by the ranks
    /// of what they read from or, where they only write, of themselves. Only where writes have places.
    fn compare(&self, _: Position, _: Way) -> Ordering {
        Ordering::Equal
    }

    /// The rank of what an access reads from or, where it only writes, its own. Only where writes have places.
    fn standing(&self, _: Position) -> u32 {
        0
    }

    /// Whether an event has a guard.
    fn is_guarded(&self, event: Position) -> bool {
        self.accessed(event).is_some_and(|access| access.guard.is_some())
    }

    /// Whether po ∪ rf ∪ co has no cycle among the writes of so many events of each thread.
    fn is_in_one_order(&self, _: &[u32]) -> bool {
        true
    }

    /// The values that a range of an object that was there from the start may have in the end. None where its bytes are
    /// accessed in another size.
    fn final_values(&self, range: Range, locations: &Locations) -> Option<Vec<Value>>;

    /// Whether the graph is none of SC, where coherence is part of it.
    fn has_cycle(&self) -> Option<bool> {
        None
    }

    /// The heap objects that are not freed, by their addresses.
    fn live_heap_objects(&self) -> Vec<(Address, u64)> {
        self.places().objects.live_heap()
    }
}

/// The location of a variable, and the number of its object in its room.
type Place = (LocationId, u32);
