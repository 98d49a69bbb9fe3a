//! Explores one test under one plan: each complete execution is one graph of program order, reads-from and coherence,
//! and is counted with its final values.

use crate::litmus::answer::{Answer, Failure};
use crate::litmus::drawn::Outcomes;
use crate::{exit, guard};
use raddle_check::{Count, Each, Options, Plan, explore_all};
use raddle_event::{Address, Fault, FaultKind, Range};
use raddle_explore::End;
use raddle_join::{Conclusion, Ending, Stop};
use raddle_litmus::{Observed, Tally, Test};
use raddle_machine::{Blocked, FaultAt, Limits, Stopping};
use raddle_report::{LitmusAnswer, litmus_json, place_words};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// The answer for a test.
pub fn explore(file: &Path, test: &Test, plan: Plan, (limits, text): (&Limits, Option<&str>)) -> Result<Answer, Failure> {
    let started = Instant::now();
    let mut counting = Counting::new(test, limits.stop.clone(), text.is_some());
    let observed = test.observed.iter().filter_map(|observed| range(test, observed)).collect();
    // Where races are undefined they are noted, and the execution goes on.
    let races = plan.forbids_races();
    let options = Options { limits: limits.clone(), observed, races, keep_going: races, ..Options::default() };
    let cut = explore_all(&test.program, plan, &options, &mut counting);
    let Counting { tally, count, stop, fault, is_stopped, outcomes, .. } = counting;
    if let Some(limit) = guard::limit().filter(|_| is_stopped && fault.is_none()) {
        return Err(Failure::cut(file, &limit));
    }
    if let Some(stop) = stop {
        return Err(stopped(file, test, &stop));
    }
    if let Some(at) = fault {
        let message = format!("{}: {} ({}, {})", at.fault.kind, at.fault.message, at.thread, place_words(&test.program, &at.moment));
        return Err(Failure::new(file, message, exit::FAULT));
    }
    if let Some(limit) = cut.iter().find(|limit| !limit.is_bound()) {
        return Err(Failure::cut(file, limit));
    }
    let drawn = outcomes.zip(text).map(|(outcomes, text)| outcomes.drawn(test, text.into(), (plan, limits), &tally));
    let (positive, negative, seconds) = (tally.positive, tally.negative, started.elapsed().as_secs_f64());
    let mut states = tally.states();
    states.sort();
    let observation = tally.observation();
    let (observed, flags) = (observation.word(), tally.flags());
    let json = LitmusAnswer { test: &test.name, plan, observation: observed, flags, states, positive, negative, count, seconds };
    Ok(Answer {
        test: test.name.clone(),
        model: plan.name,
        observation,
        executions: count.executions,
        is_ok: tally.is_ok(),
        report: tally.report(seconds),
        json: litmus_json(&json),
        drawn,
    })
}

fn stopped(file: &Path, test: &Test, stop: &Stop) -> Failure {
    match stop {
        Stop::Unsupported { what, moment, .. } => {
            let message = format!("{}: {what}", place_words(&test.program, moment));
            Failure::new(file, message, exit::UNSUPPORTED)
        }
        Stop::Endless { thread, moment } => {
            let message = format!("{}: {thread} does not seem to terminate: use --unroll", place_words(&test.program, moment));
            Failure::new(file, message, exit::CUT)
        }
        Stop::Contradicted => Failure::internal(file, "the exploration did not settle which objects are shared"),
        Stop::Failed { what } => Failure::internal(file, what),
    }
}

/// Counts final values. An execution that the test's filter leaves out counts as blocked, like one that ends in a
/// failed assumption.
struct Counting<'t> {
    test: &'t Test,
    tally: Tally<'t>,
    count: Count,
    stop: Option<Stop>,
    fault: Option<FaultAt>,
    values: Vec<u64>,
    stopping: Stopping,
    /// Whether the exploration was asked to stop before its end.
    is_stopped: bool,
    /// The outcomes, where they are to be drawn.
    outcomes: Option<Outcomes>,
}

impl<'t> Counting<'t> {
    fn new(test: &'t Test, stopping: Stopping, draws: bool) -> Counting<'t> {
        let (tally, count, outcomes) = (Tally::new(test), Count::default(), draws.then(Outcomes::default));
        Counting { test, tally, count, stop: None, fault: None, values: Vec::new(), stopping, is_stopped: false, outcomes }
    }

    /// Whether to go on.
    fn go_on(&mut self) -> ControlFlow<()> {
        self.is_stopped = self.stopping.is_asked();
        if self.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Looks at everything that is observed.
    fn look(&mut self, ending: &dyn Ending) {
        self.values.clear();
        self.values.extend(self.test.observed.iter().map(|observed| value(self.test, ending, observed)));
    }
}

/// The final value of something.
fn value(test: &Test, ending: &dyn Ending, observed: &Observed) -> u64 {
    match *observed {
        Observed::Register { thread, result, .. } => ending.result(thread, result).expect("every thread has ended in a complete execution"),
        Observed::Memory { .. } => {
            let range = range(test, observed).expect("it lies in memory");
            ending.final_value(range.start, range.size)
        }
    }
}

/// Where something lies in memory, if it does.
fn range(test: &Test, observed: &Observed) -> Option<Range> {
    let Observed::Memory { global, offset, size, .. } = *observed else { return None };
    Some(Range { start: Address(test.program.globals[global.index()].address.0 + offset), size })
}

impl Each for Counting<'_> {
    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()> {
        self.go_on()?;
        if let Some(stop) = ending.stop() {
            self.stop = Some(stop.clone());
            return ControlFlow::Break(());
        }
        for fault in ending.faults() {
            if fault.fault.kind != FaultKind::DataRace {
                self.fault = Some(fault);
                return ControlFlow::Break(());
            }
            self.tally.has_race = true;
        }
        if end == End::Redundant {
            self.count.redundant += 1;
            return ControlFlow::Continue(());
        }
        let conclusion = if ending.is_well() { Conclusion::Complete } else { ending.conclusion() };
        match conclusion {
            Conclusion::Complete => {
                self.look(ending);
                match self.test.passes_filter(&self.values) {
                    true => self.count.executions += 1,
                    false => self.count.blocked += 1,
                }
                self.tally.add(&self.values, 1);
                if let Some(outcomes) = &mut self.outcomes {
                    outcomes.add(self.test, &self.values, ending);
                }
            }
            Conclusion::Blocked(why) => {
                self.count.blocked += 1;
                self.tally.is_cut |= why == Blocked::LoopBound;
            }
            Conclusion::Livelock(_) => self.count.blocked += 1,
            Conclusion::Deadlock(waiting) => {
                let (thread, fault) = (waiting[0], Fault::new(FaultKind::Deadlock, "no thread can go on"));
                self.fault = Some(FaultAt { fault, thread, moment: ending.moment(thread) });
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.go_on()
    }

    fn restart(&mut self) {
        *self = Counting::new(self.test, self.stopping.clone(), self.outcomes.is_some());
    }
}
