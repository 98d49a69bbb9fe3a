//! Limits of a run, and what it looks for beyond the default.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a value that the program leaves open is taken from where nobody gives a range, both ends included.
pub const OPEN_VALUES: (i64, i64) = (-2, 5);

/// How long a very long execution may go on in haste.
pub const HASTE: Duration = Duration::from_millis(300);

/// What the machine is allowed and asked to do. The defaults are those of the command line.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How often a loop may go round in one activation; more is cut and counted as blocked.
    pub unroll: Option<u32>,
    /// How many turns of loops and calls a thread may make without a visible action before it is judged endless. Where
    /// nothing is said, time decides.
    pub private_turns: Option<u64>,
    /// How long a thread may run without a visible action, or an execution go on that has very many events, before it
    /// is judged endless; for ever where nothing is said.
    pub patience: Option<Duration>,
    /// Until when a long execution is given up after [`HASTE`].
    pub hasty_until: Option<Instant>,
    /// Whether to give up: looked at by threads that run without a visible action.
    pub stop: Stopping,
    /// How many events an execution may have before patience with it begins.
    pub events: u32,
    /// How many frames a thread may have.
    pub frames: u32,
    /// How many bytes of local variables a thread may have.
    pub stack: u64,
    /// How many bytes of heap a thread may have.
    pub heap: u64,
    /// Whether a read of bytes that were never written is a fault.
    pub uninitialised: bool,
    /// Whether it is a fault to end the program with a status other than zero.
    pub exit_codes: bool,
    /// Whether `malloc` may fail, as a choice.
    pub malloc_may_fail: bool,
    /// Whether `malloc` may give what was freed again, as a choice.
    pub reuse: bool,
    /// Set where memory could be used again and is not: something was allocated after something was freed.
    pub could_reuse: Noted,
    /// Whether weak compare-exchanges may fail and waits for conditions may end for no reason, as a choice.
    pub spurious: bool,
    /// What `__VERIFIER_nondet_int` and its like may give; without it [`OPEN_VALUES`], and others are left out.
    pub nondet: Option<(i64, i64)>,
    /// Whether the model has store buffers, for which read-modify-writes wait.
    pub buffered: bool,
    /// Whether a thread whose next look would only lead it round a loop waits, as for a lock ([`crate::awaits`]).
    pub awaits: bool,
    /// Whether a look before the last one of a round waits too where it is lost ([`crate::lost`]).
    pub looks_twice: bool,
    /// Whether data races are looked for: a look at what others write as plain memory is then not left out
    /// ([`crate::awaits`]).
    pub races: bool,
    /// The files that the program may read.
    pub files: Files,
    /// What `__VERIFIER_atomic_begin` means.
    pub blocks: Blocks,
    /// Whether histories are kept, so that threads can go back. One run forward does not need it.
    pub rewinds: bool,
}

impl Limits {
    /// How much may be done in a row that other threads cannot see, where that is limited: in steps of
    /// [`Limits::LOOK_EVERY`].
    pub fn silent_turns(&self) -> Option<u64> {
        self.private_turns.map(|most| most.max(1).div_ceil(Self::LOOK_EVERY).saturating_mul(Self::LOOK_EVERY))
    }

    /// Flags, clocks and counts are looked at once in so many silent actions.
    pub const LOOK_EVERY: u64 = 256;

    /// How long a very long execution may go on, as things stand; for ever where nothing is said.
    pub fn patience_now(&self) -> Option<Duration> {
        let is_hasty = self.hasty_until.is_some_and(|until| Instant::now() < until);
        if is_hasty { Some(self.patience.map_or(HASTE, |patience| patience.min(HASTE))) } else { self.patience }
    }

    /// For a run of what has been run before: it ends, and no clock may cut it short.
    pub fn again(&self) -> Limits {
        Limits { patience: None, hasty_until: None, stop: Stopping::default(), ..self.clone() }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            unroll: None,
            private_turns: None,
            patience: Some(Duration::from_secs(5)),
            hasty_until: None,
            stop: Stopping::default(),
            events: 100_000,
            frames: 100_000,
            stack: 64 << 20,
            heap: 512 << 20,
            uninitialised: false,
            exit_codes: false,
            malloc_may_fail: false,
            reuse: false,
            could_reuse: Noted::default(),
            spurious: false,
            nondet: None,
            buffered: false,
            awaits: false,
            looks_twice: false,
            races: false,
            files: Files::default(),
            blocks: Blocks::Locked,
            rewinds: true,
        }
    }
}

/// What is made of blocks that are one step for all other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// They are unsupported.
    Unknown,
    /// They are critical sections of one lock that all of them share: for models without steps.
    Locked,
    /// They are steps, which depend on each other where they touch the same.
    Apart,
    /// They are steps, and their order matters: for whoever asks which accesses they order.
    Ordered,
}

/// What a program finds where it reads a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// All that is in it.
    Bytes(Arc<Vec<u8>>),
    /// There is no such file.
    Missing,
    /// The program may not read it: why.
    Refused(String),
}

/// Reads a file by its name, or the standard input.
type Reader = dyn Fn(Option<&str>) -> FileContent + Send + Sync;

/// The files that a program may read. Each is read once: who asks again finds the same.
#[derive(Clone, Default)]
pub struct Files(Option<Arc<Reader>>);

impl Files {
    /// Those that somebody reads for the program.
    pub fn new(reader: impl Fn(Option<&str>) -> FileContent + Send + Sync + 'static) -> Files {
        Files(Some(Arc::new(reader)))
    }

    /// The contents of a file, or of the standard input.
    pub fn read(&self, name: Option<&str>) -> FileContent {
        match (&self.0, name) {
            (Some(read), name) => read(name),
            (None, Some(_)) => FileContent::Missing,
            (None, None) => FileContent::Bytes(Arc::default()),
        }
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files")
    }
}

/// A flag that another thread of the checker sets to end a run.
#[derive(Clone, Debug, Default)]
pub struct Stopping(Arc<AtomicBool>);

impl Stopping {
    /// Asks those who look at it to give up.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Something that was seen in some execution. All copies of it know.
#[derive(Clone, Debug, Default)]
pub struct Noted(Arc<AtomicBool>);

impl Noted {
    /// It was seen.
    pub fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was seen.
    pub fn is_noted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Patience with something that goes on and on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patience {
    since: Option<Instant>,
}

impl Patience {
    /// Whether it has gone on for as long as `most` since this was first asked.
    pub fn is_over(&mut self, most: Option<Duration>) -> bool {
        most.is_some_and(|most| self.since.get_or_insert_with(Instant::now).elapsed() >= most)
    }
}
