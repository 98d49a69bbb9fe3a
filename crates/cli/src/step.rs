//! `raddle replay --step`, `--until` and `--watch`: an execution event by event.

use crate::arguments::ReplayOptions;
use crate::terminal::say;
use raddle_report::{event_line, fault_words, state_text, values, variables};
use raddle_story::Story;
use std::io::{BufRead, IsTerminal, Write};

/// Shows what is asked for.
pub fn step(options: &ReplayOptions, story: &Story) -> Result<(), String> {
    if let Some(why) = &story.untold {
        return Err(format!("the execution cannot be shown: {why}"));
    }
    let end = options.until.unwrap_or(story.rows.len());
    if end > story.rows.len() {
        return Err(format!("--until {end}: the execution has {} events", story.rows.len()));
    }
    if !options.watch.is_empty() {
        return options.watch.iter().try_for_each(|variable| watch(story, variable));
    }
    let mut state = story.initial_state();
    for n in 0..end {
        say(event_line(story, n));
        let before = options.step.then(|| state.clone());
        story.advance(&mut state, n);
        if options.step {
            say(state_text(story, &state, before.as_ref()).trim_end());
            if !goes_on() {
                return Ok(());
            }
        }
    }
    if !options.step {
        say(state_text(story, &state, None).trim_end());
    }
    if end == story.rows.len() {
        say(fault_words(&story.fault));
    }
    Ok(())
}

fn watch(story: &Story, variable: &str) -> Result<(), String> {
    let lines = values(story, variable);
    if lines.is_empty() {
        let names = variables(story);
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let nearest = raddle_check::did_you_mean(variable, &known);
        return Err(format!("--watch {variable}: there is no such variable{nearest} (there are {})", known.join(", ")));
    }
    say(format!("{variable}:"));
    lines.iter().for_each(say);
    Ok(())
}

/// Waits for a line where a person steps; `false` where that is `q` or the end.
fn goes_on() -> bool {
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return true;
    }
    let _unseen = write!(std::io::stderr(), "(Enter: on, q: end) ");
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok_and(|n| n > 0) && line.trim() != "q"
}
