//! Samples of graphs that grow: any thread that can go on adds its next event, in any of the ways that the model
//! allows.

use super::{Chooser, Sampling, draw};
use crate::{End, Graph, Sink};
use raddle_event::{Offer, ThreadId, Way};
use std::ops::ControlFlow;

/// Draws graphs.
pub fn sample_graphs<G: Graph>(graph: &mut G, sampling: &Sampling, sink: &mut dyn Sink<G>) {
    let mut walk = Walk::default();
    draw(sampling, |chooser| walk.go(graph, chooser, sink));
}

/// What a walk needs at each event: the threads that can go on, and the ways of each.
#[derive(Default)]
struct Walk {
    threads: Vec<u32>,
    ways: Vec<Vec<Way>>,
    offers: Vec<Offer>,
}

impl Walk {
    /// One graph, from its first event to its last, and back.
    fn go<G: Graph>(&mut self, graph: &mut G, chooser: &mut Chooser, sink: &mut dyn Sink<G>) -> ControlFlow<()> {
        while let Some((thread, way)) = self.next(graph, chooser) {
            graph.add(thread, way);
            sink.event()?;
        }
        if graph.look_last() {
            sink.execution(graph, End::Maximal)?;
        }
        graph.rewind(0);
        ControlFlow::Continue(())
    }

    fn next<G: Graph>(&mut self, graph: &mut G, chooser: &mut Chooser) -> Option<(ThreadId, Way)> {
        self.threads.clear();
        if graph.is_over() {
            return None;
        }
        for n in 0..graph.n_threads() as u32 {
            self.look_at(graph, n);
        }
        if self.threads.is_empty() || graph.is_over() {
            return None;
        }
        let at = chooser.choose(&self.threads);
        let ways = &self.ways[at];
        Some((ThreadId(self.threads[at]), ways[chooser.any(ways.len())]))
    }

    /// Notes a thread with its ways, where it can go on.
    fn look_at<G: Graph>(&mut self, graph: &mut G, thread: u32) {
        self.offers.clear();
        graph.offers(ThreadId(thread), &mut self.offers);
        if self.ways.len() == self.threads.len() {
            self.ways.push(Vec::new());
        }
        let ways = &mut self.ways[self.threads.len()];
        ways.clear();
        ways.extend(self.offers.iter().filter(|offer| offer.taken.is_none()).map(|offer| offer.way));
        if !ways.is_empty() {
            self.threads.push(thread);
        }
    }
}
