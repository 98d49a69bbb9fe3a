//! The path of a witness as text: what was decided in the execution, word by word.
//!
//! A step of a schedule is `1` (thread 1 acts), `1:2` (its choice is 2), `u1` (its oldest buffered store reaches
//! memory) or `u1@4096+4` (its oldest buffered store to those bytes does). An event of a graph is `1` (thread 1 acts),
//! `1:2` (its choice is 2), `1<0.3` (it reads from event 3 of thread 0, counted from 0), `1<-` (it reads the initial
//! value), `1>0.3` (it comes right after that write in coherence) or `1>-` (it comes first). A commit is `1.0<2.3`
//! (event 0 of thread 1 reads from event 3 of thread 2), `1.0<` (it reads the initial value), `1.0>2.3` (it comes right
//! after that one in coherence), `1.0>` (it comes first), `1.0=2` (its choice is 2) or `1.0` (nothing is open).

use super::Malformed;
use raddle_event::{Address, EventId, Locations, Path, Range, ThreadId, Way, Who};
use serde::{Deserialize, Serialize};

/// No store of a schedule is larger than this.
const MOST_BYTES: u32 = 1 << 20;
/// Addresses have this many bits.
const ADDRESS_BITS: u32 = 47;

/// A path by its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PathText {
    Schedule(String),
    Graph(String),
    Commits(String),
}

impl PathText {
    /// The text of a path.
    pub fn of(path: &Path, locations: &Locations) -> PathText {
        match path {
            Path::Schedule(path) => PathText::Schedule(joined(path.iter().map(|&(who, choice)| step_text(who, choice, locations)))),
            Path::Graph(path) => PathText::Graph(joined(path.iter().map(|&(thread, way)| event_text(thread, way)))),
            Path::Commits(path) => PathText::Commits(joined(path.iter().map(|&(event, way)| commit_text(event, way)))),
        }
    }

    /// The path that is written here. Ranges that it names get numbers.
    pub fn read(&self, locations: &mut Locations) -> Result<Path, Malformed> {
        Ok(match self {
            PathText::Schedule(text) => Path::Schedule(words(text, "schedule", "step", |word| step(word, locations))?),
            PathText::Graph(text) => Path::Graph(words(text, "graph", "event", event)?),
            PathText::Commits(text) => Path::Commits(words(text, "commits", "commit", commit)?),
        })
    }
}

fn words<T>(text: &str, of: &str, what: &str, mut read: impl FnMut(&str) -> Option<T>) -> Result<Vec<T>, Malformed> {
    let one = |(n, word): (usize, &str)| {
        let shown: String = word.chars().take(40).collect();
        read(word).ok_or_else(|| Malformed(format!("path.{of}, word {}: `{shown}` is no {what}", n + 1)))
    };
    text.split_whitespace().enumerate().map(one).collect()
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn commit_text(event: EventId, way: Way) -> String {
    let id = |event: EventId| format!("{}.{}", event.thread.0, event.index);
    let other = |event: Option<EventId>| event.map_or(String::new(), id);
    let how = match way {
        Way::From(source) => format!("<{}", other(source)),
        Way::After(store) => format!(">{}", other(store)),
        Way::Outcome(outcome) => format!("={outcome}"),
        Way::Only | Way::Parked => String::new(),
    };
    id(event) + &how
}

fn commit(text: &str) -> Option<(EventId, Way)> {
    let id = |text: &str| {
        let (thread, index) = text.split_once('.')?;
        Some(EventId { thread: ThreadId(thread.parse().ok()?), index: index.parse().ok()? })
    };
    let other = |text: &str| if text.is_empty() { Some(None) } else { id(text).map(Some) };
    let Some(at) = text.find(['<', '>', '=']) else { return Some((id(text)?, Way::Only)) };
    let (event, rest) = (id(&text[..at])?, &text[at + 1..]);
    let way = match &text[at..=at] {
        "<" => Way::From(other(rest)?),
        ">" => Way::After(other(rest)?),
        _ => Way::Outcome(rest.parse().ok()?),
    };
    Some((event, way))
}

fn event_text(thread: ThreadId, way: Way) -> String {
    match way {
        Way::Only | Way::Parked => thread.0.to_string(),
        Way::Outcome(outcome) => format!("{}:{outcome}", thread.0),
        Way::After(None) => format!("{}>-", thread.0),
        Way::After(Some(write)) => format!("{}>{}.{}", thread.0, write.thread.0, write.index),
        Way::From(None) => format!("{}<-", thread.0),
        Way::From(Some(write)) => format!("{}<{}.{}", thread.0, write.thread.0, write.index),
    }
}

fn event(text: &str) -> Option<(ThreadId, Way)> {
    let other = |text: &str| match text {
        "-" => Some(None),
        _ => {
            let (thread, index) = text.split_once('.')?;
            Some(Some(EventId { thread: ThreadId(thread.parse().ok()?), index: index.parse().ok()? }))
        }
    };
    let Some(at) = text.find(['<', '>', ':']) else { return Some((ThreadId(text.parse().ok()?), Way::Only)) };
    let rest = &text[at + 1..];
    let way = match &text[at..=at] {
        "<" => Way::From(other(rest)?),
        ">" => Way::After(other(rest)?),
        _ => Way::Outcome(rest.parse().ok()?),
    };
    Some((ThreadId(text[..at].parse().ok()?), way))
}

fn step_text(who: Who, choice: u32, locations: &Locations) -> String {
    match who {
        Who::Thread(thread) if choice == 0 => thread.0.to_string(),
        Who::Thread(thread) => format!("{}:{choice}", thread.0),
        Who::Update(thread) => format!("u{}", thread.0),
        Who::UpdateAt(thread, at) => {
            let Range { start, size } = locations.range(at);
            format!("u{}@{}+{size}", thread.0, start.0)
        }
    }
}

fn step(text: &str, locations: &mut Locations) -> Option<(Who, u32)> {
    let Some(update) = text.strip_prefix('u') else {
        let (thread, choice) = text.split_once(':').unwrap_or((text, "0"));
        return Some((Who::Thread(ThreadId(thread.parse().ok()?)), choice.parse().ok()?));
    };
    let who = match update.split_once('@') {
        None => Who::Update(ThreadId(update.parse().ok()?)),
        Some((thread, range)) => {
            let (start, size) = range.split_once('+')?;
            let range = Range { start: Address(start.parse().ok()?), size: size.parse().ok()? };
            if range.start.0 >> ADDRESS_BITS != 0 || !(1..=MOST_BYTES).contains(&range.size) {
                return None;
            }
            Who::UpdateAt(ThreadId(thread.parse().ok()?), locations.number(range))
        }
    };
    Some((who, 0))
}
