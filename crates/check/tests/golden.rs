//! Published counts: how many traces small programs have under each model (weak traces under RA), found by the algorithm that is the default for the model, one
//! execution each and none redundant.

use raddle_check::{MemoryModel, Options, Plan, Verdict, check};
use raddle_program::parse;
use std::fmt::Write;

/// A program with one thread per string. `x`, `y` and `z` are variables of four bytes that begin as zero; `=` gives a value, `r=x` reads; `if r`
/// goes on only when what was read last is not zero.
fn program(threads: &[&str]) -> String {
    let mut text = String::from("addresses code.0 globals.0\n");
    for (number, name) in VARIABLES.iter().enumerate() {
        writeln!(text, "global g{number} \"{name}\" size 4 align 4").expect("text takes text");
    }
    (0..threads.len()).for_each(|number| writeln!(text, "entry f{number}").expect("text takes text"));
    for (number, thread) in threads.iter().enumerate() {
        writeln!(text, "function f{number} \"P{number}\" parameters 0 results 0 registers 2\nb0:").expect("text takes text");
        let mut block = 0;
        for statement in thread.split(';').map(str::trim) {
            text.push_str(&instruction(statement, &mut block));
        }
        text.push_str("  return ()\n");
    }
    text
}

const VARIABLES: [&str; 3] = ["x", "y", "z"];

fn variable(name: &str) -> Option<usize> {
    VARIABLES.iter().position(|&variable| variable == name)
}

fn instruction(statement: &str, block: &mut u32) -> String {
    if statement == "if r" {
        *block += 2;
        let (end, then) = (*block - 1, *block);
        return format!("  br r0, b{then}, b{end}\nb{end}:\n  return ()\nb{then}:\n");
    }
    let (to, value) = statement.split_once('=').expect("a statement is an assignment");
    match (variable(to), variable(value), value) {
        (None, Some(from), _) => format!("  load r0, &g{from}, 4, relaxed\n"),
        (Some(to), None, "r+1") => format!("  add r1, r0, 1, 32\n  store &g{to}, r1, 4, relaxed\n"),
        (Some(to), None, value) => format!("  store &g{to}, {value}, 4, relaxed\n"),
        _ => panic!("`{statement}` is no statement"),
    }
}

#[track_caller]
fn golden(name: &str, threads: &[&str], counts: [u64; 5]) {
    let text = program(threads);
    let program = parse(&text).unwrap_or_else(|why| panic!("{name}: {why:?}\n{text}"));
    for ((model, _), expected) in MemoryModel::ALL.into_iter().zip(counts) {
        let plan = Plan::new(model, model.default_algorithm(), None).expect("the pairing exists");
        let outcome = check(&program, plan, &Options::default(), &mut |_| {});
        let found = (outcome.verdict, outcome.count.executions, outcome.count.redundant);
        assert_eq!(found, (Verdict::Verified, expected, 0), "{name} under {model}");
    }
}

#[test]
fn published_counts() {
    golden("SB", &["x=1; r=y", "y=1; r=x"], [3, 4, 4, 4, 4]);
    golden("MP", &["x=1; y=1", "r=y; r=x"], [3, 3, 4, 3, 4]);
    golden("LB", &["r=x; y=1", "r=y; x=1"], [3, 3, 3, 3, 4]);
    golden("TACAS 2015, figure 5", &["x=1; r=x", "x=2"], [3, 3, 3, 2, 3]);
    golden("PLDI 2015, figure 2", &["x=1; y=1", "r=y; if r; r=x"], [2, 2, 3, 2, 3]);
    golden("OOPSLA 2018, figure 1", &["x=1; r=x", "x=2; r=x"], [4, 4, 4, 3, 4]);
    golden("CAV 2016, figure 9", &["r=x", "x=1", "x=2"], [6, 6, 6, 3, 6]);
    golden("CAV 2016, figure 2", &["r=x; y=r+1", "r=y; x=1"], [3, 3, 3, 3, 4]);
}

#[test]
fn writers_and_a_reader() {
    for n in 1..=6 {
        let writers: Vec<String> = (1..=n).map(|value| format!("x={value}")).collect();
        let threads: Vec<&str> = std::iter::once("r=x").chain(writers.iter().map(String::as_str)).collect();
        let orders = (1..=n + 1).product();
        golden(&format!("{n} writers, one reader"), &threads, [orders, orders, orders, n + 1, orders]);
    }
}
