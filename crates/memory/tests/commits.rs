//! Each axiom of POWER and AArch64 on the litmus test that shows it: threads are written down as they are fetched,
//! events are committed one by one, and the model says what the next load may read and where the next store may go.

use Order::{Acquire, Relaxed, Release, SeqCst};
use raddle_event::{
    Annotation, Barrier, Between, DepsId, EventId, Fence, Fetched, Fetching, Half, LocationId, Mapping, Order, Role, ThreadId, Value, Way,
};
use raddle_memory::aarch64::{AArch64, LSE};
use raddle_memory::commits::CommitModel;
use raddle_memory::power::{MAPPING, Power};

const T0: ThreadId = ThreadId(0);
const T1: ThreadId = ThreadId(1);
const T2: ThreadId = ThreadId(2);
const X: LocationId = LocationId(0);
const Y: LocationId = LocationId(1);

/// What an access depends on, by the numbers of earlier events of its thread.
#[derive(Clone, Copy, Default)]
struct On {
    addr: Option<u32>,
    data: Option<u32>,
    ctrl: Option<u32>,
}

const NOTHING: On = On { addr: None, data: None, ctrl: None };

fn addr(event: EventId) -> On {
    On { addr: Some(event.index), ..NOTHING }
}

fn data(event: EventId) -> On {
    On { data: Some(event.index), ..NOTHING }
}

fn ctrl(event: EventId) -> On {
    On { ctrl: Some(event.index), ..NOTHING }
}

/// Threads that were fetched. A set of events has one event at the most here: its number says which.
#[derive(Default)]
struct Threads {
    events: [Vec<Fetched>; 3],
    barriers: [[u32; Barrier::KINDS]; 3],
    annotated: [[u32; Annotation::BITS]; 3],
    sets: Vec<[u32; 1]>,
}

impl Fetching for Threads {
    fn fetched(&self, event: EventId) -> &Fetched {
        &self.events[event.thread.index()][event.index as usize]
    }

    fn dependencies(&self, _: ThreadId, deps: DepsId) -> &[u32] {
        if deps.is_none() { &[] } else { &self.sets[deps.0 as usize - 1] }
    }

    fn happens(&self, _: EventId) -> Option<bool> {
        Some(true)
    }

    fn is_known(&self, _: EventId) -> bool {
        true
    }

    fn is_guess(&self, _: EventId) -> bool {
        false
    }
}

impl Threads {
    fn set(&mut self, event: Option<u32>) -> DepsId {
        let Some(event) = event else { return DepsId::NONE };
        self.sets.push([event]);
        DepsId(self.sets.len() as u32)
    }
}

/// A graph under way.
struct Graph<M> {
    threads: Threads,
    model: M,
    mapping: Mapping,
}

fn power() -> Graph<Power> {
    Graph::new(MAPPING)
}

fn aarch64() -> Graph<AArch64> {
    Graph::new(LSE)
}

impl<M: CommitModel> Graph<M> {
    fn new(mapping: Mapping) -> Graph<M> {
        let mut model = M::default();
        model.learn(2, 3);
        Graph { threads: Threads::default(), model, mapping }
    }

    fn fetch(&mut self, thread: ThreadId, role: Role, at: LocationId, order: Order, on: On) -> EventId {
        let half = if role == Role::Load { Half::Load } else { Half::Store };
        let annotation = (self.mapping.annotate)(order, half);
        let [addr, data, ctrl] = [on.addr, on.data, on.ctrl].map(|event| self.threads.set(event));
        let Threads { events, barriers, annotated, .. } = &mut self.threads;
        let (own, n) = (&mut events[thread.index()], thread.index());
        let index = own.len() as u32;
        let previous = own.iter().rposition(|event| event.at == Some(at)).map(|index| index as u32);
        let none = DepsId::NONE;
        own.push(Fetched {
            role,
            at: Some(at),
            addr,
            data,
            ctrl,
            ctrl_isync: none,
            addr_po: none,
            choices: none,
            barriers: barriers[n],
            previous,
            annotation,
            annotated: annotated[n],
        });
        for (bit, last) in annotated[n].iter_mut().enumerate() {
            if annotation.has(Annotation(1 << bit)) {
                *last = index + 1;
            }
        }
        EventId { thread, index }
    }

    /// The next event of a thread is a load.
    fn load(&mut self, thread: ThreadId, at: LocationId, order: Order, on: On) -> EventId {
        self.fetch(thread, Role::Load, at, order, on)
    }

    /// The next event of a thread is a store.
    fn store(&mut self, thread: ThreadId, at: LocationId, order: Order, on: On) -> EventId {
        self.fetch(thread, Role::Store { pair: None }, at, order, on)
    }

    /// A fence comes next in a thread.
    fn fence(&mut self, thread: ThreadId, fence: Fence) {
        let Between::Accesses(Barrier(kind)) = (self.mapping.fence)(fence) else { panic!("{fence:?} is no barrier between accesses") };
        self.threads.barriers[thread.index()][kind as usize] = self.threads.events[thread.index()].len() as u32;
    }

    fn is_enabled(&self, event: EventId) -> bool {
        self.model.is_enabled(&self.threads, event)
    }

    fn commit(&mut self, event: EventId, way: Way) {
        let value = self.threads.fetched(event).is_write().then_some(Value::Word(1));
        self.model.commit(&self.threads, event, way, value);
    }

    /// Commits a store as the last in coherence.
    fn write(&mut self, store: EventId) {
        let last = self.places(store).pop().expect("a store can be the last");
        self.commit(store, Way::After(last));
    }

    /// Commits a load, which must be allowed to read from there.
    fn read(&mut self, load: EventId, from: Option<EventId>) {
        assert!(self.sources(load).contains(&from), "{load:?} may read from {from:?}");
        self.commit(load, Way::From(from));
    }

    /// The stores that a load may read from, oldest first.
    fn sources(&mut self, load: EventId) -> Vec<Option<EventId>> {
        let mut all = Vec::new();
        self.model.sources(&self.threads, load, |source| all.push(source));
        all
    }

    /// The stores that a store may come right after, oldest first.
    fn places(&mut self, store: EventId) -> Vec<Option<EventId>> {
        let mut all = Vec::new();
        self.model.places(&self.threads, store, |after| all.push(after));
        all
    }
}

/// CoRR: `x=1` ∥ `r=x; s=x`, r=1. Per location an execution is sequentially consistent: acyclic (po-loc ∪ com).
#[test]
fn loads_of_a_location_follow_coherence() {
    fn second<M: CommitModel>(mut graph: Graph<M>) -> (Vec<Option<EventId>>, EventId) {
        let one = graph.store(T0, X, Relaxed, NOTHING);
        let (r, s) = (graph.load(T1, X, Relaxed, NOTHING), graph.load(T1, X, Relaxed, NOTHING));
        graph.write(one);
        graph.read(r, Some(one));
        (graph.sources(s), one)
    }
    let (sources, one) = second(power());
    assert_eq!(sources, [Some(one)]);
    let (sources, one) = second(aarch64());
    assert_eq!(sources, [Some(one)]);
}

/// LB: `r=x; y=1` ∥ `s=y; x=1`. Stores need not wait for loads before them; both loads may read what the other thread
/// stores.
#[test]
fn a_store_may_overtake_a_load() {
    fn both<M: CommitModel>(mut graph: Graph<M>) {
        let (r, y) = (graph.load(T0, X, Relaxed, NOTHING), graph.store(T0, Y, Relaxed, NOTHING));
        let (s, x) = (graph.load(T1, Y, Relaxed, NOTHING), graph.store(T1, X, Relaxed, NOTHING));
        assert!(graph.is_enabled(y) && graph.is_enabled(x));
        graph.write(y);
        graph.read(s, Some(y));
        graph.write(x);
        assert_eq!(graph.sources(r), [None, Some(x)]);
    }
    both(power());
    both(aarch64());
}

/// LB with dependencies: `r=x; y=r` ∥ `s=y; x=s`. Nothing comes out of thin air: commit-before puts a store after what
/// its value, its address, or a branch before it depends on.
#[test]
fn nothing_comes_out_of_thin_air() {
    fn waits<M: CommitModel>(mut graph: Graph<M>, on: fn(EventId) -> On) {
        let r = graph.load(T0, X, Relaxed, NOTHING);
        let y = graph.store(T0, Y, Relaxed, on(r));
        assert!(graph.is_enabled(r) && !graph.is_enabled(y));
        graph.read(r, None);
        assert!(graph.is_enabled(y));
    }
    for on in [addr, data, ctrl] {
        waits(power(), on);
        waits(aarch64(), on);
    }
}

/// MP: `x=1; f; y=1` ∥ `r=y; s=x`, r=1, where the address of the second load depends on r or not. Gives what the second
/// load may read, with the store of x.
fn message<M: CommitModel>(mut graph: Graph<M>, fence: Option<Fence>, depends: bool) -> (Vec<Option<EventId>>, EventId) {
    let x = graph.store(T0, X, Relaxed, NOTHING);
    if let Some(fence) = fence {
        graph.fence(T0, fence);
    }
    let y = graph.store(T0, Y, Relaxed, NOTHING);
    let r = graph.load(T1, Y, Relaxed, NOTHING);
    let s = graph.load(T1, X, Relaxed, if depends { addr(r) } else { NOTHING });
    graph.write(x);
    graph.write(y);
    graph.read(r, Some(y));
    (graph.sources(s), x)
}

/// Observation: irreflexive (fre; prop; hb*). `lwsync` on one side and a dependency on the other forbid it.
#[test]
fn who_observes_a_store_has_observed_what_propagates_before_it() {
    let (sources, x) = message(power(), Some(Fence::Lwsync), true);
    assert_eq!(sources, [Some(x)]);
    let (sources, x) = message(power(), Some(Fence::Lwsync), false);
    assert_eq!(sources, [None, Some(x)], "loads may overtake one another");
    let (sources, x) = message(power(), None, true);
    assert_eq!(sources, [None, Some(x)], "stores may overtake one another");
}

/// External visibility: acyclic ob. The same by `DMB ST`.
#[test]
fn ordered_before_has_no_cycle() {
    let (sources, x) = message(aarch64(), Some(Fence::DmbSt), true);
    assert_eq!(sources, [Some(x)]);
    let (sources, x) = message(aarch64(), Some(Fence::DmbSt), false);
    assert_eq!(sources, [None, Some(x)], "loads may overtake one another");
    let (sources, x) = message(aarch64(), None, true);
    assert_eq!(sources, [None, Some(x)], "stores may overtake one another");
}

/// SB: `x=1; f; r=y` ∥ `y=1; f; s=x`, r=0. Gives what the last load may read, with the store of x.
fn buffered<M: CommitModel>(mut graph: Graph<M>, fence: Option<Fence>, [stores, loads]: [Order; 2]) -> (Vec<Option<EventId>>, EventId) {
    let mut thread = |thread: ThreadId, to: LocationId, from: LocationId| {
        let store = graph.store(thread, to, stores, NOTHING);
        if let Some(fence) = fence {
            graph.fence(thread, fence);
        }
        (store, graph.load(thread, from, loads, NOTHING))
    };
    let ((x, r), (y, s)) = (thread(T0, X, Y), thread(T1, Y, X));
    graph.write(x);
    graph.read(r, None);
    graph.write(y);
    (graph.sources(s), x)
}

/// Propagation: acyclic (co ∪ prop), of which SB with `sync` is the part that `lwsync` does not forbid.
#[test]
fn a_full_barrier_waits_until_stores_are_everywhere() {
    for (fence, is_allowed) in [(Some(Fence::Sync), false), (Some(Fence::Lwsync), true), (None, true)] {
        let (sources, x) = buffered(power(), fence, [Relaxed, Relaxed]);
        assert_eq!(sources.contains(&None), is_allowed, "{fence:?}");
        assert!(sources.contains(&Some(x)));
    }
    for (fence, is_allowed) in [(Some(Fence::Dmb), false), (Some(Fence::DmbLd), true), (Some(Fence::DmbSt), true), (None, true)] {
        assert_eq!(buffered(aarch64(), fence, [Relaxed, Relaxed]).0.contains(&None), is_allowed, "{fence:?}");
    }
}

/// `LDAR` waits for the `STLR` before it, `LDAPR` does not: [L]; po; [A] is in barrier-ordered-before.
#[test]
fn a_sequentially_consistent_load_waits_for_the_releases_before_it() {
    assert!(!buffered(aarch64(), None, [SeqCst, SeqCst]).0.contains(&None));
    assert!(buffered(aarch64(), None, [Release, Acquire]).0.contains(&None));
    assert!(buffered(aarch64(), None, [SeqCst, Relaxed]).0.contains(&None));
}

/// 2+2W: `x=1; f; y=2` ∥ `y=1; f; x=2`, y=2 before y=1. Where barriers propagate the stores of a thread in order, x=2
/// is not before x=1.
#[test]
fn coherence_follows_propagation() {
    fn places<M: CommitModel>(mut graph: Graph<M>, fence: Option<Fence>) -> (Vec<Option<EventId>>, EventId) {
        let mut thread = |thread: ThreadId, first: LocationId, second: LocationId| {
            let store = graph.store(thread, first, Relaxed, NOTHING);
            if let Some(fence) = fence {
                graph.fence(thread, fence);
            }
            (store, graph.store(thread, second, Relaxed, NOTHING))
        };
        let ((x1, y2), (y1, x2)) = (thread(T0, X, Y), thread(T1, Y, X));
        for store in [x1, y2, y1] {
            graph.write(store);
        }
        (graph.places(x2), x1)
    }
    let (free, x1) = places(power(), None);
    assert_eq!(free, [None, Some(x1)]);
    let (ordered, x1) = places(power(), Some(Fence::Lwsync));
    assert_eq!(ordered, [Some(x1)]);
    let (ordered, x1) = places(aarch64(), Some(Fence::DmbSt));
    assert_eq!(ordered, [Some(x1)]);
}

/// WRC: `x=1` ∥ `r=x; y=r` ∥ `s=y; t=x`, r=s=1, the address of the last load depends on s. On POWER a store may reach
/// one thread before another; AArch64 is multi-copy atomic.
#[test]
fn a_store_that_one_thread_has_seen_all_have_seen_under_aarch64() {
    fn last<M: CommitModel>(mut graph: Graph<M>) -> bool {
        let x = graph.store(T0, X, Relaxed, NOTHING);
        let r = graph.load(T1, X, Relaxed, NOTHING);
        let y = graph.store(T1, Y, Relaxed, data(r));
        let s = graph.load(T2, Y, Relaxed, NOTHING);
        let t = graph.load(T2, X, Relaxed, addr(s));
        graph.write(x);
        graph.read(r, Some(x));
        graph.write(y);
        graph.read(s, Some(y));
        graph.sources(t).contains(&None)
    }
    assert!(last(power()));
    assert!(!last(aarch64()));
}

/// What is taken back leaves no trace.
#[test]
fn an_event_that_is_taken_back_was_never_there() {
    fn again<M: CommitModel>(mut graph: Graph<M>) {
        let (x, r) = (graph.store(T0, X, Relaxed, NOTHING), graph.load(T1, X, Relaxed, NOTHING));
        assert_eq!(graph.sources(r), [None]);
        graph.write(x);
        assert_eq!(graph.sources(r), [None, Some(x)]);
        graph.model.undo();
        assert_eq!(graph.sources(r), [None]);
        assert!(graph.is_enabled(x));
    }
    again(power());
    again(aarch64());
}
