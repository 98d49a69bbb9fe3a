//! Plans: a memory model together with an algorithm that explores it.

use crate::outcome::Limit;
use crate::search::Options;
use raddle_event::{Atomics, Mapping};
use raddle_explore::Strategy;
use raddle_judge::{Axiom, Buffering, Model as JudgedBy};
use raddle_memory::aarch64::{self, AArch64};
use raddle_memory::buffered::{BufferedModel, Buffers};
use raddle_memory::commits::CommitModel;
use raddle_memory::graphs::GraphModel;
use raddle_memory::power::{self, Power};
use raddle_memory::ra::{self, Ra};
use raddle_memory::{ordered, rc11, sra};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A memory model, as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MemoryModel {
    /// Sequential consistency.
    Sc,
    /// Total store order, as on x86.
    Tso,
    /// Partial store order: TSO, where stores to different locations may overtake each other.
    Pso,
    /// Release-Acquire.
    Ra,
    /// Strong release-acquire.
    Sra,
    /// What C11 promises.
    Rc11,
    /// POWER, by graphs of commits.
    Power,
    /// AArch64, by graphs of commits.
    AArch64,
}

/// An algorithm, as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Algorithm {
    /// All schedules, without reduction.
    Naive,
    /// DPOR with persistent sets and sleep sets.
    Classic,
    /// DPOR with source sets and sleep sets, which may begin executions that are redundant.
    Source,
    /// DPOR with wakeup trees: one execution of each trace, and none redundant.
    Optimal,
    /// One execution for each graph of program order and reads-from.
    WeakTrace,
    /// One execution for each graph of program order, reads-from and coherence.
    Graphs,
    /// One execution for each graph of events that are committed out of order.
    Rsmc,
}

impl MemoryModel {
    /// Every model with its name.
    pub const ALL: [(MemoryModel, &'static str); 8] = [
        (MemoryModel::Sc, "sc"),
        (MemoryModel::Tso, "tso"),
        (MemoryModel::Pso, "pso"),
        (MemoryModel::Ra, "ra"),
        (MemoryModel::Sra, "sra"),
        (MemoryModel::Rc11, "rc11"),
        (MemoryModel::Power, "power"),
        (MemoryModel::AArch64, "aarch64"),
    ];

    /// What people call it.
    pub fn title(self) -> String {
        match self {
            MemoryModel::AArch64 => "AArch64".into(),
            _ => self.to_string().to_uppercase(),
        }
    }

    /// What it is, in a line.
    pub fn description(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sequential consistency: one memory, one step after the other",
            MemoryModel::Tso => "total store order (x86): stores wait in a buffer of their thread, loads overtake them",
            MemoryModel::Pso => "partial store order: TSO, where stores to different variables overtake each other too",
            MemoryModel::Ra => "release-acquire: every load acquires, every store releases",
            MemoryModel::Sra => "strong release-acquire: RA, where stores of all threads agree with one order",
            MemoryModel::Rc11 => "what C11 and C++ promise (repaired C11), with data races as faults",
            MemoryModel::Power => "POWER, by the axioms of Herding Cats",
            MemoryModel::AArch64 => "AArch64, multi-copy atomic, as the manual of Arm has it",
        }
    }

    /// What it says nothing about, where that is easily overlooked: in a sentence that says what to choose.
    pub fn leaves_out(self) -> Option<&'static str> {
        let early = "Not covered: machines on which a relaxed load reads from a store that comes after it in its thread, \
                     as POWER and Arm allow: --model power, --model aarch64";
        (self == MemoryModel::Rc11).then_some(early)
    }

    /// The algorithm that explores it where none is asked for.
    pub fn default_algorithm(self) -> Algorithm {
        match self {
            MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso => Algorithm::Optimal,
            MemoryModel::Ra => Algorithm::WeakTrace,
            MemoryModel::Sra | MemoryModel::Rc11 => Algorithm::Graphs,
            MemoryModel::Power | MemoryModel::AArch64 => Algorithm::Rsmc,
        }
    }
}

impl Algorithm {
    /// Every algorithm with its name.
    pub const ALL: [(Algorithm, &'static str); 7] = [
        (Algorithm::Naive, "naive"),
        (Algorithm::Classic, "classic"),
        (Algorithm::Source, "source"),
        (Algorithm::Optimal, "optimal"),
        (Algorithm::WeakTrace, "weak-trace"),
        (Algorithm::Graphs, "graphs"),
        (Algorithm::Rsmc, "rsmc"),
    ];
}

/// Other words for models and algorithms.
const ALIASES: [(&str, &str); 1] = [("c11", "rc11")];

/// `; did you mean `tso`?`, where a name is much like another.
pub fn did_you_mean(text: &str, names: &[&str]) -> String {
    let text = text.to_lowercase();
    let likeness = |name: &&&str| strsim::jaro_winkler(&text, name);
    let nearest = names.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|name| likeness(name) > 0.7);
    nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

macro_rules! named {
    ($($name:ident)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (_, word) = $name::ALL.iter().find(|(value, _)| value == self).expect("ALL lists every one");
                f.write_str(word)
            }
        }
        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                let names: Vec<&str> = $name::ALL.iter().map(|(_, word)| *word).collect();
                let word = text.to_lowercase().replace('_', "-");
                let alias = ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word.as_str(), |&(_, word)| word);
                let found = $name::ALL.iter().find(|(_, word)| *word == alias).map(|&(value, _)| value);
                found.ok_or_else(|| format!("`{text}` is none of {}{}", names.join(", "), did_you_mean(text, &names)))
            }
        }
    )*};
}
named!(MemoryModel Algorithm);

/// What is explored, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The model, as the user names it.
    pub name: MemoryModel,
    /// The algorithm, as the user names it.
    pub algorithm: Algorithm,
    /// What the model is.
    pub semantics: Semantics,
    /// How many preemptions an execution may have, where that is bounded.
    pub context_bound: Option<u32>,
    /// Whether executions are explored up to the order of interchangeable threads.
    pub symmetry: bool,
}

/// What a plan is asked to keep to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How many stores may wait in a buffer.
    pub buffer: Option<u32>,
    /// How many preemptions an execution may have.
    pub context: Option<u32>,
}

/// What kind of thing a memory model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// A transition system, explored by schedules.
    Schedules(BufferedModel),
    /// Graphs that grow.
    Graphs(Axiom),
    /// The graphs of a machine whose events are committed out of order.
    Commits(Committer),
}

/// A machine whose events are committed out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committer {
    Power,
    AArch64(Atomics),
}

/// An exploration of a program, by one worker or by several, under whichever model a plan names.
pub(crate) trait Exploration {
    /// What comes of it.
    type Out;

    fn schedules(self, model: BufferedModel) -> Self::Out;
    /// `model` makes a graph without events.
    fn graphs<M: GraphModel>(self, model: impl Fn() -> M + Sync) -> Self::Out;
    /// `mapping` is what C11 orders and fences become on the machine.
    fn commits<M: CommitModel>(self, mapping: Mapping) -> Self::Out;
}

impl Semantics {
    /// Explores a program under the model of the crate `memory` that is meant: the only place where they are paired.
    pub(crate) fn explore<E: Exploration>(self, options: &Options, exploration: E) -> E::Out {
        let (tracked, races) = (options.limits.uninitialised, options.races);
        match self {
            Semantics::Schedules(model) => exploration.schedules(model),
            Semantics::Graphs(Axiom::Sc) => exploration.graphs(|| ordered::Sc::new(tracked, false)),
            Semantics::Graphs(Axiom::Tso) => exploration.graphs(|| ordered::Tso::new(tracked, false)),
            Semantics::Graphs(Axiom::Pso) => exploration.graphs(|| ordered::Pso::new(tracked, false)),
            Semantics::Graphs(Axiom::ReleaseAcquire) => exploration.graphs(|| Ra::new(tracked)),
            Semantics::Graphs(Axiom::PlacedReleaseAcquire) => exploration.graphs(|| ra::placed::Graph::new(tracked, false)),
            Semantics::Graphs(Axiom::StrongReleaseAcquire) => exploration.graphs(|| sra::Graph::new(tracked, false)),
            Semantics::Graphs(Axiom::Rc11) => exploration.graphs(|| rc11::Graph::new(tracked, races)),
            Semantics::Commits(Committer::Power) => exploration.commits::<Power>(power::MAPPING),
            Semantics::Commits(Committer::AArch64(Atomics::Lse)) => exploration.commits::<AArch64>(aarch64::LSE),
            Semantics::Commits(Committer::AArch64(Atomics::Exclusives)) => exploration.commits::<AArch64>(aarch64::LLSC),
        }
    }
}

/// The buffers of a model, as the judge knows them.
pub fn buffering(model: BufferedModel) -> Buffering {
    match model.buffers {
        Buffers::Sc => Buffering::None,
        Buffers::Tso => Buffering::Queue { bound: model.bound },
        Buffers::Pso => Buffering::ByLocation { bound: model.bound },
    }
}

/// A pairing that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPlan(pub String);

impl fmt::Display for BadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Plan {
    /// A plan with no other bound than that of the buffers.
    pub fn new(name: MemoryModel, algorithm: Algorithm, buffer_bound: Option<u32>) -> Result<Plan, BadPlan> {
        Plan::bounded(name, algorithm, Bounds { buffer: buffer_bound, context: None })
    }

    /// A model with the algorithm that suits it best, without bounds.
    pub fn best(name: MemoryModel) -> Plan {
        Plan::new(name, name.default_algorithm(), None).expect("a model and its default algorithm go together")
    }

    /// The only place where a pairing is refused, with a sentence that says what to choose. What may be asked for
    /// beside it is refused by [`Plan::with_atomics`], [`Plan::without_races`],
    /// [`Plan::with_robustness`], [`Plan::with_reuse`], [`Plan::with_symmetry`] and [`Plan::with_sampling`], and
    /// nowhere else.
    pub fn bounded(name: MemoryModel, algorithm: Algorithm, bounds: Bounds) -> Result<Plan, BadPlan> {
        refuse_bounds(name, algorithm, bounds)?;
        let schedules = |buffers| Semantics::Schedules(BufferedModel { buffers, bound: bounds.buffer });
        let semantics = match (name, algorithm) {
            (MemoryModel::Sc, Algorithm::Graphs) => Semantics::Graphs(Axiom::Sc),
            (MemoryModel::Tso, Algorithm::Graphs) => Semantics::Graphs(Axiom::Tso),
            (MemoryModel::Pso, Algorithm::Graphs) => Semantics::Graphs(Axiom::Pso),
            (MemoryModel::Ra, Algorithm::WeakTrace) => Semantics::Graphs(Axiom::ReleaseAcquire),
            (MemoryModel::Ra, Algorithm::Graphs) => Semantics::Graphs(Axiom::PlacedReleaseAcquire),
            (MemoryModel::Sra, Algorithm::Graphs) => Semantics::Graphs(Axiom::StrongReleaseAcquire),
            (MemoryModel::Rc11, Algorithm::Graphs) => Semantics::Graphs(Axiom::Rc11),
            (MemoryModel::Power, Algorithm::Rsmc) => Semantics::Commits(Committer::Power),
            (MemoryModel::AArch64, Algorithm::Rsmc) => Semantics::Commits(Committer::AArch64(Atomics::default())),
            (MemoryModel::Ra | MemoryModel::Sra | MemoryModel::Rc11 | MemoryModel::Power | MemoryModel::AArch64, _) => {
                let (model, best) = (name.title(), name.default_algorithm());
                let others = match algorithm {
                    Algorithm::WeakTrace => "--model ra",
                    Algorithm::Graphs => "--model rc11, sra, ra, sc, tso or pso",
                    Algorithm::Rsmc => "--model power or aarch64",
                    _ => "--model sc, tso or pso",
                };
                return Err(BadPlan(format!(
                    "`{algorithm}` does not explore the graphs of {model}: choose --algorithm {best}, or {others}"
                )));
            }
            (_, Algorithm::WeakTrace) => {
                return Err(BadPlan(format!(
                    "`weak-trace` explores the graphs of RA: choose --model ra, or --algorithm optimal for --model {name}"
                )));
            }
            (_, Algorithm::Rsmc) => {
                return Err(BadPlan(format!(
                    "`rsmc` explores the graphs of POWER and AArch64: choose --model power or aarch64, or --algorithm optimal for --model {name}"
                )));
            }
            (MemoryModel::Sc, _) => schedules(Buffers::Sc),
            (MemoryModel::Tso, _) => schedules(Buffers::Tso),
            (MemoryModel::Pso, _) => schedules(Buffers::Pso),
        };
        Ok(Plan { name, algorithm, semantics, context_bound: bounds.context, symmetry: false })
    }

    /// The algorithm for a model within bounds, where none is named.
    pub fn default_algorithm(name: MemoryModel, bounds: Bounds) -> Algorithm {
        if bounds.context.is_some() { Algorithm::Classic } else { name.default_algorithm() }
    }

    /// The plan that explores without its context bound what it explores within, where it has one.
    pub fn without_context_bound(&self) -> Option<Plan> {
        let bounds = Bounds { buffer: self.buffer_bound(), context: None };
        let whole = || Plan::bounded(self.name, self.name.default_algorithm(), bounds).ok();
        self.context_bound.and_then(|_| whole())
    }

    /// The plan with each of the bounds that cut something raised by one; `None` where none did.
    pub fn raised(self, cut: &[Limit]) -> Option<Plan> {
        let mut plan = self;
        for limit in cut.iter().filter(|limit| limit.is_bound()) {
            match (limit, &mut plan.semantics) {
                (Limit::Context(bound), _) => plan.context_bound = Some(bound + 1),
                (Limit::Buffer(bound), Semantics::Schedules(model)) => model.bound = Some(bound + 1),
                _ => {}
            }
        }
        (plan != self).then_some(plan)
    }

    /// What its executions are judged by.
    pub fn judged_by(&self) -> JudgedBy {
        match self.semantics {
            Semantics::Schedules(model) => JudgedBy::Buffered(buffering(model)),
            Semantics::Graphs(axiom) => JudgedBy::Graph(axiom),
            Semantics::Commits(Committer::Power) => JudgedBy::Power,
            Semantics::Commits(Committer::AArch64(atomics)) => JudgedBy::AArch64(atomics),
        }
    }

    /// Whether its executions can be told apart from those of SC.
    pub fn tells_robustness(&self) -> bool {
        match self.semantics {
            Semantics::Schedules(_) | Semantics::Commits(_) => true,
            Semantics::Graphs(axiom) => axiom.has_coherence() && !matches!(axiom, Axiom::Sc | Axiom::Tso | Axiom::Pso),
        }
    }

    /// The same, with read-modify-writes as compilers for AArch64 are asked to write them.
    pub fn with_atomics(mut self, asked: Atomics) -> Result<Plan, BadPlan> {
        match &mut self.semantics {
            Semantics::Commits(Committer::AArch64(atomics)) => *atomics = asked,
            _ if asked == Atomics::default() => {}
            _ => return Err(BadPlan("--aarch64-atomics says how AArch64 is used: choose --model aarch64, or leave it out".into())),
        }
        Ok(self)
    }

    /// How compilers for AArch64 write read-modify-writes, where that is not as they do where nothing is said.
    pub fn atomics(&self) -> Option<Atomics> {
        match self.semantics {
            Semantics::Commits(Committer::AArch64(atomics)) if atomics != Atomics::default() => Some(atomics),
            _ => None,
        }
    }

    /// The bounds that it keeps to.
    pub fn bounds(&self) -> Bounds {
        Bounds { buffer: self.buffer_bound(), context: self.context_bound }
    }

    /// The same, where data races are not looked for.
    pub fn without_races(self) -> Result<Plan, BadPlan> {
        let name = self.name.title();
        let why = format!("data races are faults under {name} only with --races: leave out --no-races");
        if self.forbids_races() { Ok(self) } else { Err(BadPlan(why)) }
    }

    /// The same, where executions are compared with those of SC.
    pub fn with_robustness(self) -> Result<Plan, BadPlan> {
        if matches!(self.semantics, Semantics::Graphs(Axiom::Sc | Axiom::Tso | Axiom::Pso)) {
            let why = "executions are compared with SC by schedules: choose --algorithm optimal, or leave out --robustness";
            return Err(BadPlan(why.into()));
        }
        let why = "weak traces are not compared with SC, since coherence is no part of them: choose --algorithm graphs, or leave out --robustness";
        if self.tells_robustness() { Ok(self) } else { Err(BadPlan(why.into())) }
    }

    /// The same, where `malloc` may give what was freed again.
    pub fn with_reuse(self) -> Result<Plan, BadPlan> {
        match self.semantics {
            Semantics::Schedules(_) => Ok(self),
            Semantics::Graphs(Axiom::Sc | Axiom::Tso | Axiom::Pso) => {
                Err(BadPlan("memory is used again in schedules: choose --algorithm optimal, or leave out --reuse".into()))
            }
            Semantics::Graphs(_) | Semantics::Commits(_) => {
                let name = self.name.title();
                Err(BadPlan(format!(
                    "memory is used again in schedules, not in graphs of {name}: choose --model sc, tso or pso, or leave out --reuse"
                )))
            }
        }
    }

    /// The same, where executions are drawn at random.
    pub fn with_sampling(self, strategy: Strategy) -> Result<Plan, BadPlan> {
        match self.semantics {
            _ if self.symmetry => Err(BadPlan("samples are drawn from all executions: leave out --symmetry".into())),
            _ if self.context_bound.is_some() => {
                Err(BadPlan("samples are not counted by their preemptions: choose --strategy pct, or leave out --context-bound".into()))
            }
            Semantics::Graphs(_) | Semantics::Commits(_) if strategy == Strategy::Pos => {
                let what = match self.name {
                    MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso => {
                        "these are graphs: choose --algorithm optimal, or --strategy uniform or pct".into()
                    }
                    name => format!("{} has graphs: choose --strategy uniform or pct", name.title()),
                };
                Err(BadPlan(format!("pos draws schedules, and {what}")))
            }
            Semantics::Schedules(_) | Semantics::Graphs(_) | Semantics::Commits(_) => Ok(self),
        }
    }

    /// The plan that explores the same executions as graphs, where there is one.
    pub fn as_graphs(&self) -> Option<Plan> {
        let is_alike = self.algorithm == Algorithm::Optimal && self.bounds() == Bounds::default();
        is_alike.then(|| Plan::new(self.name, Algorithm::Graphs, None).ok()).flatten()
    }

    /// The algorithm for a model where executions are to be explored up to the order of interchangeable threads, and
    /// none is named.
    pub fn symmetric_algorithm(name: MemoryModel, bounds: Bounds) -> Algorithm {
        match (name, bounds) {
            (MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso, Bounds { buffer: None, context: None }) => Algorithm::Graphs,
            _ => Plan::comparing_algorithm(name, bounds),
        }
    }

    /// The algorithm for a model where executions are to be compared with those of SC, and none is named: coherence is
    /// a part of them.
    pub fn comparing_algorithm(name: MemoryModel, bounds: Bounds) -> Algorithm {
        if name == MemoryModel::Ra { Algorithm::Graphs } else { Plan::default_algorithm(name, bounds) }
    }

    /// The same, up to the order of interchangeable threads.
    pub fn with_symmetry(self) -> Result<Plan, BadPlan> {
        let graphs = "executions are explored up to the order of interchangeable threads by graphs that have coherence";
        match self.semantics {
            Semantics::Graphs(Axiom::ReleaseAcquire) => {
                Err(BadPlan(format!("{graphs}, and weak traces have none: choose --algorithm graphs, or leave out --symmetry")))
            }
            Semantics::Graphs(_) => Ok(Plan { symmetry: true, ..self }),
            Semantics::Schedules(_) => {
                Err(BadPlan(format!("{graphs}, not by schedules: choose --algorithm graphs without bounds, or leave out --symmetry")))
            }
            Semantics::Commits(_) => Err(BadPlan(format!(
                "{graphs}, which {} does not have: choose --model sc, tso, pso, ra, sra or rc11, or leave out --symmetry",
                self.name.title()
            ))),
        }
    }

    /// Whether data races are part of the model: it says that what they do is undefined.
    pub fn forbids_races(&self) -> bool {
        self.semantics == Semantics::Graphs(Axiom::Rc11)
    }

    /// How many stores may wait in a buffer, where that is bounded.
    pub fn buffer_bound(&self) -> Option<u32> {
        match self.semantics {
            Semantics::Schedules(model) => model.bound,
            Semantics::Graphs(_) | Semantics::Commits(_) => None,
        }
    }
}

/// Refuses bounds that a model does not have, or that an algorithm cannot keep to.
fn refuse_bounds(name: MemoryModel, algorithm: Algorithm, bounds: Bounds) -> Result<(), BadPlan> {
    let model = || name.title();
    if !matches!(name, MemoryModel::Tso | MemoryModel::Pso) && bounds.buffer.is_some() {
        return Err(BadPlan(format!("{} has no store buffers to bound: choose --model tso or pso, or leave out --buffer-bound", model())));
    }
    if algorithm == Algorithm::Graphs && matches!(name, MemoryModel::Tso | MemoryModel::Pso) && bounds.buffer.is_some() {
        return Err(BadPlan("graphs have no store buffers to bound: choose --algorithm optimal, or leave out --buffer-bound".into()));
    }
    if !matches!(name, MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso) && bounds.context.is_some() {
        let why =
            format!("{} has no schedules with preemptions to bound: choose --model sc, tso or pso, or leave out --context-bound", model());
        return Err(BadPlan(why));
    }
    if bounds.context.is_some() && !matches!(algorithm, Algorithm::Naive | Algorithm::Classic) {
        let why = format!(
            "{algorithm} would miss executions within a context bound: choose --algorithm classic or naive, or leave out --context-bound"
        );
        return Err(BadPlan(why));
    }
    Ok(())
}
