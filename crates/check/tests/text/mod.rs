//! Small programs for tests, written as papers write them.

use raddle_program::{Program, parse};
use std::fmt::Write;

/// A program with one thread per string. `x`, `y` and `z` are variables of four bytes that begin as zero; `=` gives a
/// value, `r=x` reads; `if r` goes on only when what was read last is not zero; `reserve x` is a load that reserves.
pub fn program(threads: &[&str]) -> Program {
    let text = text(threads);
    parse(&text).unwrap_or_else(|why| panic!("{why:?}\n{text}"))
}

fn text(threads: &[&str]) -> String {
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
    if let Some(from) = statement.strip_prefix("reserve ").and_then(variable) {
        return format!("  load.reserve r0, &g{from}, 4, relaxed\n");
    }
    let (to, value) = statement.split_once('=').expect("a statement is an assignment");
    match (variable(to), variable(value), value) {
        (None, Some(from), _) => format!("  load r0, &g{from}, 4, relaxed\n"),
        (Some(to), None, "r+1") => format!("  add r1, r0, 1, 32\n  store &g{to}, r1, 4, relaxed\n"),
        (Some(to), None, value) => format!("  store &g{to}, {value}, 4, relaxed\n"),
        _ => panic!("`{statement}` is no statement"),
    }
}
