//! Random programs are valid, survive the text syntax, are varied, and can be shrunk.

use raddle_program::{Instr, Program, parse, verify};
use raddle_sample::{Access, Description, Shape, Statement, Style, describe, minimise, program};
use std::collections::{BTreeMap, BTreeSet};

const SEEDS: u64 = 2000;

#[track_caller]
fn check_program(description: &Description) {
    let program = description.lower();
    verify(&program).unwrap_or_else(|invalid| panic!("{invalid}\n{description}\n{program}"));
    let printed = program.to_string();
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert!(again == program, "another program comes back\n{printed}");
}

/// Checks the programs of all seeds and gives their descriptions.
#[track_caller]
fn check(shape: &Shape) -> Vec<Description> {
    let all: Vec<Description> = (0..SEEDS).map(|seed| describe(seed, shape)).collect();
    for description in &all {
        check_program(description);
        assert!(description.threads.len() as u32 <= *shape.threads.end(), "{description}");
        assert!(description.n_actions() <= shape.actions, "{description}");
    }
    all
}

fn kind(statement: &Statement) -> String {
    let text = format!("{statement:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string()
}

/// In how many descriptions each kind of statement appears.
fn kinds(all: &[Description]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for description in all {
        let kinds: BTreeSet<String> = description.statements().into_iter().map(kind).collect();
        kinds.into_iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
    }
    counts
}

const EVERYTHING: [&str; 15] = [
    "AssertNot",
    "Broadcast",
    "Choose",
    "CompareExchange",
    "Fence",
    "If",
    "Join",
    "Load",
    "Locked",
    "Rmw",
    "Signal",
    "Spawn",
    "Store",
    "TryLocked",
    "Wait",
];

#[track_caller]
fn check_variety(all: &[Description]) {
    let counts = kinds(all);
    assert_eq!(counts.keys().map(String::as_str).collect::<Vec<_>>(), EVERYTHING);
    for (kind, &n) in &counts {
        assert!(n >= SEEDS as usize / 50, "{kind} appears in {n} programs only");
    }
    for n_threads in 2..=4 {
        assert!(all.iter().filter(|d| d.threads.len() == n_threads).count() > SEEDS as usize / 10);
    }
    let spawned = all.iter().filter(|d| d.style == Style::Spawned).count();
    assert!((SEEDS as usize / 3..SEEDS as usize * 2 / 3).contains(&spawned));
    let nested = |d: &&Description| d.threads[1..].iter().flatten().any(|s| matches!(s, Statement::Spawn(_)));
    assert!(all.iter().filter(nested).count() > SEEDS as usize / 50);
}

/// The ranges that are accessed, by location.
fn ranges(description: &Description) -> BTreeMap<u32, BTreeSet<(u32, u32)>> {
    let mut ranges: BTreeMap<u32, BTreeSet<(u32, u32)>> = BTreeMap::new();
    for access in description.statements().into_iter().filter_map(Statement::access) {
        assert!(access.offset + access.size <= 8, "{description}");
        assert!(access.order == raddle_event::Order::Plain || access.offset % access.size == 0, "{description}");
        ranges.entry(access.location).or_default().insert((access.offset, access.size));
    }
    ranges
}

#[test]
fn schedules() {
    let all = check(&Shape::schedules());
    check_variety(&all);
    let mixed = all.iter().filter(|d| ranges(d).values().any(|ranges| ranges.len() > 1)).count();
    assert!(mixed > SEEDS as usize / 4, "{mixed}");
}

#[test]
fn graphs_have_one_range_for_each_location() {
    let all = check(&Shape::graphs());
    check_variety(&all);
    assert!(all.iter().all(|d| ranges(d).values().all(|ranges| ranges.len() == 1)));
}

#[test]
fn tiny_programs_have_loads_stores_and_updates() {
    let all = check(&Shape::tiny());
    assert_eq!(kinds(&all).keys().map(String::as_str).collect::<Vec<_>>(), ["Load", "Rmw", "Store"]);
    assert!(all.iter().all(|d| d.style == Style::Entries && d.threads.len() == 2));
}

/// Whether a thread loads right after a store what it stored.
fn forwards(description: &Description) -> bool {
    let is_load_of = |two: &[Statement]| match two {
        [Statement::Store { to, .. }, Statement::Load { from, .. }] => to.location == from.location && to.size == from.size,
        _ => false,
    };
    description.threads.iter().any(|body| body.windows(2).any(is_load_of))
}

#[track_caller]
fn check_plain(shape: &Shape, kinds_wanted: &[&str]) {
    let all = check(shape);
    assert_eq!(kinds(&all).keys().map(String::as_str).collect::<Vec<_>>(), kinds_wanted);
    let n = all.iter().filter(|description| forwards(description)).count();
    assert!(n > SEEDS as usize / 3, "{n} have loads that follow a store");
    let orders = all.iter().flat_map(|d| d.statements()).filter(|s| matches!(s, Statement::Load { .. } | Statement::Store { .. }));
    let n_ordered = orders.filter_map(Statement::access).filter(|access| access.order != raddle_event::Order::Plain).count();
    assert_eq!(n_ordered > 0, shape.orders);
}

#[test]
fn plain_programs_load_what_they_stored() {
    check_plain(&Shape::plain(), &["Load", "Store"]);
    check_plain(&Shape::long(), &["Load", "Store"]);
    check_plain(&Shape::many(), &["Load", "Store"]);
    check_plain(&Shape::updates(), &["CompareExchange", "Load", "Rmw", "Store"]);
    check_plain(&Shape::branches(), &["If", "Load", "Store"]);
    check_plain(&Shape::orders(), &["Fence", "Load", "Store"]);
    check_plain(&Shape::overlaps(), &["CompareExchange", "Load", "Rmw", "Store"]);
    check_plain(&Shape::awaits(), &["Await", "Load", "SpinLocked", "Store"]);
    check_plain(&Shape::awaits_of_pairs(), &["Await", "AwaitPair", "CompareExchange", "Load", "Rmw", "SpinLocked", "Store"]);
    check_plain(&Shape::locks(), &["Broadcast", "If", "Load", "Locked", "Signal", "Store", "TryLocked", "Wait"]);
}

/// Whether a thread branches, and the program has this kind of statement.
fn branches_and(description: &Description, wanted: &str) -> bool {
    let kinds: BTreeSet<String> = description.statements().into_iter().map(kind).collect();
    kinds.contains("If") && kinds.contains(wanted)
}

#[test]
fn choices_are_branched_on() {
    let all = check(&Shape::choices());
    let n = all.iter().filter(|d| branches_and(d, "Choose")).count();
    assert!(n > SEEDS as usize / 2, "{n}");
}

/// Whether a compare-exchange has bytes in common with an access of another range.
fn overlaps_another(description: &Description) -> bool {
    let all = description.statements();
    let exchanges = all.iter().filter(|s| matches!(s, Statement::CompareExchange { .. })).filter_map(|s| s.access());
    let others: Vec<_> = all.iter().filter_map(|s| s.access()).collect();
    let bytes = |a: &Access| a.offset..a.offset + a.size;
    let meet = |a: &Access, b: &Access| a.location == b.location && bytes(a).start < bytes(b).end && bytes(b).start < bytes(a).end;
    exchanges.into_iter().any(|a| others.iter().any(|b| meet(&a, b) && bytes(&a) != bytes(b)))
}

#[test]
fn exchanges_overlap_accesses_of_other_sizes() {
    let n = check(&Shape::exchanges()).iter().filter(|d| overlaps_another(d)).count();
    assert!(n > SEEDS as usize / 2, "{n}");
}

#[test]
fn a_seed_always_gives_the_same_program() {
    let shape = Shape::schedules();
    for seed in 0..100 {
        assert!(program(seed, &shape) == program(seed, &shape));
    }
    let different: BTreeSet<String> = (0..SEEDS).map(|seed| describe(seed, &shape).to_string()).collect();
    assert!(different.len() > SEEDS as usize * 9 / 10, "{}", different.len());
}

/// Whether some statement locks this mutex around another one.
fn nests(description: &Description, outer: u32) -> bool {
    description.statements().into_iter().any(|statement| match statement {
        Statement::Locked(mutex, body) => mutex.0 == outer && body.iter().any(|inside| matches!(inside, Statement::Locked(..))),
        _ => false,
    })
}

#[test]
fn threads_meet() {
    let shape = Shape::schedules();
    let all: Vec<Description> = (0..SEEDS).map(|seed| describe(seed, &shape)).collect();
    let deadlocks = all.iter().filter(|description| nests(description, 0) && nests(description, 1)).count();
    assert!(deadlocks > SEEDS as usize / 50, "{deadlocks}");
    let has = |description: &Description, wanted: &Statement| description.statements().contains(&wanted);
    let signalled =
        all.iter().filter(|d| has(d, &Statement::Wait) && (has(d, &Statement::Signal) || has(d, &Statement::Broadcast))).count();
    assert!(signalled > SEEDS as usize / 50, "{signalled}");
    let idle = all.iter().flat_map(|description| &description.threads).filter(|body| body.is_empty()).count();
    assert!(idle < SEEDS as usize / 2, "{idle}");
}

#[test]
fn everything_smaller_is_a_program_too() {
    for seed in 0..300 {
        let description = describe(seed, &Shape::schedules());
        for smaller in description.smaller() {
            assert_ne!(smaller, description);
            check_program(&smaller);
        }
    }
}

fn has(program: &Program, wanted: impl Fn(&Instr) -> bool) -> bool {
    program.functions.iter().flat_map(|function| &function.code).any(wanted)
}

#[test]
fn a_failing_program_becomes_minimal() {
    let fails = |program: &Program| {
        has(program, |instr| matches!(instr, Instr::Rmw { .. })) && has(program, |instr| matches!(instr, Instr::FenceOp { .. }))
    };
    let mut n_failing = 0;
    for description in (0..SEEDS).map(|seed| describe(seed, &Shape::schedules())).filter(|d| fails(&d.lower())) {
        n_failing += 1;
        let minimal = minimise(description, fails);
        assert!(minimal.threads.len() <= 2 && minimal.style == Style::Entries, "{minimal}");
        assert_eq!(minimal.statements().len(), 2, "{minimal}");
    }
    assert!(n_failing > 50, "{n_failing}");
}

#[test]
fn spawning_stays_where_it_matters() {
    let shape = Shape::schedules();
    let joins = |program: &Program| program.externs.iter().any(|name| name == "pthread_join");
    let description = (0..).map(|seed| describe(seed, &shape)).find(|d| joins(&d.lower())).expect("there is one");
    let minimal = minimise(description, joins);
    assert_eq!(minimal.to_string(), "2 threads, spawned by the first\nthread 0:\n  spawn thread 1\n  join thread 1\nthread 1:\n");
}
