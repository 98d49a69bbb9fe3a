//! Revisiting: exactly one execution for each graph of a program, none begun that leads nowhere.
//!
//! Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order reduction", POPL
//! 2022: events are added one by one, and a write that is added goes back and lets earlier reads read from it, where
//! that is done nowhere else. Nothing is stored besides the path. Where coherence is part of a graph, a write is added
//! at each place that it can have, and so is one that goes back. Where it is not, graphs are weak traces, and the
//! counts are those of Abdulla, Atig, Jonsson, Ngo ("Optimal stateless model checking under the release-acquire
//! semantics", OOPSLA 2018). docs/algorithms/graphs.md and weak_trace.md have the pseudocode, and say why.
//!
//! Deviations from POPL 2022: without coherence a read's *maximal* write is the canonical one of the model, a function
//! of the graph; a read-modify-write is one event; guarded events (locks) may *overtake* one another, which leaves a
//! place in the order that no event has.

mod unit;

pub use unit::GraphUnit;

use crate::{Branch, End, Graph, Left, Sink, Turn};
use raddle_event::{EventId, Offer, Position, ThreadId, Way};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The place of an event in the order of the graph. It differs from its position: a read that was revisited keeps its
/// slot, but stands behind the write that it now reads from.
type Slot = u32;

/// What the explorer knows of each event of the graph, by position.
#[derive(Clone, Copy)]
struct Known {
    way: Way,
    slot: Slot,
    /// Whether an event of an earlier slot reads from this one.
    is_read_early: bool,
    /// The write that this one is the first to read early.
    reads_early: Option<Position>,
    /// The slot of the event that this one has overtaken.
    overtook: Option<Slot>,
}

/// An event that was taken back and may be added again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    id: EventId,
    way: Way,
    slot: Slot,
    overtook: Option<Slot>,
}

/// A read that the newest write lets read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Revisit {
    slot: Slot,
    read: Position,
    /// The write takes what the read reads from, and the guard of the read does not let it read from the write: it has
    /// to wait.
    overtakes: bool,
}

/// A way to add the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Next {
    thread: ThreadId,
    way: Way,
    /// Whether reads are revisited by it: of the places of a write only with the first.
    revisits: bool,
    /// Whether it is another way than the one that must be taken.
    is_branch: bool,
}

/// What is left to do at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Frame {
    /// Ways to add the next event: those from `first` on, at a graph of `len` events.
    Ways { len: usize, first: usize },
    /// Places for a write, at a graph of `len` events: the ways from `first` on. A read then reads from it, in its old
    /// slot.
    Places { len: usize, first: usize, read: (ThreadId, Slot) },
    /// Reads that a write, added to a graph of `len` events, lets read from it: those from `first` on. What happens
    /// before the write is in the clocks from `clock` on.
    Revisits { len: usize, write: Kept, clock: usize, first: usize },
    /// The graph had more than `len` events: those from `first` on. They are put back as far as the frames below need
    /// them.
    PutBack { len: usize, first: usize },
}

impl Frame {
    /// How many events the graph has at this point.
    fn len(self) -> usize {
        match self {
            Frame::Ways { len, .. } | Frame::Places { len, .. } | Frame::Revisits { len, .. } | Frame::PutBack { len, .. } => len,
        }
    }
}

/// An exploration under way, of everything or of a [`GraphUnit`] of it.
pub struct Revisiting<'g, G> {
    graph: &'g mut G,
    sink: &'g mut dyn Sink<G>,
    /// Whether events have been added to the first graph.
    is_begun: bool,
    marks: Vec<Known>,
    /// For each slot its event; none where the event was overtaken.
    order: Vec<Option<Position>>,
    /// The events that are read early or have overtaken others, in the order in which they became so: they are thrown
    /// away only by what they happen before.
    held: Vec<Position>,
    frames: Vec<Frame>,
    ways: Vec<Next>,
    revisits: Vec<Revisit>,
    kept: Vec<Kept>,
    clocks: Vec<u32>,
    found: Vec<Offer>,
    waiting: Vec<(ThreadId, Offer)>,
    reads: Vec<Position>,
    candidates: Vec<Revisit>,
    clock: Vec<u32>,
    limits: Vec<u32>,
    renumbered: Vec<Slot>,
}

/// Explores the graphs of a program.
pub fn revisit<G: Graph>(graph: &mut G, sink: &mut dyn Sink<G>) -> ControlFlow<()> {
    let mut explorer = Revisiting::new(graph, sink);
    explorer.extend()?;
    while let Some(&frame) = explorer.frames.last() {
        explorer.go_on_from(frame)?;
    }
    ControlFlow::Continue(())
}

impl<'g, G: Graph> Revisiting<'g, G> {
    /// An exploration of everything, which has not begun.
    pub fn new(graph: &'g mut G, sink: &'g mut dyn Sink<G>) -> Self {
        Revisiting {
            graph,
            sink,
            is_begun: false,
            marks: Vec::new(),
            order: Vec::new(),
            held: Vec::new(),
            frames: Vec::new(),
            ways: Vec::new(),
            revisits: Vec::new(),
            kept: Vec::new(),
            clocks: Vec::new(),
            found: Vec::new(),
            waiting: Vec::new(),
            reads: Vec::new(),
            candidates: Vec::new(),
            clock: Vec::new(),
            limits: Vec::new(),
            renumbered: Vec::new(),
        }
    }

    /// What is left to do.
    pub fn left(&self) -> Left {
        if self.is_begun && self.frames.is_empty() { Left::Nothing } else { Left::Work }
    }

    /// Does the next thing that is left. After the sink has broken off, the exploration cannot go on.
    pub fn go_on(&mut self) -> ControlFlow<()> {
        match self.frames.last() {
            Some(&frame) => self.go_on_from(frame),
            None => {
                self.is_begun = true;
                self.extend()
            }
        }
    }

    /// Does the next thing that is left at the newest frame. A frame goes before the last thing that is left at it is
    /// done, so that no more is put back than the frames below need.
    fn go_on_from(&mut self, frame: Frame) -> ControlFlow<()> {
        match frame {
            Frame::Ways { len, first } => {
                self.rewind(len);
                let (next, is_wanted) = self.take_way(first);
                if !is_wanted {
                    return ControlFlow::Continue(());
                }
                self.visit(next)?;
                self.extend()
            }
            Frame::Places { len, first, read } => {
                self.rewind(len);
                let (Next { thread, way, .. }, is_wanted) = self.take_way(first);
                if is_wanted { self.place(thread, way, read) } else { ControlFlow::Continue(()) }
            }
            Frame::Revisits { len, first, .. } => {
                self.rewind(len);
                self.revisit_if_wanted(first, self.kept.len())
            }
            Frame::PutBack { len, first } => {
                self.rewind(len);
                self.frames.pop();
                self.put_back(first)
            }
        }
    }

    /// The next branch from the newest frame.
    fn branch(&self, is_last: bool) -> Branch {
        Branch { point: self.frames.len() as u32 - 1, turn: if is_last { Turn::Last } else { Turn::Another } }
    }

    /// The next way of the newest frame, whose ways are those from `first` on, and whether it is wanted. The frame goes
    /// with its last way.
    fn take_way(&mut self, first: usize) -> (Next, bool) {
        let next = self.ways.pop().expect("a frame has something left");
        let is_last = self.ways.len() == first;
        let branch = self.branch(is_last);
        let branch = if next.is_branch { branch } else { Branch { turn: Turn::Rest, ..branch } };
        if is_last {
            self.frames.pop();
        }
        let is_wanted = self.sink.wants(branch);
        if is_wanted {
            self.sink.turns(self.graph, branch, self.graph.accesses(next.thread));
        }
        (next, is_wanted)
    }

    /// Adds events until there is more than one way, or nothing to add.
    fn extend(&mut self) -> ControlFlow<()> {
        loop {
            self.found.clear();
            let next = if self.graph.is_over() { None } else { self.graph.next(&mut self.found) };
            let Some(thread) = next else { return self.complete() };
            if let [Offer { way, taken: None }] = self.found[..] {
                self.visit(Next { thread, way, revisits: true, is_branch: false })?;
                continue;
            }
            let first = self.ways.len();
            for at in 0..self.found.len() {
                match self.found[at] {
                    Offer { way, taken: Some(taken) } => self.stray(thread, way, taken)?,
                    Offer { way, taken: None } => {
                        let revisits = at == 0 || !matches!(way, Way::After(_));
                        self.ways.push(Next { thread, way, revisits, is_branch: self.ways.len() > first });
                    }
                }
            }
            if self.ways.len() > first + 1 {
                self.frames.push(Frame::Ways { len: self.marks.len(), first });
                return ControlFlow::Continue(());
            }
            let next = self.ways.pop().expect("there is a way to go on");
            self.visit(next)?;
        }
    }

    /// Nothing can be added. A thread that waits because others took what it could read from may overtake them.
    fn complete(&mut self) -> ControlFlow<()> {
        if self.graph.look_last() {
            self.sink.execution(self.graph, End::Maximal)?;
        }
        self.graph.rewind(self.marks.len());
        if self.graph.is_over() {
            return ControlFlow::Continue(());
        }
        self.waiting.clear();
        self.graph.waiting(&mut self.waiting);
        for at in 0..self.waiting.len() {
            let (thread, Offer { way, taken }) = self.waiting[at];
            self.stray(thread, way, taken.expect("what is not taken can be added"))?;
        }
        ControlFlow::Continue(())
    }

    /// Adds an event; the reads that it revisits get a frame.
    fn visit(&mut self, Next { thread, way, revisits, .. }: Next) -> ControlFlow<()> {
        self.add(thread, way, self.order.len() as Slot, None);
        self.sink.event()?;
        if revisits {
            self.find_revisits(None);
        }
        ControlFlow::Continue(())
    }

    /// Adds an event that reads from what another one has taken, only to find the reads that it revisits.
    fn stray(&mut self, thread: ThreadId, way: Way, taken: EventId) -> ControlFlow<()> {
        let len = self.marks.len();
        self.add(thread, way, self.order.len() as Slot, None);
        self.sink.event()?;
        // Where the other one comes before it, none is revisited without it.
        if !is_within(self.graph.clock(Position(len as u32)), taken) {
            let taken = self.marks[self.graph.position(taken).index()].slot;
            self.find_revisits(Some(taken));
        }
        self.rewind(len);
        ControlFlow::Continue(())
    }

    fn add(&mut self, thread: ThreadId, way: Way, slot: Slot, overtook: Option<Slot>) {
        let at = Position(self.marks.len() as u32);
        self.graph.add(thread, way);
        let mut reads_early = None;
        if let Way::From(Some(source)) = way {
            let source = self.graph.position(source);
            let mark = &mut self.marks[source.index()];
            if slot < mark.slot && !mark.is_read_early {
                mark.is_read_early = true;
                reads_early = Some(source);
                self.held.push(source);
            }
        }
        self.marks.push(Known { way, slot, is_read_early: false, reads_early, overtook });
        if overtook.is_some() {
            self.held.push(at);
        }
        if self.order.len() == slot as usize {
            self.order.push(Some(at));
            return;
        }
        if self.order.len() < slot as usize {
            self.order.resize(slot as usize + 1, None);
        }
        self.order[slot as usize] = Some(at);
    }

    /// Goes back to a graph of so many events.
    fn rewind(&mut self, len: usize) {
        self.graph.rewind(len);
        while self.marks.len() > len {
            let mark = self.marks.pop().expect("there are more");
            if mark.overtook.is_some() {
                self.held.pop();
            }
            if let Some(source) = mark.reads_early {
                self.marks[source.index()].is_read_early = false;
                self.held.pop();
            }
            self.order[mark.slot as usize] = None;
        }
        while self.order.last() == Some(&None) {
            self.order.pop();
        }
    }

    /// The reads that the newest event, where it is a write, lets read from it get a frame. Where it reads from what an
    /// event has taken (its slot is `taken`), that event must go.
    fn find_revisits(&mut self, taken: Option<Slot>) {
        let (write, first) = (Position(self.marks.len() as u32 - 1), self.revisits.len());
        self.find_candidates(write, taken);
        self.choose_candidates(write);
        if self.revisits.len() > first {
            let clock = self.clocks.len();
            self.clocks.extend_from_slice(self.graph.clock(write));
            self.frames.push(Frame::Revisits { len: write.index(), write: self.event(write), clock, first });
        }
    }

    /// The reads among the candidates behind which, in the order, everything that does not happen before the write is
    /// canonical, they included.
    fn choose_candidates(&mut self, write: Position) {
        let Some(last) = self.candidates.iter().map(|candidate| candidate.slot).min() else { return };
        let writer = self.graph.id(write);
        self.clock.clear();
        self.clock.extend_from_slice(self.graph.clock(write));
        self.clock[writer.thread.index()] = writer.index;
        self.limits.clear();
        self.limits.extend((0..self.clock.len()).map(|thread| self.graph.n_events(ThreadId(thread as u32))));
        self.limits[writer.thread.index()] = writer.index;
        for slot in (last..self.order.len() as Slot).rev() {
            let Some(event) = self.order[slot as usize].filter(|&event| event != write) else { continue };
            let id = self.graph.id(event);
            let thread = id.thread.index();
            self.limits[thread] = self.clock[thread].max(id.index);
            if self.clock[thread] > id.index {
                continue;
            }
            if !self.graph.is_canonical(event, &self.limits, write) {
                return;
            }
            self.revisits.extend(self.candidates.iter().find(|candidate| candidate.read == event));
        }
    }

    /// The reads of its variable that do not happen before a new write and could read from it, if all that they have
    /// behind them may be thrown away.
    fn find_candidates(&mut self, write: Position, taken: Option<Slot>) {
        self.reads.clear();
        self.candidates.clear();
        self.graph.unordered_reads(write, &mut self.reads);
        if self.reads.is_empty() {
            return;
        }
        let clock = self.graph.clock(write);
        let goes = self.held.iter().filter(|at| !is_within(clock, self.graph.id(**at)));
        let held = goes.map(|at| self.marks[at.index()].slot).max();
        for &read in &self.reads {
            let slot = self.marks[read.index()].slot;
            if held.is_some_and(|held| slot <= held) || taken.is_some_and(|taken| slot > taken) {
                continue;
            }
            let accepts = self.graph.accepts(read, write);
            if accepts || taken == Some(slot) {
                self.candidates.push(Revisit { slot, read, overtakes: !accepts });
            }
        }
    }

    /// The next read of the newest frame, whose reads are those from `first` on, is revisited or passed by. The kept
    /// events from `tail` on are those of the frame that are not in the graph.
    fn revisit_if_wanted(&mut self, first: usize, tail: usize) -> ControlFlow<()> {
        let branch = self.branch(self.revisits.len() == first + 1);
        if self.sink.wants(branch) {
            return self.revisit(tail, branch);
        }
        self.take_revisit();
        let (len, needed) = (self.marks.len(), self.frames.last().map_or(0, |frame| frame.len()));
        self.kept.truncate(tail + needed.saturating_sub(len));
        if self.kept.len() > tail {
            self.frames.push(Frame::PutBack { len, first: tail });
        }
        ControlFlow::Continue(())
    }

    /// Goes back to before the next read of the newest frame, keeps what has an earlier slot or comes before the write,
    /// and lets the read read from the write, which gets each place that it can have. The kept events from `tail` on
    /// are those of the frame that are not in the graph.
    fn revisit(&mut self, tail: usize, branch: Branch) -> ControlFlow<()> {
        let (write, Revisit { slot, read, overtakes }) = self.take_revisit();
        self.take_back(read, tail);
        let reader = self.kept[tail].id.thread;
        self.add_again(tail, slot);
        self.sink.turns(self.graph, branch, self.graph.accesses(write.id.thread));
        let needed = self.frames.last().map_or(0, |frame| frame.len());
        self.kept.truncate(tail + needed.saturating_sub(read.index()));
        if self.kept.len() > tail {
            self.frames.push(Frame::PutBack { len: read.index(), first: tail });
        }
        match write.way {
            Way::After(_) => self.place_anywhere(write.id.thread, (reader, slot)),
            way if overtakes => self.overtake(write.id.thread, way, slot),
            way => self.place(write.id.thread, way, (reader, slot)),
        }
    }

    /// Adds a write at each place that it can have, and lets a read read from it.
    fn place_anywhere(&mut self, writer: ThreadId, read: (ThreadId, Slot)) -> ControlFlow<()> {
        self.found.clear();
        self.graph.offers(writer, &mut self.found);
        if let [Offer { way, .. }] = self.found[..] {
            return self.place(writer, way, read);
        }
        let first = self.ways.len();
        let next = |(n, offer): (usize, &Offer)| Next { thread: writer, way: offer.way, revisits: false, is_branch: n > 0 };
        self.ways.extend(self.found.iter().enumerate().map(next));
        self.frames.push(Frame::Places { len: self.marks.len(), first, read });
        ControlFlow::Continue(())
    }

    /// Adds a write behind all that there is, and lets a read read from it in its old slot, if it may.
    fn place(&mut self, writer: ThreadId, way: Way, (reader, slot): (ThreadId, Slot)) -> ControlFlow<()> {
        let write = self.add_behind(writer, way, slot, None);
        if !self.graph.is_readable(reader, write) {
            return ControlFlow::Continue(());
        }
        let writer = self.graph.id(write);
        self.add(reader, Way::From(Some(writer)), slot, None);
        self.sink.event()?;
        self.find_revisits(None);
        self.extend()
    }

    /// Adds a write that takes what the event of a slot, which is not there any more, has read from.
    fn overtake(&mut self, writer: ThreadId, way: Way, slot: Slot) -> ControlFlow<()> {
        self.add_behind(writer, way, slot, Some(slot));
        self.extend()
    }

    /// Adds a write in the slot behind all others, and behind one that is empty.
    fn add_behind(&mut self, writer: ThreadId, way: Way, slot: Slot, overtook: Option<Slot>) -> Position {
        self.add(writer, way, (self.order.len() as Slot).max(slot + 1), overtook);
        Position(self.marks.len() as u32 - 1)
    }

    /// The write of the newest frame, and the next read; what happens before the write is put into `clock`. The frame
    /// goes with its last read.
    fn take_revisit(&mut self) -> (Kept, Revisit) {
        let Some(&Frame::Revisits { write, clock, first, .. }) = self.frames.last() else { unreachable!("the newest frame has reads") };
        let revisit = self.revisits.pop().expect("a frame has something left");
        self.clock.clear();
        self.clock.extend_from_slice(&self.clocks[clock..]);
        if self.revisits.len() == first {
            self.frames.pop();
            self.clocks.truncate(clock);
        }
        (write, revisit)
    }

    /// An event of the graph, as it can be added again.
    fn event(&self, at: Position) -> Kept {
        let Known { way, slot, overtook, .. } = self.marks[at.index()];
        Kept { id: self.graph.id(at), way, slot, overtook }
    }

    /// Takes back the events from a read on, and keeps them in front of those that are kept from `tail` on.
    fn take_back(&mut self, read: Position, tail: usize) {
        for at in read.index()..self.marks.len() {
            let event = self.event(Position(at as u32));
            self.kept.push(event);
        }
        self.kept[tail..].rotate_right(self.marks.len() - read.index());
        self.rewind(read.index());
    }

    /// Adds again what stays of the kept events behind the read, which is the first of them: what has an earlier slot
    /// or is within `clock`.
    fn add_again(&mut self, tail: usize, slot: Slot) {
        self.number_slots(tail, slot);
        for at in tail + 1..self.kept.len() {
            let Kept { id, way, slot: old, overtook } = self.kept[at];
            let overtook = overtook.filter(|&overtaken| overtaken < slot);
            if old < slot {
                self.add(id.thread, way, old, overtook);
            } else if is_within(&self.clock, id) {
                self.add(id.thread, way, self.renumbered[(old - slot - 1) as usize], overtook);
            }
        }
    }

    /// Numbers the slots behind a slot anew, without those whose events do not stay.
    fn number_slots(&mut self, tail: usize, slot: Slot) {
        let behind = slot as usize + 1;
        self.renumbered.clear();
        let order = self.order.get(behind..).unwrap_or_default();
        self.renumbered.extend(order.iter().map(|event| event.is_some_and(|at| is_within(&self.clock, self.graph.id(at))) as Slot));
        for kept in self.kept[tail + 1..].iter().filter(|kept| kept.slot > slot && is_within(&self.clock, kept.id)) {
            let at = kept.slot as usize - behind;
            if self.renumbered.len() <= at {
                self.renumbered.resize(at + 1, 0);
            }
            self.renumbered[at] = 1;
        }
        let mut next = slot + 1;
        for number in &mut self.renumbered {
            next += std::mem::replace(number, next);
        }
    }

    /// Puts back what the newest frame needs of the events from `first` on, and no more: to revisit a read, what lies
    /// behind it need not be in the graph.
    fn put_back(&mut self, first: usize) -> ControlFlow<()> {
        let len = self.marks.len();
        match self.frames.last().copied() {
            Some(Frame::Ways { .. } | Frame::Places { .. }) => {
                self.add_kept(first, self.kept.len());
                ControlFlow::Continue(())
            }
            Some(Frame::Revisits { first: reads, .. }) => {
                let read = self.revisits.last().expect("a frame has something left").read;
                self.add_kept(first, first + read.index().saturating_sub(len));
                self.revisit_if_wanted(reads, first)
            }
            Some(Frame::PutBack { first: below, .. }) => {
                self.frames.pop();
                let n = self.kept.len() - first;
                self.kept[below..].rotate_right(n);
                self.frames.push(Frame::PutBack { len, first: below });
                ControlFlow::Continue(())
            }
            None => unreachable!("it is put back for a frame"),
        }
    }

    fn add_kept(&mut self, from: usize, to: usize) {
        for at in from..to {
            let Kept { id, way, slot, overtook } = self.kept[at];
            self.add(id.thread, way, slot, overtook);
        }
        self.kept.drain(from..to);
    }
}

/// Whether an event is among so many of each thread.
fn is_within(clock: &[u32], id: EventId) -> bool {
    clock.get(id.thread.index()).is_some_and(|&n| n > id.index)
}
