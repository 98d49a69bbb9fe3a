//! Limits of a run, and what it looks for beyond the default.

/// What the machine is allowed and asked to do. The defaults are those of the command line.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How often a loop may go round in one activation; more is cut and counted as blocked.
    pub unroll: Option<u32>,
    /// How many turns of loops and calls a thread may make without a visible action before it is judged endless.
    pub private_turns: u64,
    /// How many events an execution may have before it is judged endless.
    pub events: u32,
    /// How many frames a thread may have.
    pub frames: u32,
    /// How many bytes of local variables a thread may have.
    pub stack: u64,
    /// How many bytes of heap a thread may have.
    pub heap: u64,
    /// Whether a read of bytes that were never written is a fault.
    pub uninitialised: bool,
    /// Whether `malloc` may fail, as a choice.
    pub malloc_may_fail: bool,
    /// Whether weak compare-exchanges may fail for no reason, as a choice.
    pub spurious: bool,
    /// What `__VERIFIER_nondet_int` and its like may give; unsupported where there is none.
    pub nondet: Option<(i64, i64)>,
    /// Whether histories are kept, so that threads can go back. One run forward does not need it.
    pub rewinds: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            unroll: None,
            private_turns: 20_000_000,
            events: 100_000,
            frames: 100_000,
            stack: 64 << 20,
            heap: 512 << 20,
            uninitialised: false,
            malloc_may_fail: false,
            spurious: false,
            nondet: None,
            rewinds: true,
        }
    }
}
