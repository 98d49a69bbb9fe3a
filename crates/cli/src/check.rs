//! `raddle check`.

use crate::arguments::{CheckOptions, Format};
use crate::run::{load, print_stop};
use crate::{INTERRUPTED, exit};
use raddle_check::{Limit, Options, Outcome, Plan, Verdict, check as check_program};
use raddle_program::Program;
use raddle_report::{check_json, limit_words, place_words};
use std::time::Instant;

/// Checks a program and gives the exit code.
pub fn check(options: &CheckOptions) -> u8 {
    let plan = match Plan::new(options.model, options.algorithm, options.buffer_bound) {
        Ok(plan) => plan,
        Err(why) => {
            eprintln!("raddle: {why}");
            return exit::USAGE;
        }
    };
    let program = match load(&options.input) {
        Ok(program) => program,
        Err(code) => return code,
    };
    let started = Instant::now();
    let what = Options {
        limits: options.limits(),
        max_executions: options.max_executions,
        max_events: options.max_events,
        timeout: options.timeout,
        keep_going: options.keep_going,
        liveness: options.liveness,
        leaks: options.leaks,
        interrupted: Some(&INTERRUPTED),
    };
    let outcome = check_program(&program, plan, &what, &mut |_| {});
    let seconds = started.elapsed().as_secs_f64();
    match options.format {
        Format::Json => println!("{}", check_json(&program, &options.input.files[0].display().to_string(), plan, &outcome, seconds)),
        Format::Human => print_human(&program, plan, &outcome, seconds),
    }
    code(&program, &outcome)
}

fn print_human(program: &Program, plan: Plan, outcome: &Outcome, seconds: f64) {
    let limits: Vec<String> = outcome.limits.iter().map(limit_words).collect();
    let count = outcome.count;
    for found in &outcome.found {
        println!("{}: {} ({}, {})", found.kind, found.message, found.thread, place_words(program, &found.moment));
    }
    let verdict = match outcome.verdict {
        Verdict::Verified => "verified",
        Verdict::Refuted => "refuted",
        _ => "unknown",
    };
    let cut = if limits.is_empty() { String::new() } else { format!(" within {}", limits.join(", ")) };
    println!(
        "{verdict}{cut} under {}: {} executions, {} blocked, {} redundant, {} events, {seconds:.2} s",
        plan.name, count.executions, count.blocked, count.redundant, count.events
    );
}

fn code(program: &Program, outcome: &Outcome) -> u8 {
    match &outcome.verdict {
        Verdict::Verified => 0,
        Verdict::Refuted => exit::FAULT,
        Verdict::Unknown if outcome.limits.contains(&Limit::Interrupted) => exit::INTERRUPTED,
        Verdict::Unknown => exit::CUT,
        Verdict::Stopped(stop) => print_stop(program, stop),
    }
}
