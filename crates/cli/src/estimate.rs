//! `raddle estimate`: how many executions a check would have, without having them all.

use crate::arguments::{Input, Most, TableFormat, Wanted};
use crate::exit;
use crate::failure::Failure;
use crate::front_ends::load;
use crate::guard;
use crate::internal::Internal;
use crate::terminal::{say, say_object};
use clap::Args;
use raddle_check::{Algorithm, Estimate, Estimator, MemoryModel, Options, Plan};
use raddle_report::{estimate_words, time_words, versioned};
use serde_json::{Value, json};
use std::time::Instant;

#[derive(Args)]
pub struct EstimateOptions {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub most: Most,
    /// The memory model, as for `raddle check`.
    #[arg(long, short, default_value = "rc11")]
    pub model: MemoryModel,
    /// The algorithm whose executions are counted; the one of `raddle check` where nothing is said.
    #[arg(long)]
    pub algorithm: Option<Algorithm>,
    #[command(flatten)]
    pub wanted: Wanted,
    /// How many random parts of the executions are explored: the more, the narrower the range.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(4..=100_000))]
    pub tours: u32,
    /// What the random numbers begin with: the same ones give the same range.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How the answer is printed.
    #[arg(long, value_enum, ignore_case = true, default_value = "human")]
    pub format: TableFormat,
}

/// What was learned of a program.
struct Learned {
    estimate: Option<Estimate>,
    n_tours: usize,
    /// How many executions there are in a second.
    rate: f64,
}

/// Estimates how many executions there are, and gives the exit code.
pub fn estimate(options: &EstimateOptions, internal: &Internal) -> u8 {
    let plan = match plan(options) {
        Ok(plan) => plan,
        Err(why) => return failed(options, &Failure::new("usage", why, exit::USAGE)),
    };
    let (names, files, format) = (options.input.names(), options.input.files.clone(), options.format);
    guard::set_last_words(move |cause| {
        let failure = Failure::ended_reading(&files, &cause);
        failure.last_words(failure_object(&names, format, &failure).map_or(String::new(), |object| object.to_string() + "\n"))
    });
    let program = match load(&options.input, options.wanted.uninit, internal) {
        Ok(program) => program,
        Err(failure) => return failed(options, &failure),
    };
    let what = Options { races: options.wanted.races(plan), ..options.wanted.options(&options.input) };
    let Some(estimator) = Estimator::new(&program, plan, &what, options.seed) else {
        let why = format!("nothing can be estimated with --algorithm {}: choose another one", plan.algorithm);
        return failed(options, &Failure::new("usage", why, exit::USAGE));
    };
    let learned = learn(estimator, options.tours);
    let code = if learned.estimate.is_some() { 0 } else { exit::CUT };
    guard::answer(code);
    match options.format {
        TableFormat::Json => say_object(&object(options, plan, &learned, code)),
        TableFormat::Human => say(text(plan, &learned)),
    }
    code
}

fn plan(options: &EstimateOptions) -> Result<Plan, String> {
    let algorithm = options.algorithm.unwrap_or_else(|| options.model.default_algorithm());
    Plan::new(options.model, algorithm, None).map_err(|why| why.to_string())
}

/// Explores as always at first, by which it is known how fast that is; then so many tours.
fn learn(mut estimator: Estimator, n_tours: u32) -> Learned {
    let started = Instant::now();
    let goes_on = estimator.go_on();
    let rate = estimator.n_first() as f64 / started.elapsed().as_secs_f64();
    for _ in 0..n_tours {
        if !goes_on || !estimator.go_on() {
            break;
        }
    }
    Learned { estimate: estimator.estimate(), n_tours: estimator.tours().len(), rate }
}

fn text(plan: Plan, learned: &Learned) -> String {
    let model = plan.name.title();
    let Some(estimate) = &learned.estimate else {
        return format!("nothing honest can be said of how many executions there are under {model}");
    };
    if estimate.is_exact {
        return format!("{} under {model}: all of them were explored", estimate_words(estimate));
    }
    let time = time_words(estimate.low / learned.rate, estimate.high / learned.rate);
    format!(
        "{} under {model}\n{time} at {:.0} executions a second, by one worker; from {} random parts of the executions",
        estimate_words(estimate),
        learned.rate,
        learned.n_tours
    )
}

fn object(options: &EstimateOptions, plan: Plan, learned: &Learned, code: u8) -> Value {
    let executions = learned.estimate.map(|Estimate { low, likely, high, is_exact }| {
        json!({ "low": low.round(), "likely": likely.round(), "high": high.round(), "exact": is_exact })
    });
    let seconds = learned.estimate.map(|estimate| json!({ "low": estimate.low / learned.rate, "high": estimate.high / learned.rate }));
    of_estimate(json!({
        "file": options.input.names(), "model": plan.name.to_string(), "algorithm": plan.algorithm.to_string(),
        "executions": executions, "seconds": seconds, "tours": learned.n_tours, "seed": options.seed, "exit_code": code,
    }))
}

/// An answer of `raddle estimate` (docs/estimate.schema.json).
fn of_estimate(object: Value) -> Value {
    versioned("raddle-estimate", 1, object)
}

/// Says why there is nothing to estimate; gives the exit code.
fn failed(options: &EstimateOptions, failure: &Failure) -> u8 {
    guard::answer(failure.code);
    failure_object(&options.input.names(), options.format, failure).iter().for_each(say_object);
    failure.say()
}

/// The object for scripts where there is nothing to estimate.
fn failure_object(file: &str, format: TableFormat, failure: &Failure) -> Option<Value> {
    let (reason, code) = (&failure.reason, failure.code);
    let object = || of_estimate(json!({ "file": file, "executions": null, "reason": reason.json(), "exit_code": code }));
    (format == TableFormat::Json).then(object)
}
