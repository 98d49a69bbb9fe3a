//! The file that keeps a witness: the program's files, how they were checked, and the schedule, in JSON.
//!
//! Threads, addresses and shared sites are numbered as the search has met them; their numbers are kept, so that the same numbers mean the same in
//! a replay. A step is written as `1` (thread 1 acts), `1:2` (its choice is 2), `u1` (its oldest buffered store reaches memory) or
//! `u1@4096+4` (its oldest buffered store to those bytes does). An event of a graph is written as `1` (thread 1 acts), `1:2` (its choice is 2), `1<0.3` (it reads from
//! what is event 3 of thread 0, counted from 0) or `1<-` (it reads the initial value). A commit is written as
//! `1.0<2.3` (event 0 of thread 1 reads from event 3 of thread 2), `1.0<` (it reads the initial value), `1.0>2.3` (it comes right after that one in coherence), `1.0>` (it comes first) or
//! `1.0=2` (its choice is 2).

use raddle_check::{Found, Path, Plan, Witness};
use raddle_event::{Address, AddressMap, Block, EventId, FaultKind, Locations, Parameter, Range, Region, ThreadId, ThreadNames, Way};
use raddle_machine::{Limits, Moment, Site, Sites, Tables};
use raddle_memory::Who;
use raddle_program::{FunctionId, GlobalId, Program};
use serde::{Deserialize, Serialize};

/// What was checked, as the command line said it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Raddle.
    pub raddle: String,
    pub files: Vec<String>,
    pub cflags: Vec<String>,
    pub clang: String,
    pub model: String,
    pub buffer_bound: Option<u32>,
    pub unroll: Option<u32>,
    pub max_heap_bytes: u64,
    pub uninit: bool,
    pub malloc_may_fail: bool,
    pub spurious: bool,
    pub nondet: Option<(i64, i64)>,
}

/// A fault, and the numbers of the functions and instructions on the stack of its thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Fault {
    kind: String,
    message: String,
    thread: u32,
    stack: Vec<(u32, u32)>,
}

/// A witness with all that is needed to run it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessFile {
    #[serde(flatten)]
    pub header: Header,
    fault: Fault,
    /// The parent of each thread and how many siblings came before it.
    threads: Vec<Option<(u32, u32)>>,
    /// The parts of the address space beyond the program's own, in order.
    blocks: Vec<String>,
    shared: Vec<String>,
    /// Where copies of shared bytes are cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<u64>,
    /// The schedule, where the model has schedules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<String>,
    /// The events of the graph in the order in which they were added, where the model has graphs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    events: Option<String>,
    /// The events in the order in which they were committed, where the model has that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commits: Option<String>,
}

/// The witness was made for another program than this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

impl Header {
    /// What the machine may do.
    pub fn limits(&self) -> Limits {
        Limits {
            unroll: self.unroll,
            heap: self.max_heap_bytes,
            uninitialised: self.uninit,
            malloc_may_fail: self.malloc_may_fail,
            spurious: self.spurious,
            nondet: self.nondet,
            ..Limits::default()
        }
    }

    /// The same with what a plan and limits say.
    pub fn new(files: Vec<String>, cflags: Vec<String>, clang: String, plan: Plan, limits: &Limits) -> Header {
        Header {
            raddle: env!("CARGO_PKG_VERSION").into(),
            files,
            cflags,
            clang,
            model: plan.name.to_string(),
            buffer_bound: plan.buffer_bound(),
            unroll: limits.unroll,
            max_heap_bytes: limits.heap,
            uninit: limits.uninitialised,
            malloc_may_fail: limits.malloc_may_fail,
            spurious: limits.spurious,
            nondet: limits.nondet,
        }
    }
}

impl WitnessFile {
    /// The witness of a fault that was found in a program.
    pub fn new(header: Header, program: &Program, found: &Found) -> WitnessFile {
        let Witness { path, sites, tables } = &found.witness;
        let stack = found.moment.stack.iter().map(|(function, at)| (function.0, *at)).collect();
        let fault = Fault { kind: found.kind.word().into(), message: found.message.clone(), thread: found.thread.0, stack };
        let known = program.addresses.blocks().count();
        let parent = |n| tables.names.parent(ThreadId(n)).map(|(parent, nth)| (parent.0, nth));
        let (mut steps, mut events, mut commits) = (None, None, None);
        match path {
            Path::Schedule(path) => steps = Some(joined(path.iter().map(|&(who, choice)| step_text(who, choice, &tables.locations)))),
            Path::Graph(path) => events = Some(joined(path.iter().map(|&(thread, way)| event_text(thread, way)))),
            Path::Commits(path) => commits = Some(joined(path.iter().map(|&(event, parameter)| commit_text(event, parameter)))),
        }
        WitnessFile {
            header,
            fault,
            threads: (0..tables.names.len() as u32).map(parent).collect(),
            blocks: tables.map.blocks().skip(known).map(block_text).collect(),
            shared: sites.sorted().into_iter().map(site_text).collect(),
            cuts: sites.cuts().collect(),
            steps,
            events,
            commits,
        }
    }

    /// Reads the text of a file; the error is a sentence.
    pub fn parse(text: &str) -> Result<WitnessFile, String> {
        serde_json::from_str(text).map_err(|why| format!("this is not a witness of Raddle: {why}"))
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a witness can be written") + "\n"
    }

    /// The fault with its witness, for the program that the files make.
    pub fn found(&self, program: &Program) -> Result<Found, Mismatch> {
        let read = || {
            let mut locations = Locations::default();
            let path = match (&self.steps, &self.events, &self.commits) {
                (Some(steps), None, None) => {
                    Path::Schedule(steps.split_whitespace().map(|text| step(text, &mut locations)).collect::<Option<_>>()?)
                }
                (None, Some(events), None) => Path::Graph(events.split_whitespace().map(event).collect::<Option<_>>()?),
                (None, None, Some(commits)) => Path::Commits(commits.split_whitespace().map(commit).collect::<Option<_>>()?),
                _ => return None,
            };
            let mut map = program.addresses.clone();
            self.blocks.iter().try_for_each(|text| add_block(&mut map, text))?;
            let mut sites = Sites::default();
            for text in &self.shared {
                sites.share(site(text, program)?);
            }
            self.cuts.iter().for_each(|&address| sites.cut(address));
            let stack = self.fault.stack.iter().map(|&(function, at)| instruction(program, function, at)).collect::<Option<Vec<_>>>()?;
            let tables = Tables { map, names: self.names(program)?, locations };
            Some(Found {
                kind: FaultKind::from_word(&self.fault.kind)?,
                message: self.fault.message.clone(),
                thread: ThreadId(self.fault.thread),
                moment: Moment { stack },
                witness: Witness { path, sites, tables },
            })
        };
        read().ok_or(Mismatch)
    }

    fn names(&self, program: &Program) -> Option<ThreadNames> {
        let mut names = ThreadNames::default();
        for (number, parent) in self.threads.iter().enumerate() {
            let given = match parent {
                None => names.root(),
                Some((parent, nth)) => names.child(ThreadId(*parent), *nth),
            };
            (given.index() == number).then_some(())?;
        }
        (names.len() >= program.entries.len()).then_some(names)
    }
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn commit_text(event: EventId, parameter: Parameter) -> String {
    let id = |event: EventId| format!("{}.{}", event.thread.0, event.index);
    let other = |event: Option<EventId>| event.map_or(String::new(), id);
    let how = match parameter {
        Parameter::Source(source) => format!("<{}", other(source)),
        Parameter::After(store) => format!(">{}", other(store)),
        Parameter::Outcome(outcome) => format!("={outcome}"),
        Parameter::Plain => String::new(),
    };
    id(event) + &how
}

fn commit(text: &str) -> Option<(EventId, Parameter)> {
    let id = |text: &str| {
        let (thread, index) = text.split_once('.')?;
        Some(EventId { thread: ThreadId(thread.parse().ok()?), index: index.parse().ok()? })
    };
    let other = |text: &str| if text.is_empty() { Some(None) } else { id(text).map(Some) };
    let Some(at) = text.find(['<', '>', '=']) else { return Some((id(text)?, Parameter::Plain)) };
    let (event, rest) = (id(&text[..at])?, &text[at + 1..]);
    let parameter = match &text[at..at + 1] {
        "<" => Parameter::Source(other(rest)?),
        ">" => Parameter::After(other(rest)?),
        _ => Parameter::Outcome(rest.parse().ok()?),
    };
    Some((event, parameter))
}

fn event_text(thread: ThreadId, way: Way) -> String {
    match way {
        Way::Only => thread.0.to_string(),
        Way::Outcome(outcome) => format!("{}:{outcome}", thread.0),
        Way::From(None) => format!("{}<-", thread.0),
        Way::From(Some(write)) => format!("{}<{}.{}", thread.0, write.thread.0, write.index),
    }
}

fn event(text: &str) -> Option<(ThreadId, Way)> {
    let (thread, way) = match (text.split_once('<'), text.split_once(':')) {
        (Some((thread, "-")), _) => (thread, Way::From(None)),
        (Some((thread, write)), _) => {
            let (writer, index) = write.split_once('.')?;
            (thread, Way::From(Some(EventId { thread: ThreadId(writer.parse().ok()?), index: index.parse().ok()? })))
        }
        (None, Some((thread, outcome))) => (thread, Way::Outcome(outcome.parse().ok()?)),
        (None, None) => (text, Way::Only),
    };
    Some((ThreadId(thread.parse().ok()?), way))
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
            Who::UpdateAt(ThreadId(thread.parse().ok()?), locations.number(range))
        }
    };
    Some((who, 0))
}

fn block_text(block: Block) -> String {
    let (region, thread) = match block.region {
        Region::Code => ("code", None),
        Region::Globals => ("globals", None),
        Region::Threads => ("threads", None),
        Region::Heap(thread) => ("heap", Some(thread)),
        Region::Stack(thread) => ("stack", Some(thread)),
        Region::ThreadLocal(thread) => ("local", Some(thread)),
    };
    let size = if block.is_large() { "large" } else { "small" };
    format!("{region} {} {} {size}", thread.map_or(0, |thread| thread.0), block.first)
}

fn add_block(map: &mut AddressMap, text: &str) -> Option<()> {
    let mut words = text.split(' ');
    let region = words.next()?;
    let thread = ThreadId(words.next()?.parse().ok()?);
    let region = match region {
        "code" => Region::Code,
        "globals" => Region::Globals,
        "threads" => Region::Threads,
        "heap" => Region::Heap(thread),
        "stack" => Region::Stack(thread),
        "local" => Region::ThreadLocal(thread),
        _ => return None,
    };
    let first = words.next()?.parse().ok()?;
    let size = if words.next()? == "large" { AddressMap::MAX_OBJECT } else { 1 };
    map.address(region, first, size).map(|_| ())
}

fn site_text(site: Site) -> String {
    match site {
        Site::Global(global) => format!("global {}", global.0),
        Site::ThreadLocal(global) => format!("local {}", global.0),
        Site::Code(function, at) => format!("code {} {at}", function.0),
    }
}

fn site(text: &str, program: &Program) -> Option<Site> {
    let words: Vec<&str> = text.split(' ').collect();
    let global = |number: &str| number.parse().ok().filter(|&n: &u32| (n as usize) < program.globals.len()).map(GlobalId);
    match words[..] {
        ["global", number] => global(number).map(Site::Global),
        ["local", number] => global(number).map(Site::ThreadLocal),
        // The variable arguments of a function are made by no instruction of it.
        ["code", function, at] => match (function.parse().ok()?, at.parse().ok()?) {
            (function, u32::MAX) => instruction(program, function, 0).map(|(function, _)| Site::Code(function, u32::MAX)),
            (function, at) => instruction(program, function, at).map(|(function, at)| Site::Code(function, at)),
        },
        _ => None,
    }
}

/// An instruction that the program has.
fn instruction(program: &Program, function: u32, at: u32) -> Option<(FunctionId, u32)> {
    let code = program.functions.get(function as usize)?;
    ((at as usize) < code.code.len()).then_some((FunctionId(function), at))
}
