//! The file that keeps a witness, in JSON: the program, how it was checked, what was claimed of it, and the execution
//! that shows it. docs/witness.md describes it.
//!
//! Nothing that is read here is believed. A file is data of unknown origin: what is wrong with it is said with its
//! place in the file, and what it claims is left to the judge.

mod carried;
mod numbers;
mod path;

use crate::fault::Sources;
use carried::Carried;
use numbers::{add_block, block_text, instruction, names, site, site_text};
use path::PathText;
use raddle_check::{Algorithm, MemoryModel, Plan};
use raddle_event::{Address, AddressMap, Atomics, FaultKind, Locations, PartReads, Range, ThreadId};
use raddle_machine::{FaultAt, Found, Limits, Moment, Sites, Tables, Witness};
use raddle_program::Program;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// What a witness says that it is.
const FORMAT: &str = "raddle-witness";
/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// The word for read-modify-writes as loops of exclusive loads and stores.
const EXCLUSIVES: &str = "llsc";
/// A file of more bytes than this is no witness.
pub const MOST_BYTES: u64 = 128 << 20;
/// Addresses have this many bits.
const ADDRESS_BITS: u32 = 47;

/// Why a file is no witness: a sentence that says where in it something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A program packed as in a witness; `None` where it is too large.
pub(crate) fn packed(program: &Program) -> Option<Value> {
    Carried::pack(program).and_then(|carried| serde_json::to_value(carried).ok())
}

/// The beginning of every version of the format.
#[derive(Deserialize)]
struct Envelope {
    format: String,
    version: u32,
}

/// A witness with all that is needed to run it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WitnessFile {
    format: String,
    version: u32,
    /// The version of Raddle that wrote it.
    pub raddle: String,
    model: String,
    /// How read-modify-writes are written for AArch64, where that is not as single instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    atomics: Option<String>,
    buffer_bound: Option<u32>,
    options: Choices,
    fault: Claim,
    program: Carried,
    /// The source files that the report quotes.
    pub sources: Sources,
    /// The parent of each thread and how many siblings came before it.
    threads: Vec<Option<(u32, u32)>>,
    /// The parts of the address space beyond the program's own, in order.
    blocks: Vec<String>,
    /// The sites that were taken as shared.
    shared: Vec<String>,
    /// Where copies of shared bytes are cut.
    cuts: Vec<u64>,
    /// Whether plain accesses are cut there too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cuts_plain: bool,
    /// Whether `calloc` writes the zeros.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    writes_zeros: bool,
    /// What is written as a whole and read in parts: address, size, and whether that is so of all reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wholes: Vec<(u64, u32, bool)>,
    /// Where a loop that writes does not wait because several threads write there: address and size.
    contested: Vec<(u64, u32)>,
    /// Which locks were found taken: the address, by which thread, and how often that had found locks taken by then.
    found_taken: Vec<(u64, u32, u32)>,
    /// Which locks are taken in rounds that are left out: the address, and the thread whose rounds they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<(u64, u32)>,
    /// The heap objects that may be given again: size and address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    freed: Vec<(u64, u64)>,
    /// The compare-exchanges of which it is guessed whether they succeed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    guessed: Vec<String>,
    path: PathText,
}

/// The options of the check that an execution depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choices {
    unroll: Option<u32>,
    max_heap_bytes: u64,
    uninit: bool,
    #[serde(default)]
    exit_codes: bool,
    malloc_may_fail: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reuse: bool,
    spurious: bool,
    nondet: Option<(i64, i64)>,
}

/// What is claimed: a fault, its thread, and the functions and instructions on the stack of that thread by their
/// numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    kind: String,
    message: String,
    thread: u32,
    stack: Vec<(u32, u32)>,
}

/// A witness that has been read: what was claimed of which program, and how it was checked.
#[derive(Debug)]
pub struct Reread {
    /// The program that the witness carries.
    pub program: Program,
    /// The model and the algorithm.
    pub plan: Plan,
    /// What the machine may do.
    pub limits: Limits,
    /// The fault, and the execution that is said to show it.
    pub claim: Found,
}

impl Choices {
    fn of(limits: &Limits) -> Choices {
        let &Limits { unroll, heap, uninitialised, exit_codes, malloc_may_fail, reuse, spurious, nondet, .. } = limits;
        Choices { unroll, max_heap_bytes: heap, uninit: uninitialised, exit_codes, malloc_may_fail, reuse, spurious, nondet }
    }

    fn limits(&self) -> Result<Limits, Malformed> {
        if self.nondet.is_some_and(|(low, high)| low > high) {
            return Err(Malformed("options.nondet: the first number is larger than the second".into()));
        }
        Ok(Limits {
            unroll: self.unroll,
            heap: self.max_heap_bytes,
            uninitialised: self.uninit,
            exit_codes: self.exit_codes,
            malloc_may_fail: self.malloc_may_fail,
            reuse: self.reuse,
            spurious: self.spurious,
            nondet: self.nondet,
            ..Limits::default()
        })
    }
}

/// What was checked, and how.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// The program.
    pub program: &'a Program,
    /// The model and the algorithm.
    pub plan: Plan,
    /// What the machine was allowed and asked to do.
    pub limits: &'a Limits,
}

impl WitnessFile {
    /// The witness of a fault of a program, as the judge sees it; `None` where the program is too large to be carried.
    pub fn new(checked: Checked, fault: &FaultAt, witness: &Witness, sources: Sources) -> Option<WitnessFile> {
        let Checked { program, plan, limits } = checked;
        let Witness { path, sites, tables } = witness;
        let stack = fault.moment.stack.iter().map(|(function, at)| (function.0, *at)).collect();
        let known = program.addresses.blocks().count();
        let parent = |n| tables.names.parent(ThreadId(n)).map(|(parent, nth)| (parent.0, nth));
        Some(WitnessFile {
            format: FORMAT.into(),
            version: VERSION,
            raddle: env!("CARGO_PKG_VERSION").into(),
            model: plan.name.to_string(),
            atomics: plan.atomics().map(|_| EXCLUSIVES.into()),
            buffer_bound: plan.buffer_bound(),
            options: Choices::of(limits),
            fault: Claim { kind: fault.fault.kind.word().into(), message: fault.fault.message.clone(), thread: fault.thread.0, stack },
            program: Carried::pack(program)?,
            sources,
            threads: (0..tables.names.len() as u32).map(parent).collect(),
            blocks: tables.map.blocks().skip(known).map(block_text).collect(),
            shared: sites.sorted().into_iter().map(site_text).collect(),
            cuts: sites.cuts().collect(),
            cuts_plain: sites.cuts_plain(),
            writes_zeros: sites.writes_zeros(),
            wholes: sites.read_as_wholes().map(|(range, reads)| (range.start.0, range.size, reads == PartReads::All)).collect(),
            contested: sites.contested().iter().map(|range| (range.start.0, range.size)).collect(),
            found_taken: sites.found_taken().iter().map(|((lock, thread), times)| (lock.0, thread.0, *times)).collect(),
            left_out: sites.left_out().iter().map(|(lock, thread)| (lock.0, thread.0)).collect(),
            freed: sites.all_freed().map(|(size, start)| (size, start.0)).collect(),
            guessed: sites.guessed().iter().copied().map(site_text).collect(),
            path: PathText::of(path, &tables.locations),
        })
    }

    /// Reads the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<WitnessFile, Malformed> {
        let wrong = |why: serde_json::Error| Malformed(format!("this is not a witness of Raddle: {why}"));
        let envelope: Envelope = serde_json::from_slice(bytes).map_err(wrong)?;
        if envelope.format != FORMAT {
            return Err(Malformed(format!("format: should be `{FORMAT}`")));
        }
        if envelope.version != VERSION {
            return Err(Malformed(format!("version: it is {}, and this Raddle reads version {VERSION}", envelope.version)));
        }
        serde_json::from_slice(bytes).map_err(wrong)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a witness can be written") + "\n"
    }

    /// An algorithm that explores such paths under a model.
    fn algorithm(&self, model: MemoryModel) -> Algorithm {
        match (model, &self.path) {
            (MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso, PathText::Graph(_)) => Algorithm::Graphs,
            // Weak traces have no places in coherence.
            (MemoryModel::Ra, PathText::Graph(events)) if events.contains('>') => Algorithm::Graphs,
            _ => model.default_algorithm(),
        }
    }

    /// What is claimed of which program. The claim is not believed yet.
    pub fn reread(&self) -> Result<Reread, Malformed> {
        let model: MemoryModel = self.model.parse().map_err(|why| Malformed(format!("model: {why}")))?;
        let plan = Plan::new(model, self.algorithm(model), self.buffer_bound).map_err(|why| Malformed(format!("model: {why}")))?;
        let plan = match self.atomics.as_deref() {
            None => plan,
            Some(EXCLUSIVES) => plan.with_atomics(Atomics::Exclusives).map_err(|why| Malformed(format!("atomics: {why}")))?,
            Some(other) => return Err(Malformed(format!("atomics: `{other}` is not `{EXCLUSIVES}`"))),
        };
        let limits = self.options.limits()?;
        let program = self.program.unpack()?;
        let claim = self.claim(&program)?;
        Ok(Reread { program, plan, limits, claim })
    }

    fn claim(&self, program: &Program) -> Result<Found, Malformed> {
        let Claim { kind, message, thread, stack } = &self.fault;
        let kind = FaultKind::from_word(kind).ok_or_else(|| Malformed("fault.kind: there is no such kind".into()))?;
        if *thread as usize >= self.threads.len() {
            return Err(Malformed(format!("fault.thread: there is no thread {thread}")));
        }
        let frame = |(n, &(function, at)): (usize, &(u32, u32))| {
            let wrong = || Malformed(format!("fault.stack[{n}]: function {function} has no instruction {at}"));
            instruction(program, function, at).ok_or_else(wrong)
        };
        let stack = stack.iter().enumerate().map(frame).collect::<Result<Vec<_>, _>>()?;
        let (message, thread, moment) = (message.clone(), ThreadId(*thread), Moment { stack });
        Ok(Found { kind, message, thread, moment, witness: self.witness(program)? })
    }

    fn witness(&self, program: &Program) -> Result<Witness, Malformed> {
        let mut locations = Locations::default();
        let path = self.path.read(&mut locations)?;
        let mut map = program.addresses.clone();
        for (n, text) in self.blocks.iter().enumerate() {
            add_block(&mut map, text).ok_or_else(|| Malformed(format!("blocks[{n}]: is no block of addresses that comes next")))?;
        }
        let mut sites = Sites::default();
        for (n, text) in self.shared.iter().enumerate() {
            sites.share(site(text, program).ok_or_else(|| Malformed(format!("shared[{n}]: the program has no such site")))?);
        }
        for (n, &address) in self.cuts.iter().enumerate() {
            if address >> ADDRESS_BITS != 0 {
                return Err(Malformed(format!("cuts[{n}]: {address} is no address")));
            }
            sites.cut(address);
        }
        if self.writes_zeros {
            sites.write_zeros();
        }
        if self.cuts_plain {
            sites.cut_plain();
        }
        for (n, &(start, size, all)) in self.wholes.iter().enumerate() {
            if start >> ADDRESS_BITS != 0 || !(2..=16).contains(&size) {
                return Err(Malformed(format!("wholes[{n}]: {start} is no address of {size} bytes that are accessed as one")));
            }
            let reads = if all { PartReads::All } else { PartReads::Ordered };
            sites.read_whole(Range { start: Address(start), size }, reads);
        }
        for (n, &(start, size)) in self.contested.iter().enumerate() {
            if start >> ADDRESS_BITS != 0 {
                return Err(Malformed(format!("contested[{n}]: {start} is no address")));
            }
            sites.contest(Range { start: Address(start), size });
        }
        for (n, &(lock, thread, times)) in self.found_taken.iter().enumerate() {
            if lock >> ADDRESS_BITS != 0 {
                return Err(Malformed(format!("found_taken[{n}]: {lock} is no address")));
            }
            sites.find_taken(Address(lock), ThreadId(thread), times);
        }
        for (n, &(lock, thread)) in self.left_out.iter().enumerate() {
            if lock >> ADDRESS_BITS != 0 {
                return Err(Malformed(format!("left_out[{n}]: {lock} is no address")));
            }
            sites.leave_out(Address(lock), ThreadId(thread));
        }
        for (n, &(size, start)) in self.freed.iter().enumerate() {
            if start >> ADDRESS_BITS != 0 || size > AddressMap::MAX_OBJECT {
                return Err(Malformed(format!("freed[{n}]: {start} is no address of an object of {size} bytes")));
            }
            sites.free(size, Address(start));
        }
        for (n, text) in self.guessed.iter().enumerate() {
            sites.guess(site(text, program).ok_or_else(|| Malformed(format!("guessed[{n}]: the program has no such site")))?);
        }
        let names = names(&self.threads, program).ok_or_else(|| Malformed("threads: these are no threads of the program".into()))?;
        Ok(Witness { path, sites, tables: Tables { map, names, locations, ..Tables::default() } })
    }
}
