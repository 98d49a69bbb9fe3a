//! Units of work: explorations of graphs, or parts of them, as plain values that can be written down, sent and gone on
//! with elsewhere.
//!
//! A unit is a graph, with what the explorer remembers of each event, and the frames that are left. What is left at one
//! frame has nothing to do with what is left at another, so any of it can be [given away](Revisiting::give_away), and
//! nothing comes back but what is found.

use super::{Frame, Kept, Next, Revisit, Revisiting};
use crate::{Branch, Graph, Misfit, Sink, Turn, Turned};
use raddle_event::Position;
use serde::{Deserialize, Serialize};

/// A branch from the oldest frame.
const OLDEST: Branch = Branch { point: 0, turn: Turn::Another };

/// A unit of work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphUnit {
    /// The graph, in the order in which its events were added.
    events: Vec<Kept>,
    is_begun: bool,
    frames: Vec<Frame>,
    ways: Vec<Next>,
    revisits: Vec<Revisit>,
    kept: Vec<Kept>,
    clocks: Vec<u32>,
    /// The branches on the way to the oldest frame, and from there to where it goes on.
    path: Vec<Turned>,
}

impl GraphUnit {
    /// Whether its parts fit together.
    fn is_sound(&self) -> bool {
        let (mut ways, mut revisits, mut clocks) = (0, 0, 0);
        self.frames.iter().all(|frame| match *frame {
            Frame::Ways { first, .. } | Frame::Places { first, .. } => {
                std::mem::replace(&mut ways, first + 1) <= first && first < self.ways.len()
            }
            Frame::Revisits { first, clock, .. } => {
                let is_next = std::mem::replace(&mut revisits, first + 1) <= first && std::mem::replace(&mut clocks, clock) <= clock;
                is_next && first < self.revisits.len() && clock <= self.clocks.len()
            }
            Frame::PutBack { first, .. } => first <= self.kept.len(),
        })
    }
}

impl<'g, G: Graph> Revisiting<'g, G> {
    fn events(&self) -> Vec<Kept> {
        (0..self.marks.len() as u32).map(|at| self.event(Position(at))).collect()
    }

    /// What is left of the exploration, to be gone on with elsewhere.
    pub fn write_down(&self) -> GraphUnit {
        GraphUnit {
            events: self.events(),
            is_begun: self.is_begun,
            frames: self.frames.clone(),
            ways: self.ways.clone(),
            revisits: self.revisits.clone(),
            kept: self.kept.clone(),
            clocks: self.clocks.clone(),
            path: self.sink.path(u32::MAX),
        }
    }

    /// Goes on with a unit, on an empty graph.
    pub fn read(graph: &'g mut G, sink: &'g mut dyn Sink<G>, unit: GraphUnit) -> Result<Self, Misfit> {
        if !unit.is_sound() {
            return Err(Misfit);
        }
        let GraphUnit { events, is_begun, frames, ways, revisits, kept, clocks, path } = unit;
        sink.follow(&path);
        let mut explorer = Revisiting { is_begun, frames, ways, revisits, kept, clocks, ..Revisiting::new(graph, sink) };
        for Kept { id, way, slot, overtook } in events {
            if !explorer.graph.can_add(id.thread, way) || id.index != explorer.graph.n_events(id.thread) {
                return Err(Misfit);
            }
            explorer.add(id.thread, way, slot, overtook);
        }
        Ok(explorer)
    }

    /// Gives away one of the things that are left at the oldest frame, if that is not all that is left.
    pub fn give_away(&mut self) -> Option<GraphUnit> {
        let oldest = *self.frames.first()?;
        let (n, mut unit) = self.part(oldest);
        if n == 1 && self.frames.len() == 1 {
            return None;
        }
        (unit.frames, unit.kept) = self.put_back_for(unit.frames[0]);
        for frame in &mut self.frames[1..] {
            match (oldest, frame) {
                (Frame::Ways { .. } | Frame::Places { .. }, Frame::Ways { first, .. } | Frame::Places { first, .. })
                | (Frame::Revisits { .. }, Frame::Revisits { first, .. }) => *first -= 1,
                _ => {}
            }
        }
        match oldest {
            Frame::Ways { first, .. } | Frame::Places { first, .. } => drop(self.ways.remove(first)),
            Frame::Revisits { first, .. } => drop(self.revisits.remove(first)),
            Frame::PutBack { .. } => {}
        }
        if n == 1 {
            let is_unneeded = |frame: &&Frame| matches!(frame, Frame::PutBack { .. });
            let n = 1 + self.frames[1..].iter().take_while(is_unneeded).count();
            self.frames.drain(..n);
            self.sink.renumber(n as u32);
        }
        Some(unit)
    }

    /// How much is left at the oldest frame, and a unit of one of these things.
    fn part(&self, oldest: Frame) -> (usize, GraphUnit) {
        let mut unit =
            GraphUnit { events: self.events(), is_begun: true, path: self.sink.path(OLDEST.ends_from()), ..GraphUnit::default() };
        let newer = &self.frames[1..];
        let next_ways = || newer.iter().find_map(|frame| frame.ways()).unwrap_or(self.ways.len());
        match oldest {
            Frame::Ways { len, first } => {
                unit.ways.push(self.ways[first]);
                unit.frames.push(Frame::Ways { len, first: 0 });
                (next_ways() - first, unit)
            }
            Frame::Places { len, first, read } => {
                unit.ways.push(self.ways[first]);
                unit.frames.push(Frame::Places { len, first: 0, read });
                (next_ways() - first, unit)
            }
            Frame::Revisits { len, write, clock, first } => {
                let next = |frame: &Frame| if let Frame::Revisits { first, clock, .. } = frame { Some((*first, *clock)) } else { None };
                let (end, clocks) = newer.iter().find_map(next).unwrap_or((self.revisits.len(), self.clocks.len()));
                unit.revisits.push(self.revisits[first]);
                unit.clocks.extend_from_slice(&self.clocks[clock..clocks]);
                unit.frames.push(Frame::Revisits { len, write, clock: 0, first: 0 });
                (end - first, unit)
            }
            Frame::PutBack { .. } => unreachable!("something is put back for an older frame"),
        }
    }

    /// The oldest frame with what has to be put back for it alone, and the events of that.
    fn put_back_for(&self, oldest: Frame) -> (Vec<Frame>, Vec<Kept>) {
        let (mut frames, mut kept, mut needed) = (vec![oldest], Vec::new(), oldest.len());
        let all =
            self.frames.iter().filter_map(|frame| if let Frame::PutBack { len, first } = frame { Some((*len, *first)) } else { None });
        for (len, from) in all {
            if len < needed {
                frames.push(Frame::PutBack { len, first: kept.len() });
                kept.extend_from_slice(&self.kept[from..from + needed - len]);
                needed = len;
            }
        }
        (frames, kept)
    }
}

impl Frame {
    /// Where its ways begin, if it has some.
    fn ways(&self) -> Option<usize> {
        match *self {
            Frame::Ways { first, .. } | Frame::Places { first, .. } => Some(first),
            Frame::Revisits { .. } | Frame::PutBack { .. } => None,
        }
    }
}
