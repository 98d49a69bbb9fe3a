//! A fault of an execution, and what it takes to run that execution again.

use crate::machine::{Moment, Tables};
use crate::sharing::{Site, Sites};
use raddle_event::{Address, AddressMap, Fault, FaultKind, Path, Region, ThreadId};
use serde::{Deserialize, Serialize};

/// A fault of one execution: whose, and where that thread stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultAt {
    /// What went wrong.
    pub fault: Fault,
    /// The thread that it happened in.
    pub thread: ThreadId,
    /// Where the thread was.
    pub moment: Moment,
}

/// An execution: enough, with the program, to run it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// What was decided, step by step.
    pub path: Path,
    /// What was known of all executions: the sites that were taken as shared, and the like.
    pub sites: Sites,
    /// The numbers that threads, addresses and locations had.
    pub tables: Tables,
}

/// A fault with the execution that shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// What happened, in a sentence for people.
    pub message: String,
    /// The thread that it happened in.
    pub thread: ThreadId,
    /// Where the thread was.
    pub moment: Moment,
    /// An execution that shows it.
    pub witness: Witness,
}

impl Found {
    /// A fault that one thread committed.
    pub fn of(at: &FaultAt, witness: Witness) -> Found {
        let FaultAt { fault, thread, moment } = at.clone();
        Found { kind: fault.kind, message: fault.message, thread, moment, witness }
    }

    /// The fault without its execution.
    pub fn at(&self) -> FaultAt {
        FaultAt { fault: Fault::new(self.kind, self.message.clone()), thread: self.thread, moment: self.moment.clone() }
    }
}

// Faults that no single instruction commits, in words

impl FaultAt {
    /// These threads wait for ever; this one is named.
    pub fn deadlock(waiting: &[ThreadId], thread: ThreadId, moment: Moment) -> FaultAt {
        let names: Vec<String> = waiting.iter().map(|t| t.to_string()).collect();
        let message = match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last} wait for ever", others.join(", ")),
            _ => format!("{thread} waits for ever"),
        };
        FaultAt { fault: Fault::new(FaultKind::Deadlock, message), thread, moment }
    }

    /// A thread spins, and no thread can go on.
    pub fn livelock(thread: ThreadId, moment: Moment) -> FaultAt {
        let message = format!("{thread} spins for ever: no write can come that ends its loop");
        FaultAt { fault: Fault::new(FaultKind::Livelock, message), thread, moment }
    }

    /// The execution is one that SC does not have; `model` is the name of the one that has it.
    pub fn not_robust(model: &str, thread: ThreadId, moment: Moment) -> FaultAt {
        let message = format!("this execution is possible under {model}, but not under SC");
        FaultAt { fault: Fault::new(FaultKind::NotRobust, message), thread, moment }
    }

    /// A thread accesses an object that another thread frees, in no order.
    pub fn freed_unordered(by: ThreadId, thread: ThreadId, moment: Moment) -> FaultAt {
        let message = format!("access to memory that {by} frees, and nothing orders the access before that");
        FaultAt { fault: Fault::new(FaultKind::UseAfterFree, message), thread, moment }
    }

    /// The first of the heap objects that are left, placed where it was allocated.
    pub fn leak(map: &AddressMap, left: &[(Address, u64)], maker: impl Fn(Address) -> Option<Site>) -> Option<FaultAt> {
        let &(start, size) = left.first()?;
        let Some((Region::Heap(thread), ..)) = map.find(start) else { return None };
        let Some(Site::Code(function, at)) = maker(start) else { return None };
        let others = match left.len() - 1 {
            0 => String::new(),
            n => format!(", nor {n} other object{}", if n == 1 { "" } else { "s" }),
        };
        let message = format!("{size} bytes that are allocated here are never freed{others}");
        Some(FaultAt { fault: Fault::new(FaultKind::Leak, message), thread, moment: Moment { stack: vec![(function, at)] } })
    }
}
