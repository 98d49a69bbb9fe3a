//! One execution under SC, forward only: a program that is run, not checked.

use crate::printed::Printed;
use raddle_event::{Fault, FaultKind, Position, Random, Step, Taken, Who};
use raddle_explore::System;
use raddle_join::{Conclusion, Ending, Scheduled, Stop};
use raddle_machine::{FaultAt, Limits, Piece, Sites};
use raddle_memory::buffered::{BufferedModel, Buffers};
use raddle_program::Program;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Who goes next.
#[derive(Clone, Debug)]
pub enum Scheduler {
    /// Every thread in turn, a few steps each.
    Fair,
    /// By a generator of random numbers.
    Random(Random),
    /// As given, one number of a thread for each step; then fair.
    Given(Vec<u32>),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum RunEnd {
    /// The program ended with this exit code.
    Exited(i32),
    /// It went wrong.
    Fault(FaultAt),
    /// It could not go on.
    Stopped(Stop),
    /// An assumption failed: the run is not one that matters.
    Assumed,
    /// Somebody asked it to stop.
    Interrupted,
    /// Nobody reads what it prints.
    Unread,
    /// It started over and took another course than the one of which something was shown already.
    Another,
}

/// Runs a program; what it prints is given to `print` as it comes, which tells whether somebody still reads it.
pub fn run(program: &Program, limits: &Limits, scheduler: Scheduler, print: &mut dyn FnMut(&[Piece]) -> bool) -> RunEnd {
    let model = BufferedModel { buffers: Buffers::Sc, bound: None };
    let mut sites = Sites::default();
    let output = RefCell::new(Printed::new(print, limits.stop.clone()));
    loop {
        let printer = Box::new(|pieces: Vec<Piece>, alone: bool| output.borrow_mut().take(pieces, alone));
        let mut scheduled = Scheduled::printing(program, model, limits.clone(), sites.clone(), printer);
        let end = forward(&mut scheduled, &mut scheduler.clone());
        let new_sites = scheduled.machine.sites().clone();
        drop(scheduled);
        let mut output = output.borrow_mut();
        match end {
            RunEnd::Stopped(Stop::Contradicted) => {
                sites = new_sites;
                output.start_over();
            }
            end => {
                output.finish();
                return match (output.is_another, output.is_unread) {
                    (true, _) => RunEnd::Another,
                    (_, true) => RunEnd::Unread,
                    _ => end,
                };
            }
        }
    }
}

fn forward(scheduled: &mut Scheduled, scheduler: &mut Scheduler) -> RunEnd {
    let (mut enabled, mut taken, mut turn) = (Vec::new(), Taken::default(), Turn::default());
    loop {
        if let Some(stop) = &scheduled.core.stop {
            return RunEnd::Stopped(stop.clone());
        }
        if let Some(fault) = scheduled.core.faults.first() {
            return RunEnd::Fault(fault.clone());
        }
        if let Some(status) = scheduled.machine.status() {
            return RunEnd::Exited(status);
        }
        if scheduled.machine.limits().stop.is_asked() {
            return RunEnd::Interrupted;
        }
        enabled.clear();
        let _all = scheduled.enabled(None, |step, _| {
            enabled.push(step);
            ControlFlow::Continue(())
        });
        if enabled.is_empty() {
            return ended(scheduled);
        }
        let step = turn.choose(scheduled, &enabled, scheduler);
        taken.clear();
        scheduled.take(step, Position(0), &mut taken);
        scheduled.forget_past();
    }
}

/// Nothing is enabled: all threads have ended, or some wait for ever.
fn ended(scheduled: &Scheduled) -> RunEnd {
    match scheduled.conclusion() {
        Conclusion::Complete => RunEnd::Exited(0),
        Conclusion::Blocked(_) | Conclusion::Livelock(_) => RunEnd::Assumed,
        Conclusion::Deadlock(waiting) => {
            let thread = *waiting.last().expect("somebody waits");
            let fault = Fault::new(FaultKind::Deadlock, "no thread can go on");
            RunEnd::Fault(FaultAt { fault, thread, moment: scheduled.machine.moment(thread) })
        }
    }
}

/// How many steps a thread takes before it is another's turn.
const STEPS: u32 = 50;

/// Whose turn it is.
#[derive(Default)]
struct Turn {
    thread: u32,
    left: u32,
}

impl Turn {
    fn choose(&mut self, scheduled: &Scheduled, enabled: &[Step], scheduler: &mut Scheduler) -> Step {
        match scheduler {
            Scheduler::Random(random) => return random.pick(enabled),
            Scheduler::Given(threads) if !threads.is_empty() => {
                let wanted = threads.remove(0);
                if let Some(step) = enabled.iter().find(|step| thread_of(scheduled, **step) == wanted) {
                    return *step;
                }
            }
            _ => {}
        }
        let same = enabled.iter().find(|step| thread_of(scheduled, **step) == self.thread && self.left > 0);
        let step = same.or_else(|| enabled.iter().find(|step| thread_of(scheduled, **step) > self.thread)).unwrap_or(&enabled[0]);
        let thread = thread_of(scheduled, *step);
        self.left = if thread == self.thread && self.left > 0 { self.left - 1 } else { STEPS };
        self.thread = thread;
        *step
    }
}

fn thread_of(scheduled: &Scheduled, step: Step) -> u32 {
    match scheduled.who(step) {
        Who::Thread(thread) | Who::Update(thread) | Who::UpdateAt(thread, _) => thread.0,
    }
}
