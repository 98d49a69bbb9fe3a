//! What can be said on the command line.

use crate::INTERRUPTED;
use crate::cluster::options::{ClusterCheck, ClusterOptions, WorkerOptions};
use crate::estimate::EstimateOptions;
use crate::files::readable;
use crate::fix::FixOptions;
use crate::guard::{self, most_memory};
use crate::litmus::LitmusOptions;
use crate::pictures::PictureOptions;
use crate::progress::When;
use crate::terminal::named;
use clap::{Args, Parser, Subcommand, ValueEnum};
use raddle_check::{Algorithm, Bounds, MemoryModel, Options, Plan, Sampling, Strategy};
use raddle_machine::Limits;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Runs concurrent programs in every way that a memory model allows, and shows the run that goes wrong.
#[derive(Parser)]
#[command(name = "raddle", version, about)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Where something goes wrong with Raddle itself, writes to this file what is needed to mend it: the version, the
    /// command line and the program.
    #[arg(long, value_name = "FILE", global = true)]
    pub report: Option<PathBuf>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Runs a program once and prints what it prints.
    Run(RunOptions),
    /// Checks a program in every execution that a memory model allows.
    Check(ClusterCheck),
    /// Draws executions of a program at random, where there are too many to check them all.
    Sample(SampleOptions),
    /// Checks each function of a program that is a test.
    Test(TestOptions),
    /// Checks a program under several memory models, side by side.
    Compare(CompareOptions),
    /// Says how many executions a check would have, and how long it would take, without having them all.
    Estimate(EstimateOptions),
    /// Runs the failing execution of a witness again, step by step.
    Replay(ReplayOptions),
    /// Runs litmus tests and answers as herd7 does.
    Litmus(LitmusOptions),
    /// Lists the memory models: what each is, and by which algorithms it is explored.
    Models,
    /// Says what a kind of fault means, with an example and how to mend it.
    Explain(ExplainOptions),
    /// Writes the completions for a shell, or the pages of the manual.
    Completions(CompletionsOptions),
    /// Explores parts of the checks of a cluster.
    Worker(WorkerOptions),
    /// Shows the jobs and workers of a cluster, ends a job, or makes a key.
    Cluster(ClusterOptions),
}

#[derive(Args)]
pub struct ExplainOptions {
    /// The kind of fault, as the report names it; all of them are listed where nothing is said.
    #[arg(value_name = "FAULT")]
    pub fault: Option<String>,
}

#[derive(Args)]
pub struct CompletionsOptions {
    /// The shell.
    #[arg(value_name = "SHELL", ignore_case = true, required_unless_present = "man")]
    pub shell: Option<clap_complete::Shell>,
    /// Writes the pages of the manual to this folder, which must be there.
    #[arg(long, value_name = "FOLDER")]
    pub man: Option<PathBuf>,
}

/// The program, and the flags for its compiler.
#[derive(Args, Clone)]
pub struct Input {
    /// C, C++, LLVM text or bitcode files, object files and archives with bitcode, that make one program; or folders of
    /// programs (check, sample).
    #[arg(required = true, value_name = "FILE", index = 1)]
    pub files: Vec<PathBuf>,
    /// Flags for the compiler.
    #[arg(last = true, value_name = "CFLAGS", index = 2)]
    pub cflags: Vec<OsString>,
    /// The compiler for C; the one for C++ stands beside it.
    #[arg(long, default_value = raddle_llvm::CLANG, value_name = "CLANG")]
    pub clang: PathBuf,
    /// A folder with a compile_commands.json: files are compiled with the flags that it has for them.
    #[arg(short = 'p', value_name = "BUILD")]
    pub build: Option<PathBuf>,
    /// The arguments of the program, with spaces between; quotes keep spaces.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, default_value = "")]
    pub args: String,
    /// A variable of the program's environment; may be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,
    /// The file that the program reads as its standard input; it is empty where nothing is said.
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// A folder below which the program may read files, besides the folders of its sources.
    #[arg(long = "files", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The function that the program begins with.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    /// Overflows of signed numbers, shifts too far and what else the checks of clang find are faults.
    #[arg(long)]
    pub ub: bool,
    /// Old C is let through: functions that are not declared, types that are left out.
    #[arg(long)]
    pub lenient: bool,
    /// Names mean what they mean in SV-COMP: reaching `reach_error` is an error, `abort` and a failing `assert` end the
    /// program.
    #[arg(long = "svcomp")]
    pub sv_comp: bool,
    /// The checks that a property asks for.
    #[arg(skip)]
    pub checks: raddle_llvm::Checks,
}

impl Input {
    /// The names of the files, with commas between.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|file| named(file)).collect();
        names.join(", ")
    }
}

/// What a command may take. Where it would take more it ends, and says what is known by then.
#[derive(Args)]
pub struct Most {
    /// Stops after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stops before more megabytes of memory are in use, with those of the compiler; three quarters of what the machine
    /// has where nothing is said.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}

impl Most {
    /// How much time and how many bytes.
    pub fn of(&self) -> (Option<Duration>, u64) {
        (self.timeout, bytes(self.memory))
    }
}

/// How many bytes there may be, where so many megabytes are asked for.
fn bytes(megabytes: Option<u64>) -> u64 {
    megabytes.map_or_else(most_memory, |megabytes| megabytes.saturating_mul(1 << 20).min(u64::MAX / 2))
}

impl Arguments {
    /// How much time and how many bytes the command may take.
    pub fn most(&self) -> (Option<Duration>, u64) {
        let (timeout, memory) = match &self.command {
            Command::Run(RunOptions { most, .. })
            | Command::Check(ClusterCheck { check: CheckOptions { most, .. }, .. })
            | Command::Sample(SampleOptions { check: CheckOptions { most, .. }, .. })
            | Command::Test(TestOptions { check: CheckOptions { most, .. } })
            | Command::Estimate(EstimateOptions { most, .. })
            | Command::Replay(ReplayOptions { most, .. })
            | Command::Litmus(LitmusOptions { most, .. }) => (most.timeout, most.memory),
            Command::Compare(options) => (options.timeout, options.memory),
            Command::Models | Command::Explain(_) | Command::Completions(_) => (None, None),
            Command::Worker(options) => (None, options.memory),
            Command::Cluster(_) => (None, None),
        };
        (timeout, bytes(memory))
    }
}

#[derive(Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub most: Most,
    /// Schedules the threads by random numbers that begin with this one.
    #[arg(long, value_name = "N", conflicts_with = "schedule")]
    pub seed: Option<u64>,
    /// The numbers of the threads that take the first steps, with dots between: 0.0.2.1
    #[arg(long, value_name = "STEPS")]
    pub schedule: Option<String>,
    /// How many turns of loops and calls a thread may make before another thread can see something of it, in millions.
    /// Where nothing is said, only a loop that provably comes back to the same state is judged endless.
    #[arg(long, value_name = "MILLIONS")]
    pub max_turns: Option<u64>,
    /// The most bytes of heap that a thread may have, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 512)]
    pub max_heap: u64,
    /// A read of bytes that were never written is a fault.
    #[arg(long)]
    pub uninit: bool,
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
    Sarif,
    /// XML as JUnit writes it.
    Junit,
    /// Annotations for GitHub's actions.
    Github,
}

/// How read-modify-writes are written for AArch64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Atomics {
    Lse,
    Llsc,
}

impl From<Atomics> for raddle_event::Atomics {
    fn from(asked: Atomics) -> Self {
        match asked {
            Atomics::Lse => raddle_event::Atomics::Lse,
            Atomics::Llsc => raddle_event::Atomics::Exclusives,
        }
    }
}

/// What is looked for, and how long, whatever the model is.
#[derive(Args)]
pub struct Wanted {
    /// Cuts each loop after this many iterations.
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,
    /// How many seconds a loop that does not seem to end is followed before it is given up (twice as many under models
    /// with graphs), where there is no time limit.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
    pub patience: Duration,
    /// How many workers explore side by side once a check takes longer than 50 ms (schedules have one); as many as
    /// there are processors where nothing is said, and never more.
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Stops after this many executions.
    #[arg(long, value_name = "N")]
    pub max_executions: Option<u64>,
    /// Stops after this many events in all.
    #[arg(long, value_name = "N")]
    pub max_events: Option<u64>,
    /// A spin loop that waits for ever is a fault.
    #[arg(long)]
    pub liveness: bool,
    /// Heap objects that are never freed are a fault.
    #[arg(long)]
    pub leaks: bool,
    /// Two accesses that nothing orders, one of them a write and one not atomic, are a fault.
    #[arg(long)]
    pub races: bool,
    /// Data races are no faults (rc11, where they are otherwise).
    #[arg(long, conflicts_with = "races")]
    pub no_races: bool,
    /// An end of the program with a status other than zero is a fault.
    #[arg(long)]
    pub exit_codes: bool,
    /// A read of bytes that were never written is a fault.
    #[arg(long)]
    pub uninit: bool,
    /// Weak compare-exchanges may fail for no reason.
    #[arg(long)]
    pub spurious: bool,
    /// `malloc` may return null.
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// What __VERIFIER_nondet_int and its like may give, as LO..HI with both ends included.
    #[arg(long, value_name = "LO..HI", value_parser = range, allow_hyphen_values = true)]
    pub nondet: Option<(i64, i64)>,
    /// The most bytes of heap that a thread may have, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 512)]
    pub max_heap: u64,
}

#[derive(Args)]
pub struct CheckOptions {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub most: Most,
    /// The memory model: rc11 (or c11), which is what the language promises, sc, tso, pso, ra, sra,
    /// power or aarch64.
    #[arg(long, short, default_value = "rc11")]
    pub model: MemoryModel,
    /// The algorithm: optimal, source, classic or naive; weak-trace for ra; graphs for rc11, sra, ra; rsmc for power,
    /// aarch64. Where nothing is said, the best for the model; classic with a context bound.
    #[arg(long)]
    pub algorithm: Option<Algorithm>,
    /// How the compiler for aarch64 writes read-modify-writes: single instructions, or loops of exclusive loads and
    /// stores.
    #[arg(long, value_enum, ignore_case = true, default_value = "lse")]
    pub aarch64_atomics: Atomics,
    /// Lets at most this many stores wait in a buffer: of a thread (tso), or of a thread to one location (pso).
    #[arg(long, value_name = "B")]
    pub buffer_bound: Option<u32>,
    /// Explores only executions with at most this many preemptions: switches away from a thread that could go on.
    #[arg(long, value_name = "K")]
    pub context_bound: Option<u32>,
    /// Raises the bounds step by step, from the given ones on, until a fault is found or they cut nothing any more.
    #[arg(long)]
    pub iterative: bool,
    /// Threads that one thread starts one right after the other, with the same function and argument, are
    /// interchangeable as long as nothing tells them apart: of executions that only differ in which of them did what,
    /// one is explored (rc11 and sra; sc, tso, pso and ra by graphs).
    #[arg(long, overrides_with = "no_symmetry")]
    pub symmetry: bool,
    /// All executions are explored, whichever of several interchangeable threads did what. That is so where nothing is
    /// said.
    #[arg(long, overrides_with = "symmetry")]
    pub no_symmetry: bool,
    #[command(flatten)]
    pub wanted: Wanted,
    /// Goes on after the first fault and collects the distinct ones.
    #[arg(long)]
    pub keep_going: bool,
    /// An execution that is not possible under SC is a fault (under ra by graphs).
    #[arg(long)]
    pub robustness: bool,
    /// `malloc` may give what was freed, as a choice: a pointer to the old object is then one to the new one (sc, tso
    /// and pso, by schedules).
    #[arg(long)]
    pub reuse: bool,
    /// Lists with which exit statuses the program ends, each with the number of executions.
    #[arg(long)]
    pub statuses: bool,
    /// A file with properties of SV-COMP: only what they forbid is a fault. It says --svcomp.
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,
    /// Writes the failing execution to this file, for `raddle replay`.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// How the answer is printed.
    #[arg(long, value_enum, ignore_case = true, default_value = "human")]
    pub format: Format,
    #[command(flatten)]
    pub pictures: PictureOptions,
    #[command(flatten)]
    pub fix: FixOptions,
    /// Shows executions whole: however long they are, and with what only a library is concerned with.
    #[arg(long, short)]
    pub verbose: bool,
    /// Each file is a program of its own, as are those in a folder; all are checked, side by side, with a summary.
    #[arg(long)]
    pub each: bool,
    /// Whether it is said on the error stream how far the check has come: where that is a terminal, in any case (a line
    /// every ten seconds elsewhere), or never.
    #[arg(long, value_enum, ignore_case = true, value_name = "WHEN", default_value = "auto")]
    pub progress: When,
    /// Says the verdict and each fault in a line, and nothing on the way.
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
}

#[derive(Args)]
pub struct TestOptions {
    #[command(flatten)]
    pub check: CheckOptions,
}

/// Who goes next in an execution that is drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    Uniform,
    Pct,
    Pos,
}

#[derive(Args)]
pub struct SampleOptions {
    #[command(flatten)]
    pub check: CheckOptions,
    /// How many executions are drawn.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub samples: u64,
    /// What the random numbers begin with: the same ones give the same executions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Who goes next: each that can, with the same probability; by priorities that change at few random points (pct);
    /// by priorities of events that are drawn anew where events conflict (pos; sc, tso and pso).
    #[arg(long, value_enum, ignore_case = true, default_value = "uniform")]
    pub strategy: StrategyName,
    /// How many orders between two steps a fault needs, for pct.
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
}

impl SampleOptions {
    /// What is asked for.
    pub fn sampling(&self) -> Sampling {
        let strategy = match self.strategy {
            StrategyName::Uniform => Strategy::Uniform,
            StrategyName::Pct => Strategy::Pct { depth: self.depth },
            StrategyName::Pos => Strategy::Pos,
        };
        Sampling { samples: self.samples, seed: self.seed, strategy }
    }
}

#[derive(Args)]
pub struct CompareOptions {
    #[command(flatten)]
    pub input: Input,
    /// The memory models, with commas between.
    #[arg(long, short, value_name = "MODELS", value_delimiter = ',', default_value = "rc11,sc,tso,aarch64,power")]
    pub models: Vec<MemoryModel>,
    #[command(flatten)]
    pub wanted: Wanted,
    /// Stops after this many seconds under each model, and as many for the compiler.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stops before more megabytes of memory are in use, with those of the compiler; three quarters of what the machine
    /// has where nothing is said.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// How the answer is printed.
    #[arg(long, value_enum, ignore_case = true, default_value = "human")]
    pub format: TableFormat,
    /// Writes a page to this file: the table, and the execution that goes wrong under each model as a graph.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// How a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    Human,
    Json,
}

#[derive(Args)]
pub struct ReplayOptions {
    /// What `raddle check --witness` wrote.
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    #[command(flatten)]
    pub most: Most,
    #[command(flatten)]
    pub pictures: PictureOptions,
    /// Shows memory and buffers after each event, event by event; on a terminal the next one comes with the Enter key.
    #[arg(long)]
    pub step: bool,
    /// Shows the execution up to this event, and memory and buffers then.
    #[arg(long, value_name = "N")]
    pub until: Option<usize>,
    /// Shows the values of this variable along the execution; may be given several times.
    #[arg(long, value_name = "VARIABLE")]
    pub watch: Vec<String>,
}

/// How many workers there are: as many as processors where nothing is said.
pub fn workers(jobs: Option<NonZeroUsize>) -> usize {
    jobs.unwrap_or_else(processors).get()
}

fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

impl CheckOptions {
    /// The bounds that are asked for.
    pub fn bounds(&self) -> Bounds {
        Bounds { buffer: self.buffer_bound, context: self.context_bound }
    }
}

impl Wanted {
    /// Whether data races are looked for under a plan.
    pub fn races(&self, plan: Plan) -> bool {
        self.races || (plan.forbids_races() && !self.no_races)
    }

    /// The options of a check that say the same.
    pub fn options(&self, input: &Input) -> Options<'static> {
        let limits = Limits {
            unroll: self.unroll,
            patience: Some(self.patience),
            heap: self.max_heap << 20,
            uninitialised: self.uninit,
            exit_codes: self.exit_codes,
            malloc_may_fail: self.malloc_may_fail,
            spurious: self.spurious,
            nondet: self.nondet,
            files: readable(input),
            ..Limits::default()
        };
        Options {
            limits,
            max_executions: self.max_executions,
            max_events: self.max_events,
            liveness: self.liveness,
            leaks: self.leaks,
            interrupted: Some(&INTERRUPTED),
            out_of_memory: Some(guard::out_of_memory()),
            // Each begins with an empty history, so that more of them than processors would only take longer.
            jobs: workers(self.jobs).min(processors().get()),
            ..Options::default()
        }
    }
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    Duration::try_from_secs_f64(number).map_err(|why| why.to_string())
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let wrong = || format!("`{text}` is not of the form LO..HI");
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let (low, high) = (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
    if low > high {
        return Err(format!("{low} is more than {high}"));
    }
    Ok((low, high))
}
