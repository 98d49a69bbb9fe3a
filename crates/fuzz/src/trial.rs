//! Command lines, one after the other, each in a folder of its own.

use crate::command::{Line, draw};
use crate::inputs::Inputs;
use crate::verdict::{lateness, wrong};
use crate::watched::{Ended, watch};
use raddle_sample::Random;
use std::collections::BTreeSet;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A command that takes longer hangs.
const HANGS: Duration = Duration::from_secs(30);
/// A command that is late this often in a row is late; once may be the machine.
const TRIES: u32 = 4;

/// What is tried.
pub struct Trial {
    raddle: PathBuf,
    inputs: Inputs,
}

/// A command line that ended as none may.
#[derive(Debug)]
pub struct Finding {
    /// What is wrong.
    pub what: String,
    line: Line,
}

impl Trial {
    /// A trial of a binary.
    pub fn new(raddle: &Path) -> Result<Trial> {
        let raddle = raddle.canonicalize()?;
        Ok(Trial { inputs: Inputs::new(&raddle)?, raddle })
    }

    /// Tries the command line of a seed; gives its exit code, or what is wrong.
    pub fn run(&self, seed: u64) -> Result<std::result::Result<i32, Finding>> {
        let line = draw(&self.inputs, &mut Random::new(seed));
        let (end, folder) = self.attempt(&line)?;
        let found = match wrong(&line, &end).or_else(|| unexpected_file(&line, folder.path())) {
            Some(what) => Some(what),
            None if lateness(&line, &end).is_some() => self.is_late_again(&line)?,
            None => self.replayed(&line, &end, folder.path())?,
        };
        Ok(match found {
            Some(what) => Err(Finding { what, line }),
            None => Ok(end.code.unwrap_or(-1)),
        })
    }

    /// Runs a command line in a new folder.
    fn attempt(&self, line: &Line) -> Result<(Ended, TempDir)> {
        let folder = TempDir::new()?;
        for (name, bytes) in &line.files {
            std::fs::write(folder.path().join(name), bytes)?;
        }
        let end = watch(Command::new(&self.raddle).current_dir(&folder).args(&line.words), HANGS)?;
        Ok((end, folder))
    }

    /// Whether a command that was late is so each time.
    fn is_late_again(&self, line: &Line) -> Result<Option<String>> {
        let mut least = Duration::MAX;
        for _ in 1..TRIES {
            match lateness(line, &self.attempt(line)?.0) {
                Some(late) => least = least.min(late),
                None => return Ok(None),
            }
        }
        Ok(Some(format!("{least:?} later than 0.3 s after its time, {TRIES} times")))
    }

    /// A witness that was written shows its fault again.
    fn replayed(&self, line: &Line, end: &Ended, folder: &Path) -> Result<Option<String>> {
        let is_written = line.command() == "check" && line.option("--witness") == Some("w.json") && folder.join("w.json").exists();
        if !is_written {
            return Ok(None);
        }
        let again = watch(Command::new(&self.raddle).current_dir(folder).args(["replay", "w.json", "--timeout", "20"]), HANGS)?;
        Ok(match (end.code, again.code) {
            (Some(42), Some(42)) => None,
            (code, replay) => {
                Some(format!("a witness of exit code {code:?} is replayed with {replay:?}: {}", String::from_utf8_lossy(&again.err)))
            }
        })
    }
}

impl Finding {
    /// Writes the files of the command line into a folder, with the line itself in `command`.
    pub fn keep(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder)?;
        for (name, bytes) in &self.line.files {
            std::fs::write(folder.join(name), bytes)?;
        }
        std::fs::write(folder.join("command"), format!("{self}\n"))
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}: raddle", self.what)?;
        self.line.words.iter().try_for_each(|word| write!(f, " {word:?}"))
    }
}

/// A file that nobody asked for.
fn unexpected_file(line: &Line, folder: &Path) -> Option<String> {
    let mut expected: BTreeSet<&str> = line.files.iter().map(|file| file.0).collect();
    expected.extend(line.option("--witness"));
    let entries = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let changed = || line.files.iter().any(|(name, bytes)| std::fs::read(folder.join(name)).ok().as_ref() != Some(bytes));
    let other = entries.into_iter().find(|name| !expected.contains(name.as_str())).map(|name| format!("{name:?} was written"));
    other.or_else(|| changed().then(|| "an input was changed".into()))
}
