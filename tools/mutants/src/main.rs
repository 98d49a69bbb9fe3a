//! Mutation testing of what a verdict rests on: small changes to the code, drawn at random, that a test must see.
//!
//! usage: cargo run --release --manifest-path tools/mutants/Cargo.toml -- [--count N] [--seed S] [--longest T] [--again] [--go-on]
//!
//! All mutants are in one build of a copy of the repository (in target/mutants), and an environment variable chooses
//! one ("mutant schemata"; Untch, Offutt, Harrold, ISSTA 1993). Each test is first run without a mutant, to learn which it
//! reaches; then each mutant is tried with the tests that reach it, fast ones first, until one fails. Tests that take longer than T
//! seconds are left out. `--again` takes the mutants of the last time, as far as they are still there, and
//! tries those that survived or were not tried; `--go-on` only those that were not tried. Mutants that no test can see stand in survivors.txt with the reason.

mod sites;
mod tests;
mod tree;

use serde::{Deserialize, Serialize};
use sites::{Site, sites};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tests::{Binary, Noted, Seen, binaries, see};
use tree::Tree;

/// What is mutated of each crate; as many mutants are drawn of each.
const PARTS: &[(&str, &[&str])] = &[
    ("explore", &[""]),
    ("memory", &[""]),
    ("machine", &["runner", "apply.rs", "machine.rs", "out_of_order.rs", "spin.rs", "states.rs"]),
    ("join", &["schedules.rs", "graphs.rs", "commits.rs", "committed.rs", "core.rs", "ending.rs", "start_over.rs"]),
    ("check", &["search.rs", "tally.rs"]),
];

/// The crates whose tests are run.
const TESTED: &[&str] = &["explore", "memory", "machine", "join", "check", "litmus", "cli"];

/// How a mutant ended.
#[derive(Clone, Serialize, Deserialize)]
struct Verdict {
    key: String,
    place: String,
    change: String,
    /// The test that saw it.
    seen: Option<String>,
    /// Whether a test reaches it at all.
    reached: bool,
    seconds: f64,
}

fn main() {
    let (mut count, mut seed, mut longest, mut again, mut go_on) = (200, 1, 600, false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number follows");
        match argument.as_str() {
            "--count" => count = number(),
            "--seed" => seed = number(),
            "--longest" => longest = number(),
            "--again" => again = true,
            "--go-on" => go_on = true,
            _ => panic!("usage: [--count N] [--seed S] [--longest T] [--again] [--go-on]"),
        }
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there");
    run(&repository, count as usize, seed, longest as f64, again || go_on, go_on);
}

fn run(repository: &Path, count: usize, seed: u64, longest: f64, again: bool, go_on: bool) {
    let files = mutated(repository);
    let all: Vec<Site> = files.iter().flat_map(|(file, text)| sites(file, text)).collect();
    let keys = keys(&all);
    let crates: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
    let tree = Tree::copy(repository, &crates, &files);
    let work = repository.join("target/mutants");
    let mut order = drawn(&all, &keys, seed);
    let sample = std::fs::read_to_string(work.join("sample.txt")).unwrap_or_default();
    if again {
        let names: BTreeSet<&str> = sample.lines().collect();
        order.iter_mut().for_each(|ids| ids.retain(|&id| names.contains(keys[id].as_str())));
    }
    let (chosen, binaries) = build(&tree, &files, &all, &keys, order, count / PARTS.len(), &work.join("wrong.txt"));
    let names: String = chosen.keys().map(|&id| format!("{}\n", keys[id])).collect();
    if !again && names != sample {
        std::fs::remove_file(work.join("noted.jsonl")).unwrap_or_default();
    }
    std::fs::write(work.join("sample.txt"), names).expect("the sample can be written");
    let noted = note(&binaries, &keys, &work);
    let path = work.join("verdicts.jsonl");
    let mut verdicts: Vec<Verdict> = if again { lines(&path) } else { Vec::new() };
    verdicts.retain(|verdict| (go_on || verdict.seen.is_some()) && chosen.keys().any(|&id| keys[id] == verdict.key));
    let mut file = std::fs::File::create(path).expect("the verdicts can be written");
    let mut write = |verdict: &Verdict| {
        print(verdict);
        writeln!(file, "{}", serde_json::to_string(verdict).expect("a verdict is JSON")).expect("the verdicts can be written");
    };
    verdicts.iter().for_each(&mut write);
    let known: BTreeSet<String> = verdicts.iter().map(|verdict| verdict.key.clone()).collect();
    for (&id, site) in chosen.iter().filter(|(id, _)| !known.contains(&keys[**id])) {
        let verdict = verdict(id, site, &keys[id], &binaries, &noted, longest);
        write(&verdict);
        verdicts.push(verdict);
    }
    conclude(&verdicts, all.len());
}

/// The files that are mutated, with their text.
fn mutated(repository: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for (name, starts) in PARTS {
        let source = repository.join("crates").join(name).join("src");
        for path in sources(&source) {
            let inside = path.strip_prefix(&source).expect("it is in the folder").display().to_string();
            if starts.iter().any(|start| inside.starts_with(start)) {
                let text = std::fs::read_to_string(&path).expect("a source file is text");
                files.insert(format!("crates/{name}/src/{inside}"), text);
            }
        }
    }
    files
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it is readable").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// A name for each site that stays when other code changes.
fn keys(all: &[Site]) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let name = |site: &Site| format!("{} {}: {}", site.file, site.function, site.change);
    let mut number = |name: String| {
        let n = seen.entry(name.clone()).or_default();
        *n += 1;
        if *n == 1 { name } else { format!("{name} ({n})") }
    };
    all.iter().map(|site| number(name(site))).collect()
}

/// The numbers of all sites of each part, in an order that is drawn.
fn drawn(all: &[Site], keys: &[String], seed: u64) -> Vec<Vec<usize>> {
    let rank = |&id: &usize| {
        let mut hasher = DefaultHasher::new();
        (seed, &keys[id]).hash(&mut hasher);
        hasher.finish()
    };
    let part = |(name, _): &(&str, &[&str])| {
        let folder = format!("crates/{name}/");
        let mut ids: Vec<usize> = (0..all.len()).filter(|&id| all[id].file.starts_with(&folder)).collect();
        ids.sort_by_key(rank);
        ids
    };
    PARTS.iter().map(part).collect()
}

/// Builds with the first of each part that compile. Those that do not are remembered in a file.
fn build(
    tree: &Tree,
    files: &BTreeMap<String, String>,
    all: &[Site],
    keys: &[String],
    order: Vec<Vec<usize>>,
    each: usize,
    known: &Path,
) -> (BTreeMap<usize, Site>, Vec<Binary>) {
    let packages = |names: &[&str]| names.iter().flat_map(|name| ["--package".to_string(), package(name)]).collect::<Vec<_>>();
    let mutated: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
    let check = [vec!["check".to_string(), "--keep-going".to_string()], packages(&mutated)].concat();
    let test = [vec!["test".to_string(), "--no-run".to_string()], packages(TESTED)].concat();
    let text = std::fs::read_to_string(known).unwrap_or_default();
    let names: BTreeSet<&str> = text.lines().collect();
    let mut wrong: BTreeSet<usize> = (0..all.len()).filter(|&id| names.contains(keys[id].as_str())).collect();
    let mut messages = Vec::new();
    for command in [check, test] {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        loop {
            match tree.build(files, &choose(all, &order, &wrong, each), &command) {
                Ok(printed) => break messages = printed,
                Err(more) => wrong.extend(more),
            }
            println!("{} mutants do not compile", wrong.len());
            let text: String = wrong.iter().map(|&id| format!("{}\n", keys[id])).collect();
            std::fs::write(known, text).expect("the list can be written");
        }
    }
    (choose(all, &order, &wrong, each), binaries(&messages))
}

fn package(name: &str) -> String {
    if name == "cli" { "raddle".to_string() } else { format!("raddle-{name}") }
}

fn choose(all: &[Site], order: &[Vec<usize>], wrong: &BTreeSet<usize>, each: usize) -> BTreeMap<usize, Site> {
    let right = order.iter().flat_map(|ids| ids.iter().filter(|id| !wrong.contains(id)).take(each));
    right.map(|&id| (id, all[id].clone())).collect()
}

/// What each test reaches. What is known from an earlier run with the same mutants is not asked again.
fn note(binaries: &[Binary], keys: &[String], work: &Path) -> Vec<Noted> {
    let path = work.join("noted.jsonl");
    let mut noted: Vec<Noted> = lines(&path);
    let mut file = std::fs::File::options().create(true).append(true).open(path).expect("the notes can be written");
    for binary in binaries {
        for test in binary.tests() {
            if !noted.iter().any(|noted| noted.binary == binary.name && noted.test == test) {
                let new = binary.note(&test, &work.join("reached"), |id| keys[id].clone());
                println!("{:8.1} s  {} {}: reaches {}", new.seconds, new.binary, new.test, new.reached.len());
                writeln!(file, "{}", serde_json::to_string(&new).expect("it is JSON")).expect("the notes can be written");
                noted.push(new);
            }
        }
    }
    noted
}

fn lines<T: for<'d> Deserialize<'d>>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn verdict(id: usize, site: &Site, key: &str, binaries: &[Binary], noted: &[Noted], longest: f64) -> Verdict {
    let start = Instant::now();
    let seen = match see(id, key, binaries, noted, longest) {
        Seen::No => None,
        Seen::By(test) => Some(test),
    };
    let reached = noted.iter().any(|noted| noted.reached.contains(key));
    let place = format!("{}:{} {}", site.file, site.line, site.function);
    Verdict { key: key.to_string(), place, change: site.change.clone(), seen, reached, seconds: start.elapsed().as_secs_f64() }
}

/// The reasons that are written down, by mutant.
fn reasons() -> BTreeMap<&'static str, &'static str> {
    include_str!("../survivors.txt").lines().filter_map(|line| line.split_once(" ### ")).collect()
}

fn print(verdict: &Verdict) {
    let how = match (&verdict.seen, verdict.reached, reasons().get(verdict.key.as_str())) {
        (Some(test), ..) => format!("killed by {test}"),
        (None, _, Some(reason)) => format!("the same: {reason}"),
        (None, true, None) => "SURVIVED".to_string(),
        (None, false, None) => "SURVIVED (not reached)".to_string(),
    };
    println!("{} | {} | {how} | {:.1} s", verdict.place, verdict.change, verdict.seconds);
}

/// The numbers of each part. Ends with an error when a mutant survives without a reason.
fn conclude(verdicts: &[Verdict], n_sites: usize) {
    println!("\n{n_sites} sites\n| crate | mutants | killed | the same | survived |\n|---|---|---|---|---|");
    let reasons = reasons();
    let mut survived = 0;
    for (name, _) in PARTS {
        let own: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.place.starts_with(&format!("crates/{name}/"))).collect();
        let killed = own.iter().filter(|verdict| verdict.seen.is_some()).count();
        let same = own.iter().filter(|verdict| verdict.seen.is_none() && reasons.contains_key(verdict.key.as_str())).count();
        survived += own.len() - killed - same;
        println!("| {name} | {} | {killed} | {same} | {} |", own.len(), own.len() - killed - same);
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for test in verdicts.iter().filter_map(|verdict| verdict.seen.as_deref()) {
        *kinds.entry(test.split(':').next().unwrap_or_default()).or_default() += 1;
    }
    println!("\n| tests | mutants that they kill first |\n|---|---|");
    kinds.iter().for_each(|(kind, n)| println!("| {kind} | {n} |"));
    assert_eq!(survived, 0, "mutants survive");
}
