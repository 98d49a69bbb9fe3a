//! Executions in which threads wait for ever, with and without awaits ([awaits](../../../docs/awaits.md)): how threads
//! stand in the end, and what is in memory then, must be the same. A loop that waits can read older values, so that an
//! await that may always read one that ends the loop would hide the execution in which the thread spins on the last
//! one. The plain twin of `rc11.rs` follows the same rule of what is left out, and cannot see that.

use crate::support::commit_twin::Judged;
use crate::support::linked::linked;
use crate::support::seeds::seeds;
use raddle_event::{LocationId, Range, ThreadId};
use raddle_explore::{End, Sink, optimal, revisit, rsmc};
use raddle_join::{Committing, Ending, Grown, Scheduled, Standing, Stop, start_over};
use raddle_machine::{Limits, Machine, OutOfOrder};
use raddle_memory::aarch64::AArch64;
use raddle_memory::buffered::{self, BufferedModel, Buffers};
use raddle_memory::graphs::GraphModel;
use raddle_memory::power::Power;
use raddle_memory::ra::Ra;
use raddle_memory::{rc11, sra};
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Larger programs are left out.
const MOST: usize = 20_000;

/// What is in memory but for zeroes.
type Memory = Vec<(Range, u64)>;

/// How threads stand, and what is in memory.
type Final = (Vec<String>, Memory);

/// All ends of executions but those in which a thread is parked on what is in memory no longer.
#[derive(Default)]
struct Ends {
    all: BTreeSet<Final>,
    n_executions: usize,
    is_refused: bool,
}

impl Ends {
    fn note(&mut self, ending: &impl Ending, memories: impl Fn() -> Vec<Memory>) -> ControlFlow<()> {
        self.n_executions += 1;
        if let Some(stop) = ending.stop() {
            self.is_refused |= !matches!(stop, Stop::Contradicted);
            return ControlFlow::Break(());
        }
        let standings = ending.standings();
        let is_stale = |(_, standing): &(ThreadId, Standing)| matches!(standing, Standing::Stale | Standing::Assumes);
        if !standings.iter().any(is_stale) {
            let stand: Vec<String> = standings.iter().map(|found| format!("{found:?}")).collect();
            self.all.extend(memories().into_iter().map(|memory| (stand.clone(), memory)));
        }
        if self.n_executions > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'p, M: Judged> Sink<Committing<'p, M>> for Ends {
    fn execution(&mut self, committing: &Committing<'p, M>, end: End) -> ControlFlow<()> {
        if end == End::Redundant {
            return ControlFlow::Continue(());
        }
        let memory = || {
            let locations = committing.machine.locations();
            let ranges = (0..locations.len() as u32).map(|at| locations.range(LocationId(at)));
            let words = ranges.map(|range| (range, committing.final_value(range.start, range.size)));
            let mut memory: Memory = words.filter(|(_, word)| *word != 0).collect();
            memory.sort();
            vec![memory]
        };
        self.note(committing, memory)
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Ends::default();
    }
}

impl<'p, M: GraphModel> Sink<Grown<'p, M>> for Ends {
    fn execution(&mut self, grown: &Grown<'p, M>, _: End) -> ControlFlow<()> {
        self.note(grown, || memories(grown))
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Ends::default();
    }
}

impl<'p> Sink<Scheduled<'p>> for Ends {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if end == End::Redundant {
            return ControlFlow::Continue(());
        }
        let memory = || {
            let locations = scheduled.machine.locations();
            let all = (0..locations.len() as u32).map(LocationId).filter(|&at| scheduled.machine.word_of(at).is_none());
            let words = all.map(|at| (locations.range(at), scheduled.memory.word(at)));
            let mut memory: Memory = words.filter(|(_, word)| *word != 0).collect();
            memory.sort();
            vec![memory]
        };
        self.note(scheduled, memory)
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Ends::default();
    }
}

/// What memory may have in the end: where several writes can be last, each of them, since the orders of different
/// variables do not depend on one another.
fn memories<M: GraphModel>(grown: &Grown<M>) -> Vec<Memory> {
    let locations = grown.machine.locations();
    let mut ranges: Vec<Range> = (0..locations.len() as u32).map(|at| locations.range(LocationId(at))).collect();
    ranges.sort();
    let mut all = vec![Vec::new()];
    for range in ranges {
        let values = grown.memory.final_values(range, locations).unwrap_or_default();
        let words: BTreeSet<u64> = values.iter().map(|value| value.word()).collect();
        let with = |memory: &Vec<(Range, u64)>, word: u64| {
            let more = (word != 0).then_some((range, word));
            memory.iter().copied().chain(more).collect()
        };
        if !words.is_empty() {
            all = all.iter().flat_map(|memory| words.iter().map(move |&word| with(memory, word))).collect();
        }
    }
    all
}

fn ends<M: GraphModel>(program: &Program, model: impl Fn() -> M, awaits: bool) -> Ends {
    let mut ends = Ends::default();
    let limits = Limits { awaits, ..Limits::default() };
    let start = |sites| Grown::of(Machine::new(program, limits.clone(), sites), model(), true);
    start_over(&mut ends, start, |grown, ends| {
        let _ended = revisit(grown, ends);
        false
    });
    ends
}

fn ends_of_schedules(program: &Program, model: BufferedModel, awaits: bool) -> Ends {
    let mut ends = Ends::default();
    let limits = Limits { awaits, buffered: !model.is_direct(), ..Limits::default() };
    let start = |sites| Scheduled::of(Machine::new(program, limits.clone(), sites), buffered::Memory::new(model, false), true);
    start_over(&mut ends, start, |scheduled, ends| {
        let _ended = optimal(scheduled, ends);
        false
    });
    ends
}

fn ends_of_commits<M: Judged>(program: &Program, awaits: bool) -> Ends {
    let mut ends = Ends::default();
    let limits = Limits { awaits, ..Limits::default() };
    let start = |sites| Committing::<M>::of(OutOfOrder::new(program, limits.clone(), sites, M::MAPPING), true);
    start_over(&mut ends, start, |committing, ends| {
        let _ended = rsmc(committing, ends);
        false
    });
    ends
}

/// What is different with awaits and without.
fn difference([with, without]: [Ends; 2]) -> Option<String> {
    let is_large = with.n_executions > MOST || without.n_executions > MOST;
    if is_large || with.is_refused || without.is_refused || with.all == without.all {
        return None;
    }
    let (missing, extra) = (without.all.difference(&with.all).next(), with.all.difference(&without.all).next());
    Some(format!("with awaits this is missing: {missing:?}, and this is too much: {extra:?}"))
}

#[track_caller]
fn check<M: GraphModel>(usual: u64, shape: &Shape, model: impl Fn() -> M) {
    check_by(usual, shape, |program, awaits| ends(program, &model, awaits));
}

#[track_caller]
fn check_schedules(usual: u64, shape: &Shape) {
    for buffers in [Buffers::Sc, Buffers::Tso, Buffers::Pso] {
        let model = BufferedModel { buffers, bound: None };
        check_by(usual, shape, |program, awaits| ends_of_schedules(program, model, awaits));
    }
}

#[track_caller]
fn check_commits<M: Judged>(usual: u64, shape: &Shape) {
    check_by(usual, shape, ends_of_commits::<M>);
}

#[track_caller]
fn check_by(usual: u64, shape: &Shape, ends: impl Fn(&Program, bool) -> Ends) {
    let compare = |program: &Program| difference([true, false].map(|awaits| ends(program, awaits)));
    for seed in seeds(usual) {
        let description = describe(seed, shape);
        if let Some(what) = compare(&linked(description.lower())) {
            let small = minimise(description, |program| compare(program).is_some());
            panic!("seed {seed}: {what}\n{small}\n{:?}", compare(&linked(small.lower())));
        }
    }
}

fn of_pairs() -> Shape {
    Shape { orders: true, ..Shape::awaits_of_pairs() }
}

fn beside_locks() -> Shape {
    Shape { orders: true, locks: true, branches: 2, actions: 8, ..Shape::awaits() }
}

fn among_updates() -> Shape {
    Shape { orders: true, rmws: true, cas: 2, fences: true, ..Shape::awaits() }
}

#[test]
fn schedules_with_loads_and_stores() {
    check_schedules(200, &Shape { orders: true, ..Shape::awaits() });
}

#[test]
fn schedules_among_updates_and_locks() {
    check_schedules(200, &among_updates());
    check_schedules(200, &beside_locks());
}

#[test]
fn schedules_of_loops_that_look_at_pairs() {
    check_schedules(300, &of_pairs());
}

#[test]
fn rc11_with_loops_that_look_at_pairs() {
    check(300, &of_pairs(), || rc11::Graph::new(false, false));
}

#[test]
fn ra_and_sra_with_loops_that_look_at_pairs() {
    check(200, &of_pairs(), || Ra::new(false));
    check(200, &of_pairs(), || sra::Graph::new(false, false));
}

#[test]
fn commits_with_loops_that_look_at_pairs() {
    let shape = Shape { pairs: true, rmws: true, ..Shape::power_awaits() };
    check_commits::<Power>(150, &shape);
    check_commits::<AArch64>(150, &shape);
}

#[test]
fn rc11_with_loads_and_stores() {
    check(400, &Shape { orders: true, ..Shape::awaits() }, || rc11::Graph::new(false, false));
}

#[test]
fn rc11_among_updates() {
    check(400, &among_updates(), || rc11::Graph::new(false, false));
}

#[test]
fn rc11_beside_locks() {
    check(300, &beside_locks(), || rc11::Graph::new(false, false));
}

#[test]
fn ra_with_loads_and_stores() {
    check(400, &Shape::awaits(), || Ra::new(false));
}

#[test]
fn ra_among_updates_and_locks() {
    check(200, &among_updates(), || Ra::new(false));
    check(200, &beside_locks(), || Ra::new(false));
}

#[test]
fn sra_among_updates_and_locks() {
    check(200, &among_updates(), || sra::Graph::new(false, false));
    check(200, &beside_locks(), || sra::Graph::new(false, false));
}

#[test]
fn power_with_loads_stores_and_barriers() {
    check_commits::<Power>(300, &Shape::power_awaits());
}

#[test]
fn power_among_updates_and_locks() {
    check_commits::<Power>(150, &Shape { rmws: true, cas: 2, ..Shape::power_awaits() });
    check_commits::<Power>(150, &Shape { locks: true, ..Shape::power_awaits() });
}

#[test]
fn aarch64_with_loads_stores_and_barriers() {
    check_commits::<AArch64>(300, &Shape::power_awaits());
}

#[test]
fn aarch64_among_updates_and_locks() {
    check_commits::<AArch64>(150, &Shape { rmws: true, cas: 2, ..Shape::power_awaits() });
    check_commits::<AArch64>(150, &Shape { locks: true, ..Shape::power_awaits() });
}
