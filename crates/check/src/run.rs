//! One execution under SC, forward only: a program that is run, not checked.

use crate::joined::{FaultAt, Joined, Stop};
use raddle_event::{Fault, FaultKind, Position, Step, Taken};
use raddle_explore::System;
use raddle_machine::{Limits, Next, Piece, Sites};
use raddle_memory::{Buffers, Model, Who};
use raddle_program::Program;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Who goes next.
#[derive(Clone, Debug)]
pub enum Scheduler {
    /// Every thread in turn, a few steps each.
    Fair,
    /// By a generator of random numbers.
    Random(u64),
    /// As given, one number of a thread for each step; then fair.
    Given(Vec<u32>),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum RunEnd {
    /// The program ended with this exit code.
    Exited(i32),
    Fault(FaultAt),
    Stopped(Stop),
    /// An assumption failed: the run is not one that matters.
    Assumed,
    Interrupted,
}

/// Runs a program; what it prints is given to `print` as it comes.
pub fn run(
    program: &Program,
    limits: &Limits,
    mut scheduler: Scheduler,
    interrupted: &AtomicBool,
    print: &mut dyn FnMut(&[Piece]),
) -> RunEnd {
    let model = Model { buffers: Buffers::Sc, bound: None };
    let mut sites = Sites::default();
    loop {
        let limits = Limits { rewinds: false, ..limits.clone() };
        let mut joined = Joined::printing(program, model, limits, sites.clone());
        // What is printed before something turns out to be shared is printed again by the next run: keep it back until then.
        let mut printed: Vec<Piece> = Vec::new();
        let end = forward(&mut joined, &mut scheduler, interrupted, &mut printed);
        match end {
            RunEnd::Stopped(Stop::Contradicted) => sites = joined.machine.sites().clone(),
            end => {
                print(&printed);
                return end;
            }
        }
    }
}

fn forward(joined: &mut Joined, scheduler: &mut Scheduler, interrupted: &AtomicBool, printed: &mut Vec<Piece>) -> RunEnd {
    let (mut enabled, mut taken, mut turn) = (Vec::new(), Taken::default(), Turn::default());
    loop {
        printed.extend(joined.take_printed());
        if let Some(stop) = &joined.stop {
            return RunEnd::Stopped(stop.clone());
        }
        if let Some(fault) = joined.faults.first() {
            return RunEnd::Fault(fault.clone());
        }
        if let Some(code) = exit_code(joined) {
            return RunEnd::Exited(code);
        }
        if interrupted.load(Ordering::Relaxed) {
            return RunEnd::Interrupted;
        }
        enabled.clear();
        let _all = joined.enabled(None, |step, _| {
            enabled.push(step);
            ControlFlow::Continue(())
        });
        if enabled.is_empty() {
            return ended(joined);
        }
        let step = turn.choose(joined, &enabled, scheduler);
        taken.clear();
        joined.take(step, Position(0), &mut taken);
        joined.forget_past();
    }
}

fn exit_code(joined: &Joined) -> Option<i32> {
    joined.machine.threads().find_map(|thread| match joined.machine.next(thread) {
        Next::Exited(code) => Some(*code),
        _ => None,
    })
}

/// Nothing is enabled: all threads have ended, or some wait for ever.
fn ended(joined: &Joined) -> RunEnd {
    if joined.blocked().is_some() {
        return RunEnd::Assumed;
    }
    match joined.deadlocked().last() {
        None => RunEnd::Exited(0),
        Some(&thread) => {
            let fault = Fault::new(FaultKind::Deadlock, "no thread can go on");
            RunEnd::Fault(FaultAt { fault, thread, moment: joined.machine.moment(thread) })
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
    fn choose(&mut self, joined: &Joined, enabled: &[Step], scheduler: &mut Scheduler) -> Step {
        match scheduler {
            Scheduler::Random(seed) => return enabled[(next_random(seed) % enabled.len() as u64) as usize],
            Scheduler::Given(threads) if !threads.is_empty() => {
                let wanted = threads.remove(0);
                if let Some(step) = enabled.iter().find(|step| thread_of(joined, **step) == wanted) {
                    return *step;
                }
            }
            _ => {}
        }
        let same = enabled.iter().find(|step| thread_of(joined, **step) == self.thread && self.left > 0);
        let step = same.or_else(|| enabled.iter().find(|step| thread_of(joined, **step) > self.thread)).unwrap_or(&enabled[0]);
        let thread = thread_of(joined, *step);
        self.left = if thread == self.thread && self.left > 0 { self.left - 1 } else { STEPS };
        self.thread = thread;
        *step
    }
}

fn thread_of(joined: &Joined, step: Step) -> u32 {
    match joined.who(step) {
        Who::Thread(thread) | Who::Update(thread) | Who::UpdateAt(thread, _) => thread.0,
    }
}

/// The generator splitmix64.
fn next_random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
