//! `raddle check --fix`: the smallest change of memory orders and fences with which a fault is gone.
//!
//! The orders of the accesses of the failing execution are raised, first so that they synchronise (acquire, release),
//! then to seq_cst, then with fences between them; each time the changed source is compiled and checked as the original
//! was. Where it still fails, the accesses of the new failing execution are raised too (counterexample-guided, as in
//! Alglave, Kroening, Nimal, Poetzl, "Don't sit on the fence", CAV 2014, where the cost is what is minimised). When it
//! holds, every change is taken back, or made weaker step by step, as long as it still holds. So no single change of
//! the answer can be left out or be a step weaker; that there is no smaller answer of another kind is not claimed.
//!
//! What is proposed has been compiled from the changed source text, which the compiler is given in the place of the
//! user's files (an overlay of its file system), and checked under the same model and bounds. Nothing is written to the
//! user's files.

mod candidate;
mod order;
mod patch;
mod sites;
mod source;

use crate::arguments::CheckOptions;
use crate::internal::Internal;
use crate::output::{Output, wanted};
use candidate::{Answer, Candidates};
use clap::Args;
use raddle_check::{MemoryModel, Options, Plan};
use raddle_event::FaultKind;
use raddle_event::Order;
use raddle_story::Story;
use serde_json::{Value, json};
use sites::{Raised, Sites};
use std::path::PathBuf;

/// The most changed sources that are checked for one proposal.
const MOST_CHECKS: u32 = 300;

#[derive(Args)]
pub struct FixOptions {
    /// Looks for the smallest change of memory orders and fences with which the first fault is gone, and shows it as a
    /// patch. What is proposed has been compiled and checked; the files stay as they are.
    #[arg(long, conflicts_with_all = ["property", "keep_going"])]
    pub fix: bool,
    /// The same, and writes the patch to this file, for `patch -p1` or `git apply`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["property", "keep_going"])]
    pub patch: Option<PathBuf>,
}

impl FixOptions {
    /// Whether a fix is asked for.
    pub fn is_asked(&self) -> bool {
        self.fix || self.patch.is_some()
    }

    /// Tries the file for the patch, which must be none of those that are checked.
    pub fn open(&self, inputs: &[PathBuf]) -> Result<Option<Output>, String> {
        wanted(self.patch.as_deref(), "patch", inputs)
    }
}

/// What is proposed, or why nothing is.
pub enum Proposal {
    /// With this change the fault is gone.
    Change {
        /// For `patch -p1` and `git apply`.
        patch: String,
        /// Each change in words.
        words: Vec<String>,
        /// What the check of the changed source says.
        verdict: String,
    },
    /// Nothing is proposed, for this reason.
    Nothing(String),
}

/// How far accesses are raised at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Synchronising,
    SeqCst,
    Fences,
}

/// Looks for the smallest change with which a fault is gone.
pub fn propose(options: &CheckOptions, (plan, what): (Plan, &Options), story: &Story, internal: &Internal) -> Proposal {
    if matches!(story.fault.fault.kind, FaultKind::Leak) {
        return Proposal::Nothing("no memory order keeps memory from leaking".into());
    }
    let mut search = Search { candidates: Candidates::new(options, plan, what, internal), sites: Sites::default() };
    if plan.name != MemoryModel::Sc && search.candidates.fails_under_sc() {
        return Proposal::Nothing("it goes wrong under SC too, where all orders are as strong as they can be".into());
    }
    if plan.name == MemoryModel::Sc {
        return Proposal::Nothing("under SC all orders are as strong as they can be".into());
    }
    for stage in [Stage::Synchronising, Stage::SeqCst, Stage::Fences] {
        if let Some((raised, verdict)) = search.enough(stage, story) {
            return search.proposal(raised, verdict);
        }
    }
    Proposal::Nothing(search.why_not())
}

/// A search under way.
struct Search<'a> {
    candidates: Candidates<'a>,
    sites: Sites,
}

impl Search<'_> {
    /// Raises all accesses of failing executions as far as a stage says, until none fails; then takes back what is not
    /// needed. Nothing where that is not enough.
    fn enough(&mut self, stage: Stage, story: &Story) -> Option<(Raised, String)> {
        self.sites.note(story, stage == Stage::Fences);
        loop {
            let raised = self.sites.raised(stage);
            let n_sites = self.sites.len();
            match self.check(&raised) {
                Answer::Holds(verdict) => return Some(self.lower(raised, verdict)),
                Answer::Fails(story) => self.sites.note(&story, stage == Stage::Fences),
                Answer::Unknown => return None,
            }
            if self.sites.len() == n_sites {
                return None;
            }
        }
    }

    /// Takes changes back, first whole, then step by step, as long as it holds.
    fn lower(&mut self, mut raised: Raised, mut verdict: String) -> (Raised, String) {
        for site in self.sites.dispensable_first() {
            let mut fewer = raised.clone();
            if fewer.remove(&site).is_some()
                && let Answer::Holds(said) = self.check(&fewer)
            {
                (raised, verdict) = (fewer, said);
            }
        }
        for site in self.sites.dispensable_first() {
            while let Some(&order) = raised.get(&site) {
                let weaker = self.sites.weaker(site, order).into_iter().map(|order| with(&raised, site, order));
                let holds = weaker.filter_map(|weaker| match self.check(&weaker) {
                    Answer::Holds(said) => Some((weaker, said)),
                    Answer::Fails(_) | Answer::Unknown => None,
                });
                let Some(found) = holds.into_iter().next() else { break };
                (raised, verdict) = found;
            }
        }
        (raised, verdict)
    }

    fn check(&mut self, raised: &Raised) -> Answer {
        self.candidates.check(&self.sites.texts(raised))
    }

    fn proposal(&self, raised: Raised, verdict: String) -> Proposal {
        let patch = patch::unified(self.sites.originals(), &self.sites.texts(&raised));
        Proposal::Change { patch, words: self.sites.words(&raised), verdict }
    }

    fn why_not(&self) -> String {
        if self.candidates.n_checked() >= MOST_CHECKS {
            return format!("{MOST_CHECKS} changes were checked, and none was enough");
        }
        let unread = self.sites.unread();
        let hidden = match unread.is_empty() {
            true => String::new(),
            false => format!("; how these spell their order was not understood: {}", unread.join(", ")),
        };
        format!("no stronger orders or fences at the accesses of the failing executions are enough{hidden}")
    }
}

fn with(raised: &Raised, site: usize, order: Order) -> Raised {
    let mut other = raised.clone();
    other.insert(site, order);
    other
}

impl Proposal {
    /// What is said to people.
    pub fn text(&self) -> String {
        match self {
            Proposal::Nothing(why) => format!("no fix: {why}"),
            Proposal::Change { patch, words, verdict } => {
                let each: String = words.iter().map(|word| format!("  {word}\n")).collect();
                let said = verdict.lines().next().unwrap_or_default();
                format!("a fix, which was compiled and checked ({said}):\n{each}\n{patch}")
            }
        }
    }

    /// The same for scripts.
    pub fn json(&self) -> Value {
        match self {
            Proposal::Nothing(why) => json!({ "patch": null, "changes": [], "why_not": why }),
            Proposal::Change { patch, words, verdict } => {
                json!({ "patch": patch, "changes": words, "checked": verdict.lines().next().unwrap_or_default() })
            }
        }
    }

    /// The patch, where there is one.
    pub fn patch(&self) -> Option<&str> {
        match self {
            Proposal::Change { patch, .. } => Some(patch),
            Proposal::Nothing(_) => None,
        }
    }
}
