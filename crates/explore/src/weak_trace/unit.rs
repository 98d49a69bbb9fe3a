//! Units of work: explorations of graphs, or parts of them, as plain values that can be written down, sent and gone on with elsewhere.
//!
//! A unit is a graph, with what the explorer remembers of each event, and the frames that are left. What is left at one frame has nothing to do with what is left at
//! another, so any of it can be [given away](WeakTrace::give_away), and nothing comes back but what is found.

use super::{Frame, Kept, Revisit, WeakTrace};
use crate::{Graph, Misfit, Sink};
use raddle_event::{Position, ThreadId, Way};
use serde::{Deserialize, Serialize};

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphUnit {
    /// The graph, in the order in which its events were added.
    events: Vec<Kept>,
    is_begun: bool,
    frames: Vec<Frame>,
    ways: Vec<(ThreadId, Way)>,
    revisits: Vec<Revisit>,
    kept: Vec<Kept>,
    clocks: Vec<u32>,
}

impl GraphUnit {
    /// Whether its parts fit together.
    fn is_sound(&self) -> bool {
        let (mut ways, mut revisits, mut clocks) = (0, 0, 0);
        self.frames.iter().all(|frame| match *frame {
            Frame::Ways { first, .. } => std::mem::replace(&mut ways, first + 1) <= first && first < self.ways.len(),
            Frame::Revisits { first, clock, .. } => {
                let is_next = std::mem::replace(&mut revisits, first + 1) <= first && std::mem::replace(&mut clocks, clock) <= clock;
                is_next && first < self.revisits.len() && clock <= self.clocks.len()
            }
            Frame::PutBack { first, .. } => first <= self.kept.len(),
        })
    }
}

impl<'g, G: Graph, S: Sink<G>> WeakTrace<'g, G, S> {
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
        }
    }

    /// Goes on with a unit, on an empty graph.
    pub fn read(graph: &'g mut G, sink: &'g mut S, unit: GraphUnit) -> Result<Self, Misfit> {
        if !unit.is_sound() {
            return Err(Misfit);
        }
        let GraphUnit { events, is_begun, frames, ways, revisits, kept, clocks } = unit;
        let mut explorer = WeakTrace { is_begun, frames, ways, revisits, kept, clocks, ..WeakTrace::new(graph, sink) };
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
        // The graph at the oldest frame may have to be put back.
        let put_back = |frame: &&Frame| matches!(frame, Frame::PutBack { .. });
        let newer: Vec<Frame> = self.frames[1..].iter().filter(put_back).copied().collect();
        let unit = |frame, ways, revisits, clocks| GraphUnit {
            events: self.events(),
            is_begun: true,
            frames: std::iter::once(frame).chain(newer).collect(),
            ways,
            revisits,
            kept: self.kept.clone(),
            clocks,
        };
        let (unit, is_last) = match oldest {
            Frame::Ways { len, first } => {
                let end = self.frames[1..].iter().find_map(|frame| if let Frame::Ways { first, .. } = frame { Some(*first) } else { None });
                let n = end.unwrap_or(self.ways.len()) - first;
                if n == 1 && self.frames.len() == 1 {
                    return None;
                }
                let unit = unit(Frame::Ways { len, first: 0 }, vec![self.ways[first]], Vec::new(), Vec::new());
                self.ways.remove(first);
                self.frames[1..].iter_mut().for_each(|frame| {
                    if let Frame::Ways { first, .. } = frame {
                        *first -= 1
                    }
                });
                (unit, n == 1)
            }
            Frame::Revisits { len, write, clock, first } => {
                let next = |frame: &Frame| if let Frame::Revisits { first, clock, .. } = frame { Some((*first, *clock)) } else { None };
                let (end, clocks) = self.frames[1..].iter().find_map(next).unwrap_or((self.revisits.len(), self.clocks.len()));
                if end - first == 1 && self.frames.len() == 1 {
                    return None;
                }
                let clocks = self.clocks[clock..clocks].to_vec();
                let unit = unit(Frame::Revisits { len, write, clock: 0, first: 0 }, Vec::new(), vec![self.revisits[first]], clocks);
                self.revisits.remove(first);
                self.frames[1..].iter_mut().for_each(|frame| {
                    if let Frame::Revisits { first, .. } = frame {
                        *first -= 1
                    }
                });
                (unit, end - first == 1)
            }
            Frame::PutBack { .. } => unreachable!("something is put back for an older frame"),
        };
        if is_last {
            let n = 1 + self.frames[1..].iter().take_while(put_back).count();
            self.frames.drain(..n);
        }
        Some(unit)
    }
}
