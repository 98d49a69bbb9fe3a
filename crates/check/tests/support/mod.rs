//! What the tests of the explorers of schedules share: the traces of all executions that one of them explores, each
//! judged by code of its own.

pub mod commit_twin;
pub mod common;
pub mod few_seeds;
pub mod graphs;
pub mod linked;
pub mod seeds;
pub mod sum;

pub use common::{copy, seeds};

use raddle_check::{Options, Plan, Semantics, buffering, explore_schedules};
use raddle_event::Who;
use raddle_explore::{End, Sink};
use raddle_join::{Ending, Scheduled, Stop};
use raddle_judge::{PlainSchedule, Trace};
use raddle_machine::Machine;
use raddle_memory::buffered::BufferedModel;
use raddle_program::{Program, parse};
use std::ops::ControlFlow;

/// What was explored of a program.
pub struct Explored<'p> {
    program: &'p Program,
    model: BufferedModel,
    options: Options<'p>,
    most: usize,
    /// One of each execution.
    pub traces: Vec<Trace>,
    pub redundant: usize,
    /// Whether there were no more than were asked for.
    pub is_full: bool,
    /// The machine that the executions are judged with.
    pub judge: Option<Machine<'p>>,
}

impl<'p> Sink<Scheduled<'p>> for Explored<'_> {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if let Some(stop) = scheduled.stop() {
            assert_eq!(stop, &Stop::Contradicted, "nothing that is drawn is unsupported");
            return ControlFlow::Break(());
        }
        if end == End::Redundant {
            self.redundant += 1;
            return ControlFlow::Continue(());
        }
        if self.traces.len() >= self.most {
            self.is_full = false;
            return ControlFlow::Break(());
        }
        let trace = self.judge(&scheduled.machine, &scheduled.schedule());
        self.traces.push(trace);
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.traces.clear();
        self.judge = None;
        self.redundant = 0;
        self.is_full = true;
    }
}

impl<'p> Explored<'p> {
    /// The trace of a schedule. The machine is kept as long as it has the numbers of the one that was explored with, so
    /// that it runs each thread once per history.
    fn judge(&mut self, explored: &Machine, steps: &[(Who, u32)]) -> Trace {
        let is_new = |kept: &Machine| kept.locations().len() != explored.locations().len() || kept.names().len() != explored.names().len();
        let machine = match self.judge.take().filter(|kept| !is_new(kept)) {
            Some(machine) => machine,
            None => copy(self.program, explored),
        };
        let start = machine.mark();
        let mut plain = PlainSchedule::new(machine, buffering(self.model), false, ());
        assert!(plain.run(steps), "a schedule that was explored can be run");
        let (trace, mut machine) = plain.into_trace();
        machine.rewind(start);
        self.judge = Some(machine);
        trace
    }
}

/// Explores a program until so many executions are complete.
pub fn explored(program: &Program, plan: Plan, most: usize) -> Explored<'_> {
    let Semantics::Schedules(model) = plan.semantics else { unreachable!("these models have schedules") };
    let options = Options { keep_going: true, ..Options::default() };
    let mut all = Explored { program, model, options, most, traces: Vec::new(), redundant: 0, is_full: true, judge: None };
    let options = all.options.clone();
    explore_schedules(program, plan, model, &options, &mut all);
    all
}

/// The traces, sorted and each once.
pub fn set(traces: &[Trace]) -> Vec<Trace> {
    let mut sorted = traces.to_vec();
    sorted.sort();
    sorted.dedup();
    sorted
}

/// A program of two threads that share two variables of four bytes, `g0` and `g1`: what each does, from its first block
/// on.
pub fn two_threads(left: &str, right: &str) -> Program {
    let shared = "global g0 \"x\" size 4\nglobal g1 \"y\" size 4\nentry f0\nentry f1\n";
    let text = format!("{shared}function f0 \"left\"\nb0:{left}\nfunction f1 \"right\"\nb0:{right}\n");
    parse(&text).expect("the program can be read")
}
