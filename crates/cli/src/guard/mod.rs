//! Limits that hold: a thread that watches the clock, the memory of this process and its compiler, and the user.
//!
//! It also sees crashes ([`crash`]), and then there is nobody to ask.
//!
//! First it asks: the compiler is ended, flags are set that searches and threads look at, and the command ends in good
//! order. Where nobody hears, in a library function over gigabytes, in the compiler's own code, in a judge or in an
//! allocation that cannot be granted, it speaks the *last words* that the command has left with it, and ends the
//! process.

mod allocator;
mod crash;
mod memory;
mod process;

pub use memory::most_memory;

use crate::failure::Failure;
use crate::{INTERRUPTED, exit};
use memory::Gauge;
use raddle_check::Limit;
use raddle_join::Stop;
use raddle_machine::Stopping;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How long a command may take to hear.
const GRACE: Duration = Duration::from_millis(120);
/// How long it may take when the user wants to stop: there is no limit to keep.
const PATIENCE: Duration = Duration::from_millis(700);
/// How long the last words may take, where nobody reads them.
const LAST: Duration = Duration::from_millis(120);
/// The clock and the memory are looked at at least this often.
const EVERY: Duration = Duration::from_millis(250);
/// No process takes more bytes than this in a second.
const FASTEST: u64 = 4 << 30;

/// Set while this process and its compiler have nearly as much memory as they may have.
static OUT_OF_MEMORY: AtomicBool = AtomicBool::new(false);
/// The most bytes that this process and its compiler may have.
static MOST: AtomicU64 = AtomicU64::new(u64::MAX);
static GUARD: OnceLock<Thread> = OnceLock::new();
static STATE: Mutex<State> = Mutex::new(State { deadline: None, stop: None, words: None, ended: None, speaker: Speaker::Open });

/// What the guard knows of the command.
struct State {
    deadline: Option<Instant>,
    stop: Option<Stopping>,
    words: Option<Conclude>,
    /// Why the compiler was ended.
    ended: Option<Limit>,
    speaker: Speaker,
}

/// Who gives the answer. There is only one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Open,
    /// The command is about to, and ends with this exit code.
    Command(u8),
    Guard,
}

/// What is said when a command is ended from outside.
pub struct LastWords {
    pub out: String,
    pub err: String,
    pub code: u8,
}

/// Why a command is ended from outside.
#[derive(Clone, Debug)]
pub enum Cause {
    Limit(Limit),
    /// Code of this process is broken: what came, in words.
    Crash(String),
}

impl Cause {
    /// What a search that is ended so has met: a limit, or a mistake of Raddle.
    pub fn met(self) -> (Option<Limit>, Option<Stop>) {
        match self {
            Cause::Limit(limit) => (Some(limit), None),
            Cause::Crash(what) => (None, Some(Stop::Failed { what })),
        }
    }
}

type Conclude = Box<dyn FnOnce(Cause) -> LastWords + Send>;

/// Begins to watch.
pub fn watch(most_bytes: u64) {
    MOST.store(most_bytes, Ordering::Relaxed);
    crash::catch();
    let guard = std::thread::Builder::new().name("guard".into()).spawn(|| {
        allocator::exempt();
        let (gauge, mut ringing) = (Gauge::new(), None);
        loop {
            std::thread::park_timeout(look(&gauge, &mut ringing));
        }
    });
    let _first = GUARD.set(guard.expect("a thread can be started").thread().clone());
}

/// Has the guard look at once.
pub fn wake() {
    if let Some(guard) = GUARD.get() {
        guard.unpark();
    }
}

/// From now on this much time is left.
pub fn set_timeout(timeout: Option<Duration>) {
    state().deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    wake();
}

/// How much time is left.
pub fn time_left() -> Option<Duration> {
    state().deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}

/// What is asked to stop before the last words are spoken.
pub fn set_stop(stop: Stopping) {
    state().stop = Some(stop);
}

/// What is said when the command is ended from here on.
pub fn set_last_words(words: impl FnOnce(Cause) -> LastWords + Send + 'static) {
    state().words = Some(Box::new(words));
}

/// The command is about to give its answer and to end with this exit code. Does not return where the guard has begun to
/// speak for it.
pub fn answer(code: u8) {
    let mut state = state();
    if state.speaker == Speaker::Guard {
        drop(state);
        loop {
            std::thread::park();
        }
    }
    (state.speaker, state.words) = (Speaker::Command(code), None);
}

/// Why the command must end now, if it must.
pub fn limit() -> Option<Limit> {
    let is_over = state().deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let is_full = OUT_OF_MEMORY.load(Ordering::Relaxed);
    match INTERRUPTED.load(Ordering::Relaxed) {
        true => Some(Limit::Interrupted),
        false => is_over.then_some(Limit::Timeout).or(is_full.then(|| Limit::Memory(most_megabytes()))),
    }
}

/// Why the compiler was ended or must end, if it must.
pub fn limit_of_compiler() -> Option<Limit> {
    let ended = state().ended.clone();
    ended.or_else(limit)
}

/// The flag that says that memory is used up, and how many megabytes there may be.
pub fn out_of_memory() -> (&'static AtomicBool, u64) {
    (&OUT_OF_MEMORY, most_megabytes())
}

/// Gives memory that is not in use back to the machine.
pub fn give_back() {
    process::give_back();
}

/// The most megabytes.
fn most_megabytes() -> u64 {
    MOST.load(Ordering::Relaxed) >> 20
}

fn state() -> std::sync::MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Looks at everything once; gives how long it may take to the next time.
fn look(gauge: &Gauge, ringing: &mut Option<(Limit, Instant)>) -> Duration {
    if let Some(what) = crash::seen() {
        end(Cause::Crash(what));
    }
    let (most, used) = (MOST.load(Ordering::Relaxed), gauge.used(raddle_llvm::compiler()));
    let soft = most - most / 10;
    OUT_OF_MEMORY.store(used > soft, Ordering::Relaxed);
    if used > most - most / 32 || allocator::is_refused() {
        end(Cause::Limit(Limit::Memory(most_megabytes())));
    }
    let Some(limit) = limit() else {
        *ringing = None;
        let quick = Duration::from_micros(soft.saturating_sub(used).saturating_mul(1_000_000) / FASTEST);
        let next = EVERY.min(quick.max(Duration::from_millis(1)));
        return time_left().map_or(next, |left| next.min(left.max(Duration::from_millis(1))));
    };
    let (_, since) = ringing.get_or_insert_with(|| {
        let mut state = state();
        state.stop.iter().for_each(Stopping::ask);
        if raddle_llvm::compiler().is_some() {
            state.ended = Some(limit.clone());
            raddle_llvm::end_compiler();
        }
        (limit.clone(), Instant::now())
    });
    let grace = if limit == Limit::Interrupted { PATIENCE } else { GRACE };
    // Memory has a limit of its own.
    if !matches!(limit, Limit::Memory(_)) && since.elapsed() >= grace {
        end(Cause::Limit(limit));
    }
    Duration::from_millis(if matches!(limit, Limit::Memory(_)) { 1 } else { 5 })
}

/// Speaks the last words and ends the process.
fn end(cause: Cause) -> ! {
    raddle_llvm::end_compiler();
    let words = STATE.try_lock().ok().and_then(|mut state| {
        if let Speaker::Command(code) = state.speaker {
            drop(state);
            // What is being said may be torn; only a fault is one all the same.
            let is_torn = matches!(cause, Cause::Crash(_)) && code != exit::FAULT;
            let code = if is_torn { exit::INTERNAL } else { code };
            std::thread::sleep(LAST);
            process::end_now(code);
        }
        state.speaker = Speaker::Guard;
        state.words.take()
    });
    let LastWords { out, err, code } = words.map_or_else(|| Failure::ended(&cause).last_words(String::new()), |words| words(cause.clone()));
    let _helper = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(LAST);
        process::end_now(code);
    });
    process::write(2, &err);
    process::write(1, &out);
    process::end_now(code)
}
