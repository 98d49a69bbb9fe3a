//! Explores one test under one plan: each complete execution is one graph of program order, reads-from and coherence, and is counted with its
//! final values.

use crate::litmus::answer::{Answer, Failure};
use crate::litmus::options::LitmusOptions;
use crate::{INTERRUPTED, exit};
use raddle_check::{Count, Each, End, Ending, FaultAt, Options, Plan, Stop, explore_all};
use raddle_event::{Address, Range};
use raddle_litmus::{Observed, Tally, Test};
use raddle_machine::Blocked;
use raddle_report::{LitmusAnswer, litmus_json, place_words};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The answer for a test.
pub fn explore(file: &Path, test: &Test, plan: Plan, options: &LitmusOptions) -> Result<Answer, Failure> {
    let started = Instant::now();
    let mut counting = Counting::new(test);
    let observed = test.observed.iter().filter_map(|observed| range(test, observed)).collect();
    explore_all(&test.program, plan, &Options { limits: options.limits(), observed, ..Options::default() }, &mut counting);
    let Counting { tally, count, stop, fault, .. } = counting;
    if let Some(stop) = stop {
        return Err(stopped(file, test, &stop));
    }
    if let Some(at) = fault {
        let message = format!("{}: {} ({}, {})", at.fault.kind, at.fault.message, at.thread, place_words(&test.program, &at.moment));
        return Err(Failure { message, code: exit::FAULT });
    }
    let (positive, negative, seconds) = (tally.positive, tally.negative, started.elapsed().as_secs_f64());
    let mut states = tally.states();
    states.sort();
    let observation = tally.observation();
    let json = LitmusAnswer { test: &test.name, plan, observation: observation.word(), states, positive, negative, count, seconds };
    Ok(Answer {
        test: test.name.clone(),
        model: plan.name,
        observation,
        executions: count.executions,
        is_ok: tally.is_ok(),
        report: tally.report(seconds),
        json: litmus_json(&json).to_string(),
    })
}

fn stopped(file: &Path, test: &Test, stop: &Stop) -> Failure {
    match stop {
        Stop::Unsupported { what, moment, .. } => {
            let message = format!("{}: {what}", place_words(&test.program, moment));
            Failure { message, code: exit::UNSUPPORTED }
        }
        Stop::Endless { thread, moment } => {
            let message = format!("{}: {thread} does not seem to terminate: use --unroll", place_words(&test.program, moment));
            Failure { message, code: exit::CUT }
        }
        Stop::Contradicted => Failure { message: format!("{}: the exploration did not settle", file.display()), code: exit::INTERNAL },
    }
}

/// Counts final values. An execution that the test's filter leaves out counts as blocked, like one that ends in a failed assumption.
struct Counting<'t> {
    test: &'t Test,
    tally: Tally<'t>,
    count: Count,
    stop: Option<Stop>,
    fault: Option<FaultAt>,
    values: Vec<u64>,
}

impl<'t> Counting<'t> {
    fn new(test: &'t Test) -> Counting<'t> {
        Counting { test, tally: Tally::new(test), count: Count::default(), stop: None, fault: None, values: Vec::new() }
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
        Observed::Register { thread, result, .. } => {
            ending.results(thread).expect("every thread has ended in a complete execution")[result]
        }
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
        if INTERRUPTED.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if let Some(stop) = ending.stop() {
            self.stop = Some(stop.clone());
            return ControlFlow::Break(());
        }
        if let Some(fault) = ending.faults().first() {
            self.fault = Some(fault.clone());
            return ControlFlow::Break(());
        }
        match (end, ending.blocked()) {
            (End::Redundant, _) => self.count.redundant += 1,
            (End::Maximal, Some(why)) => {
                self.count.blocked += 1;
                self.tally.is_cut |= why == Blocked::LoopBound;
            }
            (End::Maximal, None) => {
                self.look(ending);
                match self.test.passes_filter(&self.values) {
                    true => self.count.executions += 1,
                    false => self.count.blocked += 1,
                }
                self.tally.add(&self.values, 1);
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Counting::new(self.test);
    }
}
