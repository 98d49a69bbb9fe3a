//! An estimate that is made beside a check, for whoever waits for it, and costs little of its time.

use raddle_check::{Estimate, Estimator, Options, Plan};
use raddle_program::Program;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The part of the time that it may take.
const PART: f64 = 0.02;

/// How often it is looked whether there is time again.
const LOOK: Duration = Duration::from_millis(200);

/// How much room the stack of its thread has.
const STACK: usize = 256 << 20;

/// What the random numbers begin with.
const SEED: u64 = 1;

/// Somebody who estimates how many executions there are.
pub struct Beside {
    known: Arc<Mutex<Option<Estimate>>>,
    is_over: Arc<AtomicBool>,
}

impl Beside {
    /// Begins to estimate; nothing where a thread cannot be started.
    pub fn begin(program: Arc<Program>, plan: Plan, what: Options<'static>) -> Option<Beside> {
        let beside = Beside { known: Arc::default(), is_over: Arc::default() };
        let (known, is_over) = (beside.known.clone(), beside.is_over.clone());
        let work = move || {
            if let Some(estimator) = Estimator::new(&program, plan, &what, SEED) {
                learn(estimator, &known, &is_over);
            }
        };
        std::thread::Builder::new().name("estimate".into()).stack_size(STACK).spawn(work).ok().map(|_| beside)
    }

    /// What is known so far.
    pub fn estimate(&self) -> Option<Estimate> {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Learns more whenever there is time for as much as was last needed.
fn learn(mut estimator: Estimator, known: &Mutex<Option<Estimate>>, is_over: &AtomicBool) {
    let (started, mut spent, mut last) = (Instant::now(), Duration::ZERO, Duration::ZERO);
    while !is_over.load(Ordering::Relaxed) {
        if started.elapsed().mul_f64(PART) < spent + last {
            std::thread::sleep(LOOK);
            continue;
        }
        let began = Instant::now();
        let goes_on = estimator.go_on();
        last = began.elapsed();
        spent += last;
        *known.lock().unwrap_or_else(PoisonError::into_inner) = estimator.estimate();
        if !goes_on {
            return;
        }
    }
}
