//! `raddle check`.

use crate::arguments::{CheckOptions, Format};
use crate::progress::Progress;
use crate::run::{load, print_stop};
use crate::terminal::{look, say, sources};
use crate::{INTERRUPTED, exit};
use raddle_check::{Bounds, Limit, Options, Outcome, Plan, Story, Verdict, check as check_program, check_iteratively, tell};
use raddle_machine::Limits;
use raddle_program::Program;
use raddle_report::{Asked, Header, WitnessFile, check_json, check_sarif, fault_text, verdict_text};
use std::time::Instant;

/// Checks a program and gives the exit code.
pub fn check(options: &CheckOptions) -> u8 {
    let plan = match plan(options) {
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
        robustness: options.robustness,
        count_not_robust: false,
        races: options.races,
        observed: Vec::new(),
        interrupted: Some(&INTERRUPTED),
    };
    let mut progress = Progress::new(options.format == Format::Human);
    let (plan, outcome) = match options.iterative {
        true => check_iteratively(&program, plan, &what, &mut |count| progress.show(count)),
        false => (plan, check_program(&program, plan, &what, &mut |count| progress.show(count))),
    };
    progress.clear();
    let asked = Asked { file: options.input.files[0].display().to_string(), plan, robustness: options.robustness };
    let seconds = started.elapsed().as_secs_f64();
    let stories = match stories(&program, plan, &what.limits, &outcome) {
        Ok(stories) => stories,
        Err(code) => return code,
    };
    if let Err(code) = write_witness(options, plan, &what.limits, &program, &outcome) {
        return code;
    }
    match options.format {
        Format::Json => say(check_json(&program, &asked, &outcome, seconds)),
        Format::Sarif => say(check_sarif(&asked, &outcome, &stories)),
        Format::Human => print_human(options, &asked, &outcome, &stories, seconds),
    }
    code(&program, &outcome)
}

fn plan(options: &CheckOptions) -> Result<Plan, String> {
    let bounds = options.bounds();
    if options.iterative && bounds == Bounds::default() {
        return Err("--iterative raises bounds: say with which to begin, by --buffer-bound 0 or --context-bound 0".into());
    }
    let algorithm = options.algorithm.unwrap_or_else(|| Plan::default_algorithm(options.model, bounds));
    let plan = Plan::bounded(options.model, algorithm, bounds).map_err(|why| why.to_string())?;
    if options.robustness && !plan.tells_robustness() {
        return Err(format!("executions under {} are not compared with SC: leave out --robustness", plan.name.to_string().to_uppercase()));
    }
    if options.races { plan.with_races().map_err(|why| why.to_string()) } else { Ok(plan) }
}

/// Runs each witness again by other code than found it. A fault that does not show then is ours, not the program's.
fn stories(program: &Program, plan: Plan, limits: &Limits, outcome: &Outcome) -> Result<Vec<Story>, u8> {
    let told = |found| {
        tell(program, plan, limits, found).map_err(|why| {
            eprintln!(
                "raddle: internal error: the search reports `{}: {}`, but its schedule does not show it ({why:?})",
                found.kind, found.message
            );
            exit::INTERNAL
        })
    };
    outcome.found.iter().map(told).collect()
}

fn write_witness(options: &CheckOptions, plan: Plan, limits: &Limits, program: &Program, outcome: &Outcome) -> Result<(), u8> {
    let (Some(path), Some(found)) = (&options.witness, outcome.found.first()) else { return Ok(()) };
    let input = &options.input;
    let files = input.files.iter().map(|file| file.display().to_string()).collect();
    let header = Header::new(files, input.cflags.clone(), input.clang.display().to_string(), plan, limits);
    std::fs::write(path, WitnessFile::new(header, program, found).text()).map_err(|why| {
        eprintln!("raddle: the witness cannot be written to {}: {why}", path.display());
        exit::USAGE
    })
}

fn print_human(options: &CheckOptions, asked: &Asked, outcome: &Outcome, stories: &[Story], seconds: f64) {
    for (found, story) in outcome.found.iter().zip(stories) {
        say(fault_text(found, story, &sources(story), look()));
    }
    let Some(text) = verdict_text(asked, outcome, seconds) else { return };
    say(text);
    if outcome.found.is_empty() {
        return;
    }
    match &options.witness {
        Some(path) => say(format!("To run it again: raddle replay {}", path.display())),
        None => say(format!("To keep it and run it again: {}, then raddle replay bug.json", with_witness(std::env::args()))),
    }
}

/// The command line again, with the option that writes a witness.
fn with_witness(arguments: impl Iterator<Item = String>) -> String {
    let quoted = |argument: String| match argument.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+@".contains(c)) {
        true => argument,
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    };
    let mut words: Vec<String> = arguments.skip(1).map(quoted).collect();
    words.insert(1.min(words.len()), "--witness bug.json".into());
    format!("raddle {}", words.join(" "))
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
