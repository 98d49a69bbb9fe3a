//! `raddle replay`: the execution of a witness once more.

use crate::arguments::{Input, ReplayOptions};
use crate::exit;
use crate::run::{load, print};
use crate::terminal::{look, say, sources};
use raddle_check::{MemoryModel, Plan, Untold, tell};
use raddle_report::{WitnessFile, fault_text};
use std::io::Write;

/// Runs a witness and gives the exit code.
pub fn replay(options: &ReplayOptions) -> u8 {
    match replayed(options) {
        Ok(code) => code,
        Err((why, code)) => {
            eprintln!("raddle: {}: {why}", options.witness.display());
            code
        }
    }
}

fn replayed(options: &ReplayOptions) -> Result<u8, (String, u8)> {
    let usage = |why: String| (why, exit::USAGE);
    let text = std::fs::read_to_string(&options.witness).map_err(|why| usage(why.to_string()))?;
    let file = WitnessFile::parse(&text).map_err(usage)?;
    let header = &file.header;
    let model: MemoryModel = header.model.parse().map_err(usage)?;
    let plan = Plan::new(model, model.default_algorithm(), header.buffer_bound).map_err(|why| usage(why.to_string()))?;
    let files = header.files.iter().map(Into::into).collect();
    let input = Input { files, cflags: header.cflags.clone(), clang: header.clang.clone().into() };
    let program = match load(&input) {
        Ok(program) => program,
        Err(code) => return Ok(code),
    };
    let changed = |what: &str| {
        let made = match header.raddle == env!("CARGO_PKG_VERSION") {
            true => String::new(),
            false => format!(" (it was written by Raddle {})", header.raddle),
        };
        (format!("{what}: the program has changed since the witness was written{made}; check it again"), exit::USAGE)
    };
    let found = file.found(&program).map_err(|_| changed("the witness does not fit the program"))?;
    let story = tell(&program, plan, &header.limits(), &found).map_err(|why| match why {
        Untold::DoesNotFit => changed("a step of the schedule cannot be taken"),
        Untold::NoFault => changed("the schedule can be run, but the fault does not happen"),
    })?;
    say(fault_text(&found, &story, &sources(&story), look()));
    if !story.output.is_empty() {
        say("The program printed:\n");
        let _gone = std::io::stdout().flush();
        print(&story.output);
        say("");
    }
    Ok(exit::FAULT)
}
