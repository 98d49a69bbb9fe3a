//! Weak-trace DPOR: exactly one execution for each graph of program order and reads-from.
//!
//! The counts are those of Abdulla, Atig, Jonsson, Ngo ("Optimal stateless model checking under the release-acquire semantics", OOPSLA 2018). The way there is another one: instead of
//! schedules that are kept with each read, a write that is added goes back and lets earlier reads read from it, where that is
//! done nowhere else (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order reduction", POPL 2022), over graphs without
//! coherence. docs/algorithms/weak_trace.md says why, and has the pseudocode.
//!
//! Deviations from POPL 2022: a read's *maximal* write is the canonical one of the model, a function of the graph, since there is no coherence order to be maximal in; a read-modify-write is
//! one event; guarded events (locks) may *overtake* one another, which leaves a place in the order that no event has.

use crate::graph::{Graph, GraphSink};
use raddle_event::{Offer, Position, ThreadId, Way};
use std::ops::ControlFlow;

/// The place of an event in the order of the graph. It differs from its position: a read that was revisited keeps its slot, but
/// stands behind the write that it now reads from.
type Slot = u32;

/// What the explorer knows of each event of the graph, by position.
#[derive(Clone, Copy)]
struct Mark {
    way: Way,
    slot: Slot,
    /// Whether an event of an earlier slot reads from this one.
    is_read_early: bool,
    /// The write that this one is the first to read early.
    reads_early: Option<Position>,
    /// The slot of the event that this one has overtaken.
    overtook: Option<Slot>,
}

/// An event that was taken back and will be added again.
#[derive(Clone, Copy)]
struct Kept {
    thread: ThreadId,
    way: Way,
    slot: Slot,
    overtook: Option<Slot>,
}

/// A read that the newest write lets read from it.
#[derive(Clone, Copy)]
struct Revisit {
    slot: Slot,
    /// The write takes what the read reads from, and the guard of the read does not let it read from the write: it has to wait.
    overtakes: bool,
}

/// What is left to do at some point.
#[derive(Clone, Copy)]
enum Frame {
    /// Ways to add the next event: the offers from `first` on, at a graph of `len` events.
    Ways { len: usize, first: usize },
    /// Reads to revisit: those from `first` on, at a graph of `len` events whose newest one is the write.
    Revisits { len: usize, write: Position, first: usize },
    /// The events from `first` on are to be put back onto a graph of `len` events, as far as the frames below need them.
    PutBack { len: usize, first: usize },
}

struct Explorer<'g, G, S> {
    graph: &'g mut G,
    sink: &'g mut S,
    marks: Vec<Mark>,
    /// For each slot its event; none where the event was overtaken.
    order: Vec<Option<Position>>,
    frames: Vec<Frame>,
    offers: Vec<(ThreadId, Offer)>,
    revisits: Vec<Revisit>,
    kept: Vec<Kept>,
    found: Vec<Offer>,
    again: Vec<Kept>,
    reads: Vec<Position>,
    clock: Vec<u32>,
    limits: Vec<u32>,
    renumbered: Vec<Slot>,
}

/// Explores the graphs of a program.
pub fn weak_trace<G: Graph>(graph: &mut G, sink: &mut impl GraphSink<G>) -> ControlFlow<()> {
    let mut explorer = Explorer {
        graph,
        sink,
        marks: Vec::new(),
        order: Vec::new(),
        frames: Vec::new(),
        offers: Vec::new(),
        revisits: Vec::new(),
        kept: Vec::new(),
        found: Vec::new(),
        again: Vec::new(),
        reads: Vec::new(),
        clock: Vec::new(),
        limits: Vec::new(),
        renumbered: Vec::new(),
    };
    explorer.extend()?;
    while let Some(&frame) = explorer.frames.last() {
        explorer.go_on(frame)?;
    }
    ControlFlow::Continue(())
}

impl<G: Graph, S: GraphSink<G>> Explorer<'_, G, S> {
    /// Does the next thing that is left at the newest frame. A frame goes before the last thing that is left at it is done, so that no more is put back
    /// than the frames below need.
    fn go_on(&mut self, frame: Frame) -> ControlFlow<()> {
        match frame {
            Frame::Ways { len, first } => {
                self.rewind(len);
                let (thread, offer) = self.offers.pop().expect("a frame has something left");
                if self.offers.len() == first {
                    self.frames.pop();
                }
                match self.visit(thread, offer)? {
                    true => self.extend(),
                    false => ControlFlow::Continue(()),
                }
            }
            Frame::Revisits { len, write, first } => {
                self.rewind(len);
                let revisit = self.revisits.pop().expect("a frame has something left");
                if self.revisits.len() == first {
                    self.frames.pop();
                }
                self.revisit(write, revisit)
            }
            Frame::PutBack { len, first } => {
                self.rewind(len);
                self.frames.pop();
                self.put_back(first);
                ControlFlow::Continue(())
            }
        }
    }

    /// Adds events until there is more than one way, or nothing to add.
    fn extend(&mut self) -> ControlFlow<()> {
        loop {
            let next = if self.graph.is_over() { None } else { self.next() };
            let Some(thread) = next else { return self.complete() };
            if let [offer] = self.found[..] {
                if !self.visit(thread, offer)? {
                    return ControlFlow::Continue(());
                }
                continue;
            }
            self.frames.push(Frame::Ways { len: self.marks.len(), first: self.offers.len() });
            self.offers.extend(self.found.iter().map(|&offer| (thread, offer)));
            return ControlFlow::Continue(());
        }
    }

    fn next(&mut self) -> Option<ThreadId> {
        self.found.clear();
        self.graph.next(&mut self.found)
    }

    /// Nothing can be added. A thread that waits because others took what it could read from may overtake them.
    fn complete(&mut self) -> ControlFlow<()> {
        self.sink.execution(self.graph)?;
        if !self.graph.is_over() {
            let first = self.offers.len();
            self.graph.waiting(&mut self.offers);
            if self.offers.len() > first {
                self.frames.push(Frame::Ways { len: self.marks.len(), first });
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds an event; the reads that it revisits get a frame. Tells whether to go on from there.
    fn visit(&mut self, thread: ThreadId, offer: Offer) -> ControlFlow<(), bool> {
        self.add(Kept { thread, way: offer.way, slot: self.order.len() as Slot, overtook: None });
        self.sink.event()?;
        let write = Position(self.marks.len() as u32 - 1);
        let taken = offer.taken.map(|id| self.marks[self.graph.position(id).index()].slot);
        let first = self.revisits.len();
        self.find_revisits(write, taken);
        if self.revisits.len() > first {
            self.frames.push(Frame::Revisits { len: self.marks.len(), write, first });
        }
        ControlFlow::Continue(taken.is_none())
    }

    fn add(&mut self, Kept { thread, way, slot, overtook }: Kept) {
        let at = Position(self.marks.len() as u32);
        self.graph.add(thread, way);
        let mut reads_early = None;
        if let Way::From(Some(source)) = way {
            let source = self.graph.position(source);
            let mark = &mut self.marks[source.index()];
            if slot < mark.slot && !mark.is_read_early {
                mark.is_read_early = true;
                reads_early = Some(source);
            }
        }
        self.marks.push(Mark { way, slot, is_read_early: false, reads_early, overtook });
        if self.order.len() <= slot as usize {
            self.order.resize(slot as usize + 1, None);
        }
        self.order[slot as usize] = Some(at);
    }

    /// Goes back to a graph of so many events.
    fn rewind(&mut self, len: usize) {
        while self.marks.len() > len {
            let mark = self.marks.pop().expect("there are more");
            self.graph.undo();
            if let Some(source) = mark.reads_early {
                self.marks[source.index()].is_read_early = false;
            }
            self.order[mark.slot as usize] = None;
        }
        while self.order.last() == Some(&None) {
            self.order.pop();
        }
    }

    /// Finds the reads that a new write lets read from it: those of its variable that do not happen before it, as long as everything behind them in the order that does
    /// not happen before the write is canonical, they included. Where the write reads from what an event has taken (its slot is `taken`), that event must go.
    fn find_revisits(&mut self, write: Position, taken: Option<Slot>) {
        self.reads.clear();
        self.graph.unordered_reads(write, &mut self.reads);
        let Some(last) = self.reads.iter().map(|read| self.marks[read.index()].slot).min() else { return };
        let writer = self.graph.id(write);
        self.clock.clear();
        self.clock.extend_from_slice(self.graph.clock(write));
        self.clock[writer.thread.index()] = writer.index;
        self.limits.clear();
        self.limits.extend((0..self.clock.len()).map(|thread| self.graph.n_events(ThreadId(thread as u32))));
        self.limits[writer.thread.index()] = writer.index;
        for slot in (last as usize..self.order.len()).rev() {
            let Some(event) = self.order[slot].filter(|&event| event != write) else { continue };
            let (id, mark) = (self.graph.id(event), self.marks[event.index()]);
            let thread = id.thread.index();
            self.limits[thread] = self.clock[thread].max(id.index);
            if self.clock[thread] > id.index {
                continue;
            }
            if mark.is_read_early || mark.overtook.is_some() || !self.graph.is_canonical(event, &self.limits, write) {
                return;
            }
            if self.reads.contains(&event) && taken.is_none_or(|taken| slot as Slot <= taken) {
                let (slot, accepts) = (slot as Slot, self.graph.accepts(event, write));
                if accepts || taken == Some(slot) {
                    self.revisits.push(Revisit { slot, overtakes: !accepts });
                }
            }
        }
    }

    /// Goes back to before the read of a slot, keeps what has earlier slots or happens before the write, and lets the read read from the write.
    fn revisit(&mut self, write: Position, Revisit { slot, overtakes }: Revisit) -> ControlFlow<()> {
        let read = self.order[slot as usize].expect("a read that is revisited is there");
        let (len, first, reader) = (read.index(), self.kept.len(), self.graph.id(read).thread);
        let writer = self.graph.id(write);
        self.find_kept(read, write, slot);
        for at in len..self.marks.len() {
            let (mark, id) = (self.marks[at], self.graph.id(Position(at as u32)));
            self.kept.push(Kept { thread: id.thread, way: mark.way, slot: mark.slot, overtook: mark.overtook });
        }
        self.frames.push(Frame::PutBack { len, first });
        self.rewind(len);
        for at in 0..self.again.len() {
            self.add(self.again[at]);
        }
        let write = self.graph.position(writer);
        if overtakes {
            self.marks[write.index()].overtook = Some(slot);
            return self.extend();
        }
        if !self.graph.is_readable(reader, write) {
            return ControlFlow::Continue(());
        }
        self.add(Kept { thread: reader, way: Way::From(Some(writer)), slot, overtook: None });
        self.sink.event()?;
        let (read, first) = (Position(self.marks.len() as u32 - 1), self.revisits.len());
        self.find_revisits(read, None);
        if self.revisits.len() > first {
            self.frames.push(Frame::Revisits { len: self.marks.len(), write: read, first });
        }
        self.extend()
    }

    /// Puts into `again` what stays when a write revisits a read, with its new slots.
    fn find_kept(&mut self, read: Position, write: Position, slot: Slot) {
        self.again.clear();
        self.renumbered.clear();
        let clock = self.graph.clock(write);
        let stays = |at: Position| {
            let id = self.graph.id(at);
            clock[id.thread.index()] > id.index
        };
        let mut next = slot + 1;
        for event in &self.order[slot as usize + 1..] {
            self.renumbered.push(next);
            next += event.is_some_and(stays) as Slot;
        }
        for at in (read.0 + 1..self.marks.len() as u32).map(Position) {
            let (mark, id) = (self.marks[at.index()], self.graph.id(at));
            let is_earlier = mark.slot < slot;
            if is_earlier || stays(at) {
                let new = if is_earlier { mark.slot } else { self.renumbered[(mark.slot - slot - 1) as usize] };
                let overtook = mark.overtook.filter(|&overtaken| overtaken < slot);
                self.again.push(Kept { thread: id.thread, way: mark.way, slot: new, overtook });
            }
        }
    }

    /// Adds again what was taken back, as far as the newest frame needs it.
    fn put_back(&mut self, first: usize) {
        let needed = match self.frames.last() {
            Some(Frame::Ways { len, .. } | Frame::Revisits { len, .. } | Frame::PutBack { len, .. }) => *len,
            None => 0,
        };
        for at in first..self.kept.len() {
            if self.marks.len() >= needed {
                break;
            }
            self.add(self.kept[at]);
        }
        self.kept.truncate(first);
    }
}
