//! Each axiom of the models of graphs on the litmus test that shows it: graphs are drawn by hand, event by event, and
//! the model says what the next event may be.

use Order::{Acquire, Relaxed, Release, SeqCst};
use raddle_event::{
    Action, AddressMap, EventId, Fence, LocationId, Locations, Offer, Order, Published, Range, Region, Rmw, RmwOp, ThreadId, Value, Way,
};
use raddle_memory::graphs::GraphModel;
use raddle_memory::ra::Ra;
use raddle_memory::{rc11, sra};
use std::rc::Rc;

const T0: ThreadId = ThreadId(0);
const T1: ThreadId = ThreadId(1);
const T2: ThreadId = ThreadId(2);

/// A graph under way, over two variables that are zero at first.
struct Drawn<M> {
    model: M,
    locations: Locations,
    x: LocationId,
    y: LocationId,
    /// What each event has written.
    written: Vec<(EventId, u64)>,
}

impl<M: GraphModel> Drawn<M> {
    fn new(mut model: M) -> Drawn<M> {
        let (mut map, mut locations) = (AddressMap::default(), Locations::default());
        let addresses = [0, 1].map(|number| map.address(Region::Globals, number, 4).expect("there is room"));
        let [x, y] = addresses.map(|start| locations.number(Range { start, size: 4 }));
        let object = |address| Published { address, size: 4, bytes: vec![0; 4], written: Vec::new(), freed: false, heap: false };
        model.learn(&locations, &map, 3);
        model.adopt(&Rc::new(addresses.map(object).to_vec()), &map, true);
        Drawn { model, locations, x, y, written: Vec::new() }
    }

    fn offers(&mut self, thread: ThreadId, action: &Action) -> Vec<Offer> {
        let mut offers = Vec::new();
        self.model.offers(thread, action, &self.locations, &mut offers);
        offers
    }

    fn add(&mut self, thread: ThreadId, action: &Action, way: Way) -> EventId {
        let id = EventId { thread, index: self.model.n_events(thread) };
        self.model.add(thread, action, way, &self.locations);
        id
    }

    /// Adds a write, last in coherence where that is part of a graph.
    fn write(&mut self, thread: ThreadId, at: LocationId, value: u64, order: Order) -> EventId {
        let action = write(at, value, order);
        let way = self.offers(thread, &action)[0].way;
        let id = self.add(thread, &action, way);
        self.written.push((id, value));
        id
    }

    /// Adds a read from a write, or of the initial value.
    fn read(&mut self, thread: ThreadId, at: LocationId, from: Option<EventId>, order: Order) {
        self.add(thread, &read(at, order), Way::From(from));
    }

    /// Adds an increment of what a write has left, which is one less than `value`.
    fn increment(&mut self, thread: ThreadId, at: LocationId, from: Option<EventId>, value: u64) -> EventId {
        let id = self.add(thread, &increment(at), Way::From(from));
        self.written.push((id, value));
        id
    }

    /// Adds a fence that is sequentially consistent. Where that is an update of a hidden variable, it reads from the
    /// last one.
    fn fence(&mut self, thread: ThreadId) {
        let fence = Action::Fence(Fence::SeqCst);
        let offers = self.offers(thread, &fence);
        let way = offers.iter().find(|offer| offer.taken.is_none()).expect("a fence can be added").way;
        self.add(thread, &fence, way);
    }

    /// The values that a thread may read next.
    fn readable(&mut self, thread: ThreadId, at: LocationId, order: Order) -> Vec<u64> {
        let offers = self.offers(thread, &read(at, order));
        let value = |offer: &Offer| match offer.way {
            Way::From(None) => 0,
            Way::From(Some(write)) => self.written.iter().find(|(id, _)| *id == write).expect("it is a write").1,
            way => panic!("{way:?} is no way to read"),
        };
        let mut values: Vec<u64> = offers.iter().map(value).collect();
        values.sort();
        values
    }
}

fn read(at: LocationId, order: Order) -> Action {
    Action::Read { at, order, guard: None }
}

fn write(at: LocationId, value: u64, order: Order) -> Action {
    Action::Write { at, value: Value::Word(value), order }
}

fn increment(at: LocationId) -> Action {
    Action::Rmw { at, rmw: Rmw::new(RmwOp::Add, 1), order: Relaxed, failure: Relaxed }
}

fn ra() -> Drawn<Ra> {
    Drawn::new(Ra::new(false))
}

fn sra() -> Drawn<sra::Graph> {
    Drawn::new(sra::Graph::new(false, false))
}

fn rc11() -> Drawn<rc11::Graph> {
    Drawn::new(rc11::Graph::new(false, false))
}

/// CoRR: `x=1; x=2` ∥ `r=x; s=x`, r=2. What was read is not forgotten: irreflexive (hb ; eco).
#[test]
fn reads_of_a_variable_follow_coherence() {
    fn second<M: GraphModel>(mut graph: Drawn<M>) -> Vec<u64> {
        let x = graph.x;
        graph.write(T0, x, 1, Relaxed);
        let last = graph.write(T0, x, 2, Relaxed);
        assert_eq!(graph.readable(T1, x, Relaxed), [0, 1, 2], "the first read may be as late as it likes");
        graph.read(T1, x, Some(last), Relaxed);
        graph.readable(T1, x, Relaxed)
    }
    assert_eq!(second(ra()), [2]);
    assert_eq!(second(sra()), [2]);
    assert_eq!(second(rc11()), [2]);
}

/// CoWR: `x=1; r=x` ∥ `x=2`. A thread does not read what its own write has replaced.
#[test]
fn a_thread_has_seen_its_own_write() {
    let mut graph = rc11();
    let x = graph.x;
    graph.write(T0, x, 1, Relaxed);
    assert_eq!(graph.readable(T0, x, Relaxed), [1]);
    graph.write(T1, x, 2, Relaxed);
    assert_eq!(graph.readable(T0, x, Relaxed), [1, 2], "the other write comes later in coherence");
}

/// MP: `x=1; y=1` ∥ `r=y; s=x`, r=1. What happens before a release happens before what acquires it.
#[test]
fn who_acquires_a_release_has_seen_what_came_before_it() {
    fn behind<M: GraphModel>(mut graph: Drawn<M>, release: Order, acquire: Order) -> Vec<u64> {
        let (x, y) = (graph.x, graph.y);
        graph.write(T0, x, 1, Relaxed);
        let flag = graph.write(T0, y, 1, release);
        graph.read(T1, y, Some(flag), acquire);
        graph.readable(T1, x, Relaxed)
    }
    assert_eq!(behind(rc11(), Release, Acquire), [1]);
    assert_eq!(behind(rc11(), Relaxed, Acquire), [0, 1]);
    assert_eq!(behind(rc11(), Release, Relaxed), [0, 1]);
    assert_eq!(behind(ra(), Relaxed, Relaxed), [1], "under RA all writes release and all reads acquire");
    assert_eq!(behind(sra(), Relaxed, Relaxed), [1]);
}

/// MP with an update between: a read-modify-write carries a release on, whatever its own order is.
#[test]
fn updates_are_part_of_a_release_sequence() {
    let mut graph = rc11();
    let (x, y) = (graph.x, graph.y);
    graph.write(T0, x, 1, Relaxed);
    let flag = graph.write(T0, y, 1, Release);
    let update = graph.increment(T2, y, Some(flag), 2);
    graph.read(T1, y, Some(update), Acquire);
    assert_eq!(graph.readable(T1, x, Relaxed), [1]);
}

/// SB: `x=1; r=y` ∥ `y=1; s=x`, r=0. Only seq_cst accesses, or seq_cst fences between them, forbid s=0: acyclic psc.
#[test]
fn sequentially_consistent_events_have_one_order() {
    fn second<M: GraphModel>(mut graph: Drawn<M>, order: Order, is_fenced: bool) -> Vec<u64> {
        let (x, y) = (graph.x, graph.y);
        graph.write(T0, x, 1, order);
        if is_fenced {
            graph.fence(T0);
        }
        graph.read(T0, y, None, order);
        graph.write(T1, y, 1, order);
        if is_fenced {
            graph.fence(T1);
        }
        graph.readable(T1, x, order)
    }
    assert_eq!(second(rc11(), Relaxed, false), [0, 1]);
    assert_eq!(second(rc11(), SeqCst, false), [1]);
    assert_eq!(second(rc11(), Relaxed, true), [1]);
    assert_eq!(second(ra(), SeqCst, false), [0, 1], "RA and SRA know no seq_cst accesses");
    assert_eq!(second(sra(), SeqCst, false), [0, 1]);
    assert_eq!(second(ra(), Relaxed, true), [1], "but a full fence is an update of a hidden variable");
    assert_eq!(second(sra(), Relaxed, true), [1]);
}

/// `x++` ∥ `x++`: the second one that would read the initial value finds it taken (atomicity).
#[test]
fn two_updates_do_not_read_from_the_same_write() {
    fn ways<M: GraphModel>(mut graph: Drawn<M>) -> Vec<(Way, Option<EventId>)> {
        let x = graph.x;
        graph.increment(T0, x, None, 1);
        let mut ways: Vec<_> = graph.offers(T1, &increment(x)).iter().map(|offer| (offer.way, offer.taken)).collect();
        ways.sort();
        ways
    }
    let first = EventId { thread: T0, index: 0 };
    let expected = [(Way::From(None), Some(first)), (Way::From(Some(first)), None)];
    assert_eq!(ways(ra()), expected);
    assert_eq!(ways(sra()), expected);
    assert_eq!(ways(rc11()), expected);
}

/// 2+2W: `x=1; y=2` ∥ `y=1; x=2`, where y=1 comes after y=2. Under SRA x=2 cannot come before x=1: acyclic (hb ∪ co).
#[test]
fn strong_release_acquire_orders_writes_of_different_variables() {
    fn places<M: GraphModel>(mut graph: Drawn<M>) -> Vec<Way> {
        let (x, y) = (graph.x, graph.y);
        graph.write(T0, x, 1, Relaxed);
        graph.write(T0, y, 2, Relaxed);
        graph.write(T1, y, 1, Relaxed);
        graph.offers(T1, &write(x, 2, Relaxed)).iter().map(|offer| offer.way).collect()
    }
    let first = EventId { thread: T0, index: 0 };
    assert_eq!(places(rc11()), [Way::After(Some(first)), Way::After(None)], "the last place comes first");
    assert_eq!(places(sra()), [Way::After(Some(first))]);
}
