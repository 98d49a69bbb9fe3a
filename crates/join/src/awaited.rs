//! Loops that wait, where memory is run by schedules: whom a value would lead round its loop, and what a look that was
//! waited for is ordered with (docs/awaits.md).

use crate::schedules::Scheduled;
use raddle_event::{Action, Footprint, LocationId, Locations, Position, Reply, Taken, ThreadId, Value, Who};
use raddle_explore::System;
use raddle_machine::{Ahead, Doubt, HistoryId, Kind, Lead, LiesThere};
use raddle_memory::buffered::Memory;
use std::ops::ControlFlow;

/// What a thread finds in memory.
struct InMemory<'m> {
    memory: &'m Memory,
    locations: &'m Locations,
    thread: ThreadId,
}

impl LiesThere for InMemory<'_> {
    fn now(&self, at: LocationId) -> Option<Value> {
        self.memory.glimpse(self.thread, at, self.locations)
    }

    fn at_first(&self, at: LocationId) -> Option<Value> {
        self.memory.first_word(at).map(Value::Word).or_else(|| self.now(at))
    }
}

impl Scheduled<'_> {
    fn found_by(&self, thread: ThreadId) -> InMemory<'_> {
        InMemory { memory: &self.memory, locations: self.machine.locations(), thread }
    }

    /// Finds out of each thread that may wait for a value whether it does.
    #[inline(always)]
    pub(crate) fn look_ahead(&mut self) {
        if self.machine.has_awaits() {
            self.look_ahead_each();
        }
    }

    #[inline(never)]
    pub(crate) fn look_ahead_each(&mut self) {
        self.settle_doubts();
        for number in 0..self.machine.n_threads() {
            let (thread, Ahead { kind, at }) = (ThreadId(number as u32), self.machine.aheads()[number]);
            if kind != Kind::Awaits {
                continue;
            }
            if !self.machine.is_of_one_size(at) {
                self.machine.forget_await(thread);
            } else if let Some(found) = self.memory.glimpse(thread, at, self.machine.locations()) {
                self.is_in_vain(thread, &found);
            }
        }
        self.look_for_contradiction();
    }

    /// Finds out of looks before the last one of a round whether they wait too.
    fn settle_doubts(&mut self) {
        while let Some(Doubt { thread, moment, found }) = self.machine.next_doubt() {
            loop {
                match self.machine.lead_if_lost(moment, thread, &found, &self.found_by(thread)) {
                    Lead::Round(..) => break self.machine.settle_doubt(moment),
                    Lead::On => break,
                    Lead::Unknown(from, reply) => {
                        self.machine.look_on(thread, from, reply);
                        self.learn();
                    }
                }
            }
        }
    }

    /// Where a value would lead a thread that may wait for one.
    pub(crate) fn lead(&self, thread: ThreadId, found: &Value) -> Lead {
        self.machine.lead(thread, found, self.found_by(thread))
    }

    /// Finds out whether a value would lead a thread, which may wait for one, round its loop.
    pub(crate) fn is_in_vain(&mut self, thread: ThreadId, found: &Value) -> bool {
        loop {
            match self.lead(thread, found) {
                Lead::Round(end, n_actions) => {
                    self.machine.assume_round(thread, end, n_actions);
                    return true;
                }
                Lead::On => return false,
                Lead::Unknown(from, reply) => {
                    self.machine.look_on(thread, from, reply);
                    self.learn();
                }
            }
        }
    }

    /// The round through which what a thread would find, if it looked now, would lead it in vain: where it ends.
    pub(crate) fn round_in_vain(&self, thread: ThreadId) -> Option<(HistoryId, u32)> {
        let Ahead { at, .. } = Some(self.machine.ahead(thread)).filter(|ahead| ahead.kind == Kind::Awaits)?;
        let found = self.memory.glimpse(thread, at, self.machine.locations())?;
        match self.lead(thread, &found) {
            Lead::Round(end, n_more) => Some((end, n_more)),
            Lead::On => None,
            Lead::Unknown(..) => {
                debug_assert!(self.core.stop.is_some(), "it was looked ahead");
                None
            }
        }
    }

    /// What a thread that is about to look at a value it may wait for is ordered with: the write that has enabled it,
    /// and the one that it can overtake.
    #[inline(never)]
    pub(crate) fn await_order(&mut self, thread: ThreadId, at: LocationId) -> Option<(Position, Option<Position>)> {
        let words = self.words_before(thread, at);
        self.memory.await_order(thread, at, |word| words.contains(&(word, true)))
    }

    /// The words that a thread, which may wait for one, could have found at a location before those that others wrote
    /// last, and whether each would lead it on.
    pub(crate) fn words_before(&mut self, thread: ThreadId, at: LocationId) -> Vec<(u64, bool)> {
        let mut words: Vec<(u64, bool)> = self.memory.words_before(thread, at).map(|word| (word, false)).collect();
        for (word, goes_on) in &mut words {
            *goes_on = !self.is_in_vain(thread, &Value::Word(*word));
            if *goes_on {
                break;
            }
        }
        words
    }

    /// Where nothing can happen any more: the threads that wait for values look at them in vain, so that one sees on
    /// what they wait.
    pub(crate) fn last_looks(&self) -> impl Iterator<Item = (Who, u32)> + '_ {
        let is_over = self.core.is_over() || self.enabled(None, |_, _| ControlFlow::Break(())).is_break();
        let threads = self.machine.threads().filter(move |_| !is_over);
        threads.flat_map(|thread| std::iter::repeat_n((Who::Thread(thread), 0), self.n_steps_in_vain(thread)))
    }

    /// How many steps a thread that waits for a value would take from its look at it to the end of the round.
    pub(crate) fn n_steps_in_vain(&self, thread: ThreadId) -> usize {
        let Some((end, n_more)) = self.round_in_vain(thread) else { return 0 };
        let is_step = |(action, _): &(&Action, &Reply)| !matches!(action, Action::Fence(_));
        1 + self.machine.actions_before(end, n_more).into_iter().filter(is_step).count()
    }

    /// What a thread that waits for a value could overtake if it came first.
    pub(crate) fn waiting_for_value(&mut self, thread: ThreadId) -> Option<(Footprint, Taken)> {
        self.round_in_vain(thread)?;
        let words = self.words_before(thread, self.machine.ahead(thread).at);
        self.memory.waiting_for(thread, self.machine.action(thread)?, |word| words.contains(&(word, true)))
    }
}
