//! What Raddle says of itself: its models, kinds of faults, completions for shells and pages for the manual.

use crate::arguments::{Arguments, CompletionsOptions, ExplainOptions};
use crate::exit;
use crate::failure::Failure;
use crate::terminal::{named, put, say};
use clap::CommandFactory;
use raddle_check::{Algorithm, Bounds, MemoryModel, Plan};
use raddle_event::FaultKind;
use raddle_report::explanation;
use std::path::Path;

/// Lists the models.
pub fn models() -> u8 {
    for (model, name) in MemoryModel::ALL {
        let allowed = Algorithm::ALL.iter().filter(|(algorithm, _)| Plan::bounded(model, *algorithm, Bounds::default()).is_ok());
        let algorithms: Vec<&str> = allowed.map(|(_, name)| *name).collect();
        say(format!("{name:8}  {}", model.description()));
        say(format!("{:8}  algorithms: {} (default {})", "", algorithms.join(", "), model.default_algorithm()));
    }
    say("\nNames may be written in any case; c11 is rc11.");
    0
}

/// Says what a kind of fault means.
pub fn explain(options: &ExplainOptions) -> u8 {
    let words = FaultKind::ALL.iter().map(|kind| kind.word());
    let Some(fault) = &options.fault else {
        say(words.collect::<Vec<_>>().join("\n"));
        return 0;
    };
    let word = fault.to_lowercase().replace(['_', ' '], "-");
    match FaultKind::from_word(&word) {
        Some(kind) => {
            say(explanation(kind).trim_end());
            0
        }
        None => {
            let nearest = raddle_check::did_you_mean(&word, &words.collect::<Vec<_>>());
            Failure::new("usage", format!("there is no kind of fault `{word}`{nearest} (`raddle explain` lists all)"), exit::USAGE).say()
        }
    }
}

/// Prints what a shell completes words by, or writes the manual.
pub fn completions(options: &CompletionsOptions) -> u8 {
    if let Some(folder) = &options.man {
        let written = clap_mangen::generate_to(Arguments::command(), folder);
        return match written {
            Ok(()) => 0,
            Err(why) => unwritten(folder, &why),
        };
    }
    let mut text = Vec::new();
    if let Some(shell) = options.shell {
        clap_complete::generate(shell, &mut Arguments::command(), "raddle", &mut text);
    }
    put(&String::from_utf8_lossy(&text));
    0
}

fn unwritten(folder: &Path, why: &std::io::Error) -> u8 {
    Failure::new("usage", format!("the manual cannot be written to {}: {why}", named(folder)), exit::USAGE).say()
}
