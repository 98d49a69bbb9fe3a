//! A changed source: compiled in the place of the user's files, and checked as these were.

use super::MOST_CHECKS;
use crate::arguments::{CheckOptions, Input};
use crate::front_ends::load;
use crate::guard;
use crate::internal::Internal;
use raddle_check::{Limit, MemoryModel, Options, Outcome, Plan, Verdict, check, confirm};
use raddle_program::Program;
use raddle_report::{Asked, verdict_text};
use raddle_story::Story;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

/// How many events there may be where it is looked whether the program goes wrong under SC.
const EVENTS_UNDER_SC: u64 = 5_000_000;

/// What a check of a changed source says.
pub enum Answer {
    /// There is no fault. What the check says of that.
    Holds(String),
    /// There is one.
    Fails(Box<Story>),
    /// It cannot be compiled, or something was cut, or enough was tried.
    Unknown,
}

/// Checks changed sources.
pub struct Candidates<'a> {
    options: &'a CheckOptions,
    plan: Plan,
    what: Options<'a>,
    internal: &'a Internal,
    n_checked: u32,
}

impl<'a> Candidates<'a> {
    pub fn new(options: &'a CheckOptions, plan: Plan, what: &Options<'a>, internal: &'a Internal) -> Candidates<'a> {
        let what = Options { board: None, keep_going: false, ..what.clone() };
        Candidates { options, plan, what, internal, n_checked: 0 }
    }

    /// How many were checked.
    pub fn n_checked(&self) -> u32 {
        self.n_checked
    }

    /// Whether the source as it is goes wrong under SC.
    pub fn fails_under_sc(&self) -> bool {
        let Ok(program) = self.compile(&self.options.input) else { return false };
        let plan = Plan::best(MemoryModel::Sc);
        let what = Options { races: false, robustness: false, max_events: Some(EVENTS_UNDER_SC), ..self.what.clone() };
        check(&program, plan, &what, &mut |_| {}).verdict == Verdict::Refuted
    }

    /// Compiles and checks the program with these texts in the place of those of the files.
    pub fn check(&mut self, texts: &BTreeMap<PathBuf, String>) -> Answer {
        if self.n_checked >= MOST_CHECKS || guard::limit().is_some() {
            return Answer::Unknown;
        }
        self.n_checked += 1;
        let Ok(folder) = TempDir::new() else { return Answer::Unknown };
        let Some(overlay) = overlay(folder.path(), texts) else { return Answer::Unknown };
        let mut input = self.options.input.clone();
        input.cflags.extend(["-ivfsoverlay".into(), overlay.into_os_string(), "-w".into()]);
        let Ok(program) = self.compile(&input) else { return Answer::Unknown };
        let started = Instant::now();
        let what = Options { timeout: guard::time_left(), ..self.what.clone() };
        let mut outcome = check(&program, self.plan, &what, &mut |_| {});
        if holds(&outcome) {
            let plan = outcome.plan;
            let asked =
                Asked { file: String::new(), plan, sampling: None, robustness: self.options.robustness, statuses: self.options.statuses };
            return Answer::Holds(verdict_text(&asked, &outcome, started.elapsed().as_secs_f64()));
        }
        match confirm(&program, &what.limits, &mut outcome).into_iter().next() {
            Some(story) => Answer::Fails(Box::new(story)),
            None => Answer::Unknown,
        }
    }

    fn compile(&self, input: &Input) -> Result<Program, ()> {
        load(input, self.options.wanted.uninit, self.internal).map_err(drop)
    }
}

/// Whether there is no fault in all that was to be explored, within the bounds that the user has set.
fn holds(outcome: &Outcome) -> bool {
    let is_set = |limit: &Limit| limit.is_bound() || matches!(limit, Limit::Unroll(_) | Limit::Values(..));
    match outcome.verdict {
        Verdict::Verified => true,
        Verdict::Refuted => false,
        Verdict::Unknown => outcome.stop.is_none() && outcome.count.executions > 0 && outcome.limits.iter().all(is_set),
    }
}

/// Writes the texts, and a file that tells the compiler where they belong.
fn overlay(folder: &Path, texts: &BTreeMap<PathBuf, String>) -> Option<PathBuf> {
    let mut roots = Vec::new();
    for (n, (file, text)) in texts.iter().enumerate() {
        let changed = folder.join(n.to_string());
        std::fs::write(&changed, text).ok()?;
        roots.push(json!({ "name": std::path::absolute(file).ok()?, "type": "file", "external-contents": changed }));
    }
    let overlay = folder.join("overlay.yaml");
    let object = json!({ "version": 0, "use-external-names": false, "roots": roots });
    std::fs::write(&overlay, object.to_string()).ok()?;
    Some(overlay)
}
