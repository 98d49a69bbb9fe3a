//! Mistakes of Raddle itself: how they are said, and the file that shows them to those who can mend them.

use crate::input;
use crate::output::Output;
use crate::terminal::{complain, named};
use raddle_check::{guarded, note_panic};
use raddle_join::Stop;
use raddle_program::Program;
use raddle_report::{json_text, reproduction};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The most bytes of an input that a report takes along.
const MOST_INPUT: u64 = 1 << 20;

/// Keeps panics from printing frames, unless these are asked for in the usual way.
pub fn quiet_panics() {
    let frames = std::panic::take_hook();
    let wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |info| {
        note_panic(info);
        if wanted {
            frames(info);
        }
    }));
}

/// Where mistakes are reported: a file, where one is asked for.
pub struct Internal {
    file: Mutex<Option<(PathBuf, Output)>>,
}

impl Internal {
    /// Tries the file that `--report` names.
    pub fn new(report: Option<&Path>) -> Internal {
        let open = |path: &Path| Output::open(path).map_err(complain).ok().map(|output| (path.to_path_buf(), output));
        Internal { file: Mutex::new(report.and_then(open)) }
    }

    /// Does work on these files. Where something goes wrong with Raddle, it is said and there is nothing.
    pub fn guarded<T>(&self, files: &[PathBuf], work: impl FnOnce() -> T) -> Result<T, String> {
        guarded(work).inspect_err(|what| self.say(what, None, files))
    }

    /// Says what a check reports as wrong with Raddle, if anything.
    pub fn look_at(&self, stop: Option<&Stop>, program: &Program) {
        if let Some(Stop::Failed { what }) = stop {
            self.say(what, Some(program), &[]);
        }
    }

    /// Says what went wrong and how to report it, and writes the file that was asked for.
    pub fn say(&self, what: &str, program: Option<&Program>, files: &[PathBuf]) {
        complain(format!("internal error: {what}"));
        let Some((path, output)) = self.file.lock().ok().and_then(|mut file| file.take()) else {
            return complain(
                "this is a mistake of Raddle, not of what it was given. Please report it: run the command again with --report FILE and \
                 send that file",
            );
        };
        let command: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        let text = |file: &PathBuf| {
            let bytes = input::read(file, MOST_INPUT).ok()?;
            Some((file.to_string_lossy().into_owned(), String::from_utf8_lossy(&bytes).into_owned()))
        };
        let inputs = files.iter().filter_map(text).collect();
        match output.write(&(json_text(&reproduction(&command, what, program, &inputs)) + "\n")) {
            Ok(()) => complain(format!("this is a mistake of Raddle, not of what it was given. Please report it with {}", named(&path))),
            Err(why) => complain(why),
        }
    }
}
