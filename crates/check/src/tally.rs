//! Looks at every execution, whichever explorer ran it and however it ended, counts it, keeps its faults, and
//! concludes.
//!
//! What happened before an execution stopped has happened: races, a lack of robustness and wrong accesses are looked
//! for in executions that wait for ever, fail an assumption, are cut, or reach what cannot be run, as in those that are
//! complete. A fault that was found stays found, whatever comes later.

use crate::alarm::Alarm;
use crate::board::Shares;
use crate::outcome::{Branched, Count, Limit, Outcome, Verdict};
use crate::plan::Plan;
use crate::search::{Each, Options};
use raddle_event::{FaultKind, LocationId, ThreadId};
use raddle_explore::{Branch, Branching, Concern, End, Turned};
use raddle_join::{Conclusion, Ending, Stop};
use raddle_judge::Model as JudgedBy;
use raddle_machine::{Blocked, FaultAt, Found, Limits, MOST_OPEN_ROUNDS, Moment, OPEN_VALUES, Witness};
use raddle_program::Program;
use raddle_story::{Unrunnable, not_robust, race};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a worker has counted and found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counted {
    count: Count,
    found: Vec<Found>,
    limits: Vec<Limit>,
    stop: Option<Stop>,
    statuses: BTreeMap<i32, u64>,
    /// The statuses of executions that are only supposed.
    supposed: BTreeSet<i32>,
    /// How many executions come from each concern.
    branched: BTreeMap<Concern, u64>,
}

impl Counted {
    /// Nothing was counted, since something is wrong with Raddle.
    pub(crate) fn failed(what: String) -> Counted {
        Counted { stop: Some(Stop::Failed { what }), ..Counted::default() }
    }

    /// How many executions and events there were.
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// Whether it went on for ever.
    pub fn is_endless(&self) -> bool {
        matches!(self.stop, Some(Stop::Endless { .. }))
    }
}

/// Looks at an execution that is run again.
type Look = fn(&Program, JudgedBy, &Limits, &Witness) -> Result<Option<FaultAt>, Unrunnable>;

/// Counts executions, keeps faults, and stops in time.
pub(crate) struct Tally<'t, 'o> {
    program: &'t Program,
    plan: Plan,
    options: &'t Options<'o>,
    /// Who is told the counts now and then, where it is not one of several workers.
    progress: Option<&'t mut dyn FnMut(&Count)>,
    /// Which of the workers it counts for.
    worker: usize,
    counted: Counted,
    alarm: &'t Alarm,
    /// The number of events after which limits and progress are looked at.
    next_look: u64,
    /// Whether something may be wrong with an execution in which all threads have ended well.
    looks_closer: bool,
    /// The faults that were found before the exploration started over.
    earlier: Vec<Found>,
    /// How many threads were interchangeable, group by group.
    interchangeable: Vec<usize>,
    branching: Branching,
    /// Executions that come from a concern, for the first ones of these.
    examples: BTreeMap<Concern, Arc<Witness>>,
}

/// How many concerns get an example.
const MOST_EXAMPLES: usize = 64;

impl<'t, 'o> Tally<'t, 'o> {
    pub fn new(
        program: &'t Program,
        plan: Plan,
        options: &'t Options<'o>,
        progress: Option<&'t mut dyn FnMut(&Count)>,
        alarm: &'t Alarm,
    ) -> Self {
        let looks_closer = options.leaks || options.statuses;
        Tally {
            program,
            plan,
            options,
            progress,
            worker: 0,
            counted: Counted::default(),
            alarm,
            next_look: 0,
            looks_closer,
            earlier: Vec::new(),
            interchangeable: Vec::new(),
            branching: Branching::default(),
            examples: BTreeMap::new(),
        }
    }

    /// The same for one of several workers.
    pub fn of_worker(self, worker: usize) -> Self {
        Tally { worker, ..self }
    }

    /// What was counted and found.
    pub fn counted(mut self) -> Counted {
        self.take()
    }

    /// Takes what was counted and found, so that nothing is.
    pub fn take(&mut self) -> Counted {
        self.note_branched();
        std::mem::take(&mut self.counted)
    }

    /// Writes down how many executions come from each concern, when nothing more is counted.
    fn note_branched(&mut self) {
        for (concern, n) in self.branching.take() {
            *self.counted.branched.entry(concern).or_default() += n;
        }
    }

    #[inline]
    fn look_for_examples(&mut self, ending: &dyn Ending, end: End) {
        if self.branching.has_unseen() && end == End::Maximal {
            self.keep_example(ending);
        }
    }

    /// Keeps an execution that is the first one to come from some concern.
    #[cold]
    fn keep_example(&mut self, ending: &dyn Ending) {
        let unseen = self.branching.see();
        if self.progress.is_none() || self.examples.len() >= MOST_EXAMPLES || ending.stop().is_some() {
            return;
        }
        let witness = Arc::new(ending.witness());
        self.examples.extend(unseen.into_iter().map(|concern| (concern, witness.clone())));
    }

    /// What was counted and found so far.
    pub fn so_far(&self) -> Counted {
        self.counted.clone()
    }

    /// How many executions and events there were so far.
    pub fn counts(&self) -> &Count {
        &self.counted.count
    }

    /// The faults that were found before the exploration started over.
    pub fn earlier(&self) -> &[Found] {
        &self.earlier
    }

    /// These faults were found before the exploration started over.
    pub fn remember(&mut self, earlier: Vec<Found>) {
        self.earlier = earlier;
    }

    /// Adds what was counted and found elsewhere, and shows it.
    pub fn enter(&mut self, counted: Counted) {
        if let Some(board) = self.options.board {
            counted.found.iter().for_each(|found| board.post_fault(self.program, found));
        }
        self.absorb(counted);
        self.post();
    }

    /// Shows the counts to whoever waits.
    pub fn show(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress(&self.options.board.map_or(self.counted.count, |board| board.read().0));
        }
    }

    /// Shows how the exploration is shared, and the counts.
    pub fn show_shares(&mut self, shares: Shares) {
        if let Some(board) = self.options.board {
            board.post_shares(shares);
        }
        self.show();
    }

    /// Whether the exploration goes on after a fault.
    pub fn keeps_going(&self) -> bool {
        self.options.keep_going
    }

    /// Why the exploration must stop, where it must.
    pub fn stop(&self) -> Option<&Stop> {
        self.counted.stop.as_ref()
    }

    /// Adds what another worker has counted and found.
    pub fn absorb(&mut self, other: Counted) {
        let Counted { count, found, limits, stop, statuses, mut supposed, branched } = other;
        branched.into_iter().for_each(|(concern, n)| *self.counted.branched.entry(concern).or_default() += n);
        self.counted.supposed.append(&mut supposed);
        self.counted.count.add(&count);
        for found in found {
            if !is_known(self.program, &self.counted.found, found.kind, &found.moment) {
                self.counted.found.push(found);
            }
        }
        limits.into_iter().for_each(|limit| self.cut(limit));
        stop.into_iter().for_each(|stop| self.note_stop(stop));
        statuses.into_iter().for_each(|(status, n)| *self.counted.statuses.entry(status).or_default() += n);
    }

    /// Whether a limit has ended the exploration.
    pub fn is_cut_by(&self, limit: &Limit) -> bool {
        self.counted.limits.contains(limit)
    }

    /// Whether a fault was found.
    pub fn has_found(&self) -> bool {
        !self.counted.found.is_empty()
    }

    /// Whether a limit from outside ends the exploration, which is noted.
    pub fn is_cut_in_time(&mut self) -> bool {
        let limit = self.alarm.rings();
        let is_cut = limit.is_some();
        limit.into_iter().for_each(|limit| self.cut(limit));
        is_cut
    }

    /// Looks whether a limit has been reached, and shows the counts.
    fn look(&mut self) -> ControlFlow<()> {
        let most = self.options.max_events.unwrap_or(u64::MAX);
        if self.counted.count.events > most {
            return self.limit(Limit::Events(most));
        }
        if let Some(limit) = self.alarm.rings() {
            return self.limit(limit);
        }
        self.post();
        self.show();
        self.next_look = most.min(self.counted.count.events + 4096);
        ControlFlow::Continue(())
    }

    /// Looks whether there have been as many executions as there may be.
    fn look_at_executions(&mut self) -> ControlFlow<()> {
        let Count { executions, blocked, redundant, .. } = self.counted.count;
        match (self.options.max_executions, self.options.max_runs) {
            (Some(most), _) if executions + blocked >= most => self.limit(Limit::Executions(most)),
            (_, Some(most)) if executions + blocked + redundant > most => self.limit(Limit::Executions(most)),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Shows the counts to others.
    #[inline]
    fn post(&self) {
        if let Some(board) = self.options.board {
            board.post(self.worker, &self.counted.count);
        }
    }

    fn limit(&mut self, limit: Limit) -> ControlFlow<()> {
        self.cut(limit);
        ControlFlow::Break(())
    }

    fn cut(&mut self, limit: Limit) {
        if !self.counted.limits.contains(&limit) {
            self.counted.limits.push(limit);
        }
    }

    /// What was found before the exploration started over counts where it then did not come to its end.
    fn take_back_earlier(&mut self) {
        for found in std::mem::take(&mut self.earlier) {
            if !is_known(self.program, &self.counted.found, found.kind, &found.moment) {
                self.counted.found.push(found);
            }
        }
    }

    /// Remembers why something could not be explored. What cannot be run is the least there is: of several such places
    /// the first in the program is named, whoever came there first.
    fn note_stop(&mut self, stop: Stop) {
        let is_named = match (&self.counted.stop, &stop) {
            (Some(Stop::Unsupported { what, thread, moment }), Stop::Unsupported { what: other, thread: by, moment: at }) => {
                (&moment.stack, what, thread) <= (&at.stack, other, by)
            }
            (known, Stop::Unsupported { .. }) => known.is_some(),
            (known, _) => known.as_ref().is_some_and(|known| !matches!(known, Stop::Unsupported { .. })),
        };
        if !is_named {
            self.counted.stop = Some(stop);
        }
    }

    /// The exploration could not be ended in good order: something is wrong with Raddle.
    pub fn fail(&mut self, what: String) {
        self.counted.stop = Some(Stop::Failed { what });
    }

    /// Whether the model may forbid the execution, because a block that is one step is seen half done: what is found in
    /// it counts for nothing, and that is said.
    fn is_intruded(&mut self, ending: &dyn Ending) -> bool {
        let Some(thread) = ending.intruder() else { return false };
        let what = "what happens where a block that is one step may be seen half done".into();
        self.note_stop(Stop::Unsupported { what, thread, moment: ending.moment(thread) });
        true
    }

    /// Whether a fault is of a kind that counts.
    fn has_kind(&self, at: &FaultAt) -> bool {
        self.options.kinds.as_ref().is_none_or(|kinds| kinds.contains(&at.fault.kind))
    }

    fn report(&mut self, at: &FaultAt, ending: &dyn Ending) {
        if ending.is_supposed() {
            return self.cut(Limit::BackOff);
        }
        if !self.has_kind(at) {
            // Nothing comes after a deadlock that could be of a kind that counts.
            if !matches!(at.fault.kind, FaultKind::Deadlock | FaultKind::Livelock) {
                let what = format!("to say what counts of a run with another fault ({}: {})", at.fault.kind.word(), at.fault.message);
                self.note_stop(Stop::Unsupported { what, thread: at.thread, moment: at.moment.clone() });
            }
        } else if !self.is_intruded(ending) && !is_known(self.program, &self.counted.found, at.fault.kind, &at.moment) {
            let found = Found::of(at, ending.witness());
            if let Some(board) = self.options.board.filter(|_| !is_known(self.program, &self.earlier, found.kind, &found.moment)) {
                board.post_fault(self.program, &found);
            }
            self.counted.found.push(found);
        }
    }

    /// Runs an execution again to look at it more closely. One that stopped at something that cannot be run may not be
    /// run again either.
    fn closer(&self, ending: &dyn Ending, look: Look) -> Option<FaultAt> {
        let found = look(self.program, self.plan.judged_by(), &self.options.limits, &ending.witness());
        assert!(found.is_ok() || ending.stop().is_some(), "an execution that was explored can be run");
        found.ok().flatten()
    }

    /// Whether an execution must be run again to look for a data race. Where races are part of the model, it has found
    /// them.
    #[inline]
    fn may_race(&self, ending: &dyn Ending) -> bool {
        self.options.races && !self.plan.forbids_races() && ending.may_race()
    }

    /// Whether there may be a cycle that SC does not have, where somebody asks.
    #[inline]
    fn may_have_cycle(&self, ending: &dyn Ending) -> bool {
        (self.options.robustness || self.options.count_not_robust) && ending.has_cycle() != Some(false)
    }

    /// Looks for a cycle that SC does not have, and counts the execution where there is one; gives the fault, where one
    /// is wanted. Where the search knows, the execution is run again only to say where the cycle is.
    fn look_for_cycle(&mut self, ending: &dyn Ending, is_wanted: bool) -> Option<FaultAt> {
        let known = ending.has_cycle();
        let fault = if known.is_none() || is_wanted { self.closer(ending, not_robust) } else { None };
        let is_seen = fault.is_some() || !is_wanted || ending.stop().is_some();
        assert!(known != Some(true) || is_seen, "a cycle that was found is there when the execution is run again");
        self.counted.count.not_robust += known.unwrap_or(fault.is_some()) as u64;
        fault.filter(|_| is_wanted)
    }

    /// The faults of an execution: those that threads committed, then what has happened in it, then how it ended. All
    /// of them where the search keeps going, else the first.
    fn faults(&mut self, ending: &dyn Ending, conclusion: Option<&Conclusion>) -> Vec<FaultAt> {
        let mut faults = ending.faults();
        // Whatever goes wrong while one looks closer, these have happened.
        faults.iter().for_each(|fault| self.report(fault, ending));
        let has_gone_wrong = faults.iter().any(ends);
        let Options { leaks, liveness, robustness, keep_going, .. } = *self.options;
        if self.may_have_cycle(ending) {
            let is_wanted = robustness && (keep_going || faults.is_empty());
            faults.extend(self.look_for_cycle(ending, is_wanted));
        }
        if (keep_going || faults.is_empty()) && self.may_race(ending) {
            faults.extend(self.closer(ending, race));
        }
        if !has_gone_wrong && (keep_going || faults.is_empty()) {
            faults.extend(match conclusion {
                Some(Conclusion::Deadlock(waiting)) => waiting.last().map(|&last| FaultAt::deadlock(waiting, last, ending.moment(last))),
                Some(&Conclusion::Livelock(thread)) if liveness => Some(FaultAt::livelock(thread, ending.moment(thread))),
                Some(Conclusion::Complete) if leaks => ending.leak(),
                _ => None,
            });
        }
        faults
    }

    /// The same, where the model has the execution.
    fn faults_that_count(&mut self, ending: &dyn Ending, conclusion: Option<&Conclusion>) -> Vec<FaultAt> {
        let faults = self.faults(ending, conclusion);
        if !faults.is_empty() && self.is_intruded(ending) { Vec::new() } else { faults }
    }

    /// Counts an execution: one that a fault or a deadlock ended is complete, one that is only supposed is not.
    fn count(&mut self, conclusion: &Conclusion, ended_by_fault: bool, is_supposed: bool) {
        let blocked = match conclusion {
            Conclusion::Blocked(why) => Some(*why),
            Conclusion::Livelock(_) => Some(Blocked::Spin),
            Conclusion::Complete | Conclusion::Deadlock(_) => None,
        };
        if blocked == Some(Blocked::LoopBound) {
            self.cut(Limit::Unroll(self.options.limits.unroll.unwrap_or(MOST_OPEN_ROUNDS)));
        }
        if blocked == Some(Blocked::Values) {
            let (low, high) = self.options.limits.nondet.unwrap_or(OPEN_VALUES);
            self.cut(Limit::Values(low, high));
        }
        self.branching.reach();
        match blocked {
            _ if is_supposed => self.counted.count.blocked += 1,
            Some(_) if !ended_by_fault => self.counted.count.blocked += 1,
            _ => self.count_execution(),
        }
    }

    /// One more execution: the only place where they are counted.
    fn count_execution(&mut self) {
        self.counted.count.executions += 1;
    }

    /// Notes with which status the program ended, where that is not zero or is asked for. One whose threads have all
    /// returned, by `pthread_exit` in the first, ends with zero.
    #[inline]
    fn note_status(&mut self, ending: &dyn Ending) {
        let status = ending.status().unwrap_or(0);
        if self.options.statuses && self.is_intruded(ending) {
            return;
        }
        if ending.is_supposed() {
            self.counted.supposed.extend(Some(status).filter(|_| self.options.statuses));
        } else if status != 0 || self.options.statuses {
            *self.counted.statuses.entry(status).or_default() += 1;
        }
    }

    /// What was concluded; `cut` are the bounds of the plan that cut something.
    pub fn outcome(mut self, cut: Vec<Limit>) -> Outcome {
        self.note_branched();
        if self.counted.supposed.iter().any(|status| !self.counted.statuses.contains_key(status)) {
            self.cut(Limit::BackOff);
        }
        self.counted.limits.extend(cut);
        self.counted.limits.sort();
        let is_whole = self.counted.stop.is_none() && self.counted.limits.is_empty();
        if !is_whole {
            self.take_back_earlier();
        }
        if is_whole && self.counted.found.is_empty() && self.counted.count.executions == 0 {
            self.counted.limits.push(Limit::NoneComplete);
        }
        let verdict = match self.counted.found.is_empty() {
            false => Verdict::Refuted,
            true if is_whole && self.counted.limits.is_empty() => Verdict::Verified,
            true => Verdict::Unknown,
        };
        let could_reuse = self.options.limits.could_reuse.is_noted();
        let Tally { plan, interchangeable, counted: Counted { count, found, limits, stop, statuses, branched, .. }, examples, .. } = self;
        let branched = Branched { executions: branched, examples };
        Outcome { plan, verdict, found, limits, stop, count, interchangeable, could_reuse, statuses, branched }
    }
}

impl Each for Tally<'_, '_> {
    fn restart(&mut self) {
        self.earlier.append(&mut self.counted.found);
        self.counted = Counted::default();
        self.branching = Branching::default();
        self.examples.clear();
        if let Some(board) = self.options.board {
            board.restart();
        }
    }

    fn explored_up_to(&mut self, groups: Vec<usize>) {
        self.interchangeable = groups;
    }

    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()> {
        let is_supposed = ending.is_supposed();
        self.look_for_examples(ending, end);
        if end == End::Maximal
            && !is_supposed
            && !self.looks_closer
            && ending.is_well()
            && !self.may_have_cycle(ending)
            && !self.may_race(ending)
        {
            self.count_execution();
            self.branching.reach();
            self.note_status(ending);
            self.post();
            return self.look_at_executions();
        }
        let stop = ending.stop();
        if stop == Some(&Stop::Contradicted) {
            self.counted.stop = stop.cloned();
            return ControlFlow::Break(());
        }
        if end == End::Redundant && stop.is_none() {
            self.counted.count.redundant += 1;
            return self.look_at_executions();
        }
        // Where something could not be run, the other threads may not be at their ends.
        let conclusion = stop.is_none().then(|| ending.conclusion());
        let mut faults = self.faults_that_count(ending, conclusion.as_ref());
        if let Some(conclusion) = &conclusion {
            let is_cut_short = !self.options.keep_going && !ending.faults().is_empty();
            self.count(conclusion, is_cut_short || faults.iter().any(ends), is_supposed);
        }
        if faults.is_empty() && conclusion == Some(Conclusion::Complete) {
            self.note_status(ending);
        }
        for fault in &faults {
            self.report(fault, ending);
        }
        faults.retain(|fault| self.has_kind(fault));
        self.post();
        if self.options.refuses_spins && matches!(conclusion, Some(Conclusion::Blocked(Blocked::Spin) | Conclusion::Livelock(_))) {
            let (what, thread) = ("a loop that waits".to_string(), ThreadId(0));
            self.counted.stop = Some(Stop::Unsupported { what, thread, moment: ending.moment(thread) });
            return ControlFlow::Break(());
        }
        if let (Some(Stop::Endless { .. }), Some(limit)) = (stop, self.alarm.rings()) {
            self.counted.stop = stop.filter(|_| limit == Limit::Timeout).cloned();
            return self.limit(limit);
        }
        if let Some(stop) = stop {
            self.note_stop(stop.clone());
            if !self.options.keep_going || matches!(stop, Stop::Endless { .. }) {
                return ControlFlow::Break(());
            }
        }
        if !faults.is_empty() && !is_supposed && !self.options.keep_going {
            return ControlFlow::Break(());
        }
        self.look_at_executions()
    }

    fn turns(&mut self, ending: &dyn Ending, branch: Branch, at: Option<LocationId>) {
        self.branching.turn(branch, at, |at| ending.world().locations().range(at));
    }

    fn path(&self, before: u32) -> Vec<Turned> {
        self.branching.path(before)
    }

    fn renumber(&mut self, given_up: u32) {
        self.branching.renumber(given_up);
    }

    fn follow(&mut self, path: &[Turned]) {
        self.branching.follow(path);
    }

    #[inline]
    fn event(&mut self) -> ControlFlow<()> {
        self.counted.count.events += 1;
        if self.counted.count.events > self.next_look || self.alarm.is_ringing() {
            return self.look();
        }
        ControlFlow::Continue(())
    }
}

/// Whether a fault ends its execution, where the search keeps going: what was done can be wrong and have an end.
fn ends(fault: &FaultAt) -> bool {
    !matches!(fault.fault.kind, FaultKind::DataRace | FaultKind::NotRobust)
}

/// Whether a fault of this kind at this place is among these.
pub(crate) fn is_known(program: &Program, found: &[Found], kind: FaultKind, moment: &Moment) -> bool {
    let is_there = |other: &Moment| other.stack.first() == moment.stack.first() && other.place(program) == moment.place(program);
    found.iter().any(|found| found.kind == kind && is_there(&found.moment))
}
