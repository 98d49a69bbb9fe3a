//! Counts are those of one worker although workers are gone in the middle of a unit, units are explored twice, answers
//! come twice, late and in any order: under every model that can be divided, on random programs. Here is no network, so
//! that all of this happens thousands of times.

#[path = "../../check/tests/support/seeds.rs"]
mod seeds;
#[path = "../../check/tests/support/sum.rs"]
mod sum;

use raddle_check::{
    Account, Afar, Desk, Divided, Done, Gone, Limit, MemoryModel, Options, Origin, Plan, Rest, Start, Task, check, check_afar, help,
    is_divisible,
};
use raddle_cluster::{Asked, Ledger, TaskId};
use raddle_event::Random;
use raddle_machine::link;
use raddle_program::Program;
use raddle_sample::{Shape, describe};
use seeds::seeds;
use std::time::Duration;
use sum::Sum;

/// Programs with more executions than this are left out.
const MOST: u64 = 2_000;

/// A cluster in which everything goes wrong that may.
struct Careless<'p> {
    program: &'p Program,
    asked: Asked,
    random: Random,
    tasks: Vec<(TaskId, Task)>,
    answers: Vec<(TaskId, Vec<u8>)>,
    at: Option<(TaskId, bool)>,
    /// How many units were explored, how many of these in vain, and how many answers were not the first.
    n_explored: u64,
    n_lost: u64,
    n_late: u64,
}

impl Careless<'_> {
    /// Whether something happens that does once in so many times.
    fn happens(&mut self, once_in: u32) -> bool {
        self.random.once_in(once_in)
    }

    /// One worker works for a while.
    fn work(&mut self, start: &Start) {
        let (plan, options) = (self.asked.plan().expect("it is a plan"), self.asked.options());
        let program = self.program;
        help(program, plan, &options, start, self);
    }

    /// Enters one of the answers, in any order.
    fn enter(&mut self, ledger: &mut Ledger, account: &mut Account) {
        let n = self.random.below(self.answers.len() as u32) as usize;
        let (task, bytes) = match self.happens(4) {
            true => self.answers[n].clone(),
            false => self.answers.swap_remove(n),
        };
        let Done { counted, given, rest, learned } = postcard::from_bytes(&bytes).expect("it comes back");
        account.learn(learned);
        match ledger.enter(task, given, rest) {
            true => account.enter(counted),
            false => self.n_late += 1,
        }
        if self.happens(8) {
            *ledger = postcard::from_bytes(&postcard::to_stdvec(ledger).expect("it can be written")).expect("it comes back");
        }
        self.tasks.extend(ledger.hand_out());
    }
}

impl Desk for Careless<'_> {
    fn next(&mut self) -> Option<Task> {
        if self.tasks.is_empty() || self.happens(6) {
            return None;
        }
        let n = self.random.below(self.tasks.len() as u32) as usize;
        // Somebody is gone with the unit, which then comes again; or it comes again though nobody is gone.
        let (is_lost, is_again) = (self.happens(5), self.happens(5));
        let (id, task) = if is_lost || is_again { self.tasks[n].clone() } else { self.tasks.swap_remove(n) };
        self.at = Some((id, is_lost));
        Some(task)
    }

    fn is_due(&mut self) -> bool {
        self.happens(2)
    }

    fn n_wanted(&self) -> usize {
        3
    }

    fn hand_in(&mut self, done: Done) -> bool {
        let (id, is_lost) = self.at.take().expect("a unit was taken");
        self.n_explored += 1;
        match is_lost {
            true => self.n_lost += 1,
            false => self.answers.push((id, postcard::to_stdvec(&done).expect("it can be written"))),
        }
        !is_lost
    }
}

impl Afar for Careless<'_> {
    fn n_wanted(&mut self) -> usize {
        2
    }

    fn begins(&mut self, _: &Origin) {
        self.tasks.clear();
        self.answers.clear();
    }

    fn explore(&mut self, divided: Divided, account: &mut Account) -> Gone {
        let mut ledger = Ledger::new();
        let first = divided.first.expect("it is new");
        assert!(matches!(first.rest, Rest::Work(_)));
        self.answers.push((Ledger::FIRST, postcard::to_stdvec(&first).expect("it can be written")));
        while !ledger.is_done() {
            if !self.answers.is_empty() {
                self.enter(&mut ledger, account);
            }
            if let Some(gone) = account.ends() {
                return gone;
            }
            self.work(&divided.start);
        }
        Gone::Whole
    }
}

/// The plans that can be divided.
fn plans() -> Vec<Plan> {
    let graphs = |model| Plan::new(model, raddle_check::Algorithm::Graphs, None).ok();
    let best = MemoryModel::ALL.iter().map(|&(model, _)| Plan::best(model));
    let all = best.chain([MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso].into_iter().filter_map(graphs));
    all.filter(|&plan| is_divisible(plan, &Options::default()).is_ok()).collect()
}

fn compare_all(shape: &Shape, usual: u64) {
    let (mut n_explored, mut n_lost, mut n_late) = (0, 0, 0);
    for seed in seeds(usual) {
        let mut program = describe(seed, shape).lower();
        link(&mut program);
        for plan in plans() {
            let options = Options { keep_going: true, leaks: true, statuses: true, alone: Some(Duration::ZERO), ..Options::default() };
            let limited = Options { max_executions: Some(MOST), ..options.clone() };
            let one = Sum::of(check(&program, plan, &limited, &mut |_| {}));
            if one.limits.contains(&Limit::Executions(MOST)) {
                continue;
            }
            let asked = Asked::of(plan, &options);
            let random = Random::new(seed);
            let mut careless = Careless {
                program: &program,
                asked,
                random,
                tasks: Vec::new(),
                answers: Vec::new(),
                at: None,
                n_explored: 0,
                n_lost: 0,
                n_late: 0,
            };
            let several = Sum::of(check_afar(&program, plan, &options, &mut |_| {}, (&mut careless, None)));
            assert_eq!(several, one, "seed {seed} under {}", plan.name);
            (n_explored, n_lost, n_late) = (n_explored + careless.n_explored, n_lost + careless.n_lost, n_late + careless.n_late);
        }
    }
    let usual = usual.min(seeds(usual).count() as u64);
    assert!(n_explored > 5 * usual && n_lost > usual && n_late > usual / 4, "{n_explored} units, {n_lost} lost, {n_late} late");
}

#[test]
fn graphs_and_commits() {
    compare_all(&Shape { actions: 10, ..Shape::schedules() }, 60);
}

#[test]
fn choices() {
    compare_all(&Shape { actions: 10, ..Shape::choices() }, 60);
}

#[test]
fn locks() {
    compare_all(&Shape { actions: 10, ..Shape::locks() }, 60);
}

#[test]
fn awaits() {
    compare_all(&Shape { actions: 10, ..Shape::awaits() }, 60);
}

#[test]
fn spawned_threads_and_few_locations() {
    compare_all(&Shape { locations: 1..=2, ..Shape::plain() }, 60);
}

#[test]
fn reservations() {
    compare_all(&Shape::reservations(), 60);
}
