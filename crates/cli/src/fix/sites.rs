//! Where the source can be made stronger: the orders that the accesses of failing executions spell out, and the lines
//! before them, where fences can stand.

use super::Stage;
use super::order::Kind;
use super::source::{Spelled, fence, offset, spelled, statement};
use crate::input;
use raddle_event::Order;
use raddle_story::{Row, Story, is_library};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What a change makes of some sites, by their numbers: the others stay as they are.
pub type Raised = BTreeMap<usize, Order>;

/// A place in a text that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    /// An order that is spelled out.
    Spelled(Spelled),
    /// The begin of a line before which a fence can stand.
    Line(usize),
}

/// A place that can be changed.
#[derive(Clone, Debug)]
struct Site {
    file: PathBuf,
    line: u32,
    change: Change,
    /// What happened there in an execution, and to which variable.
    action: &'static str,
    variable: String,
}

/// All that can be changed.
#[derive(Default)]
pub struct Sites {
    originals: BTreeMap<PathBuf, String>,
    sites: Vec<Site>,
    /// Accesses whose order was not found.
    unread: BTreeSet<String>,
}

impl Sites {
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// The texts of the files as they are.
    pub fn originals(&self) -> &BTreeMap<PathBuf, String> {
        &self.originals
    }

    /// Accesses whose order was not found.
    pub fn unread(&self) -> Vec<&str> {
        self.unread.iter().map(String::as_str).collect()
    }

    /// Notes the accesses of an execution, and the lines before them where fences are wanted.
    pub fn note(&mut self, story: &Story, with_fences: bool) {
        for row in &story.rows {
            self.note_row(row, with_fences);
        }
    }

    fn note_row(&mut self, row: &Row, with_fences: bool) {
        let action = row.deed.action;
        if !matches!(action, "load" | "store" | "read-modify-write" | "fence" | "update") || row.deed.call.is_some() {
            return;
        }
        let Some(place) = row.place.as_ref().filter(|place| !is_library(place)) else { return };
        let file = PathBuf::from(&place.file);
        let Some(text) = self.text(&file) else { return };
        let Some(at) = offset(text, place.line, place.column) else { return };
        let variable = row.deed.variable.clone().unwrap_or_else(|| "memory".into());
        let access = format!("{action} of `{variable}`");
        let (found, line_at) = (spelled(text, at), statement(text, at));
        let site = |change, line| Site { file: file.clone(), line, change, action, variable: variable.clone() };
        let mut new = Vec::new();
        match found {
            Some(found) => new.push(site(Change::Spelled(found), place.line)),
            None if !matches!(row.deed.order, None | Some("plain" | "seq_cst")) => {
                self.unread.insert(format!("{access} at {}:{}", file.display(), place.line));
            }
            None => {}
        }
        if let Some(line_at) = line_at.filter(|_| with_fences) {
            let line = self.originals[&file][..line_at].matches('\n').count() as u32 + 1;
            new.push(site(Change::Line(line_at), line));
        }
        new.into_iter().for_each(|site| self.add(site));
    }

    /// Adds a site. One that is there gets the name of what it accesses, where only a call on the way to it was known.
    fn add(&mut self, site: Site) {
        match self.sites.iter_mut().find(|known| known.file == site.file && known.change == site.change) {
            Some(known) if !known.is_itself() && site.is_itself() => *known = site,
            Some(_) => {}
            None => self.sites.push(site),
        }
    }

    /// The text of a file, which is read once.
    fn text(&mut self, file: &Path) -> Option<&str> {
        if !self.originals.contains_key(file) {
            let bytes = input::read(file, input::MOST_SOURCE).ok()?;
            self.originals.insert(file.to_path_buf(), String::from_utf8(bytes).ok()?);
        }
        self.originals.get(file).map(String::as_str)
    }

    /// All sites raised as far as a stage says.
    pub fn raised(&self, stage: Stage) -> Raised {
        let raise = |(number, site): (usize, &Site)| {
            let order = match (&site.change, stage) {
                (Change::Line(_), _) => Order::SeqCst,
                (Change::Spelled(found), Stage::Synchronising) => found.kind.synchronising(),
                (Change::Spelled(_), _) => Order::SeqCst,
            };
            (Some(order) > site.order()).then_some((number, order))
        };
        self.sites.iter().enumerate().filter_map(raise).collect()
    }

    /// The sites in the order in which they are tried to be left as they are: fences first.
    pub fn dispensable_first(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.sites.len()).collect();
        all.sort_by_key(|&number| matches!(self.sites[number].change, Change::Spelled(_)));
        all
    }

    /// The orders one step weaker than one that a site was raised to.
    pub fn weaker(&self, site: usize, order: Order) -> Vec<Order> {
        let site = &self.sites[site];
        let kind = if let Change::Spelled(found) = &site.change { found.kind } else { Kind::Fence };
        let mut weaker = kind.weaker(order, site.order());
        weaker.retain(|order| Some(*order) != site.order());
        // Of a fence that can be either, the one that suits what comes after it.
        if kind == Kind::Fence && matches!(site.action, "store" | "update") {
            weaker.reverse();
        }
        weaker
    }

    /// The texts of the files that change, changed.
    pub fn texts(&self, raised: &Raised) -> BTreeMap<PathBuf, String> {
        let mut changes: BTreeMap<&PathBuf, Vec<(Range<usize>, String)>> = BTreeMap::new();
        for (&number, &order) in raised {
            let site = &self.sites[number];
            let original = &self.originals[&site.file];
            let change = match &site.change {
                Change::Spelled(found) => (found.at.clone(), found.word(order)),
                Change::Line(at) => {
                    let indent: String = original[*at..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
                    (*at..*at, format!("{indent}{}\n", fence(original, order)))
                }
            };
            changes.entry(&site.file).or_default().push(change);
        }
        let changed = changes.into_iter().map(|(file, mut changes)| {
            changes.sort_by_key(|(at, _)| at.start);
            let mut text = self.originals[file].clone();
            for (at, new) in changes.into_iter().rev() {
                text.replace_range(at, &new);
            }
            (file.clone(), text)
        });
        changed.collect()
    }

    /// Each change in words.
    pub fn words(&self, raised: &Raised) -> Vec<String> {
        let words = |(number, order): (&usize, &Order)| {
            let Site { file, line, change, variable, .. } = &self.sites[*number];
            let file = file.display();
            match change {
                Change::Spelled(found) => {
                    let access = found.kind.word();
                    let of = if found.kind == Kind::Fence { String::new() } else { format!(" of `{variable}`") };
                    format!("{file}:{line}: {access}{of}: {} -> {}", found.order.word(), order.word())
                }
                Change::Line(_) => format!("{file}:{line}: a fence before it: {}", order.word()),
            }
        };
        let mut all: Vec<(&usize, &Order)> = raised.iter().collect();
        all.sort_by_key(|(number, _)| (&self.sites[**number].file, self.sites[**number].line));
        all.into_iter().map(words).collect()
    }
}

impl Site {
    /// Whether what happened there is the access that is spelled out.
    fn is_itself(&self) -> bool {
        matches!(&self.change, Change::Spelled(found) if found.kind.word() == self.action)
    }

    /// The order that it has; none where there is no fence yet.
    fn order(&self) -> Option<Order> {
        match &self.change {
            Change::Spelled(found) => Some(found.order),
            Change::Line(_) => None,
        }
    }
}
