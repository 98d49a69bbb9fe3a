//! Whether po ∪ rf ∪ co has a cycle among some of the events of a graph. RC11 allows that where accesses are relaxed,
//! or where only accesses to two variables could tell.

use super::{Axioms, Coherent};
use crate::graphs::VariableId;
use raddle_event::Position;
use std::collections::BTreeMap;

impl<A: Axioms> Coherent<A> {
    /// Whether the writes among so many events of each thread can be put into one order that has po ∪ rf and co: again
    /// and again the first ones go that no other one comes before.
    pub(super) fn has_one_order(&self, limits: &[u32]) -> bool {
        let within = |write: &Position| self.skeleton.is_among(*write, limits);
        let variables = (0..self.n_variables()).map(|n| self.writes(VariableId(n as u32)));
        let chains: Vec<Vec<Position>> = variables.map(|writes| writes.iter().copied().filter(within).collect()).collect();
        let mut gone = vec![0; chains.len()];
        // How many events of each thread have no write left that has not gone.
        let mut threads: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for id in chains.iter().flatten().map(|&write| self.skeleton.id(write)) {
            threads.entry(id.thread.index()).or_default().push(id.index);
        }
        threads.values_mut().for_each(|own| own.sort_unstable_by(|a, b| b.cmp(a)));
        loop {
            let mut has_gone = false;
            for (chain, gone) in chains.iter().zip(&mut gone) {
                while let Some(&write) = chain.get(*gone) {
                    let (id, clock) = (self.skeleton.id(write), self.skeleton.clock(write));
                    let is_first = |(&thread, own): (&usize, &Vec<u32>)| {
                        own.last().is_none_or(|&index| index >= clock[thread] || (thread == id.thread.index() && index == id.index))
                    };
                    if !threads.iter().all(is_first) {
                        break;
                    }
                    threads.get_mut(&id.thread.index()).expect("it is a write of its thread").pop();
                    *gone += 1;
                    has_gone = true;
                }
            }
            if threads.values().all(Vec::is_empty) {
                return true;
            }
            if !has_gone {
                return false;
            }
        }
    }
}
