//! Threads of pthreads.
//!
//! The handle of a thread is the address of its word, which is written when the thread ends, with its result. Joining
//! is one read, enabled when the thread has ended. Before that the thread is claimed: nobody else can join or detach
//! it. As long as only one thread claims others, it notes them, and claiming is no event. Once a second thread is seen
//! to do so, the exploration starts over with a table that all threads share.

use super::{Builtin, Call, Shared, nothing};
use crate::history::{Blocked, Next};
use crate::runner::Run;
use crate::sharing::Site;
use raddle_event::{Address, FaultKind, Guard, Order, Rmw, RmwOp, ThreadId};

/// How many bytes the attributes of a thread have.
const ATTRIBUTES: usize = 56;

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_create", create),
    ("__raddle_spawn", create),
    ("pthread_join", join),
    ("pthread_detach", detach),
    ("__raddle_end", exit),
    ("pthread_self", this_thread),
    ("pthread_equal", equal),
    ("pthread_setconcurrency", nothing),
    ("pthread_attr_init", attr_init),
    ("pthread_attr_destroy", nothing),
    ("pthread_attr_setdetachstate", attr_setdetachstate),
    ("pthread_attr_getdetachstate", attr_getdetachstate),
];

/// The table of the threads that have been claimed, a byte each.
pub const CLAIMS: Shared = (
    "claimed threads",
    MOST,
    &[
        "pthread_create",
        "__raddle_spawn",
        "pthread_join",
        "pthread_tryjoin_np",
        "pthread_timedjoin_np",
        "pthread_clockjoin_np",
        "pthread_detach",
        "thrd_join",
        "thrd_detach",
        "_ZNSt6thread4joinEv",
        "_ZNSt6thread6detachEv",
    ],
);

/// How many threads can be claimed.
const MOST: u64 = 4096;

fn create(call: &mut Call) -> Run<u64> {
    let attributes = call.address(1);
    let detached = attributes.0 != 0 && call.load(attributes, 4)? != 0;
    let handle = call.runner.spawn(call.address(2), call.word(3))?;
    if detached {
        claim(call, handle)?;
    }
    call.store(call.address(0), 8, handle.0)?;
    Ok(0)
}

/// Starts a thread and puts its handle where the first argument points.
pub fn start(call: &mut Call, function: Address, argument: u64) -> Run<u64> {
    let handle = call.runner.spawn(function, argument)?;
    call.store(call.address(0), 8, handle.0)?;
    Ok(0)
}

/// The thread that a handle names.
pub fn thread_of(call: &mut Call, handle: Address) -> Run<ThreadId> {
    match call.runner.world.map.word_of(handle) {
        Some(thread) if thread.index() < call.runner.world.names.len() => Ok(thread),
        _ => call.fault(FaultKind::ThreadMisuse, format!("{} is called with {handle}, which is not a thread", call.name)),
    }
}

/// Nobody else can join or detach a thread from now on. Implementations have a locked instruction for that.
pub fn claim(call: &mut Call, handle: Address) -> Run<()> {
    let thread = thread_of(call, handle)?;
    call.locked_instruction()?;
    let by = call.runner.thread.id;
    let site = match call.runner.world.library.claims {
        Some(global) => Site::Global(global),
        None => Site::Global(call.shared_id(CLAIMS)?),
    };
    let world = &mut *call.runner.world;
    let is_new = match world.sites.contains(site) {
        true => claim_in_table(call, thread)?,
        false if *world.claimer.get_or_insert(by) == by => claim_by_note(call, thread),
        false => {
            world.sites.share(site);
            return Err(Next::Blocked(Blocked::Assume));
        }
    };
    if is_new {
        return Ok(());
    }
    call.fault(FaultKind::ThreadMisuse, format!("{} is called for a thread that was joined or detached before", call.name))
}

fn claim_by_note(call: &mut Call, thread: ThreadId) -> bool {
    let claimed = &mut call.notes().claimed;
    let is_new = !claimed.contains(&thread);
    claimed.push(thread);
    is_new
}

fn claim_in_table(call: &mut Call, thread: ThreadId) -> Run<bool> {
    if thread.0 as u64 >= MOST {
        return call.unsupported(format!("a join of a thread after the first {MOST}, where several threads join or detach others"));
    }
    let at = Address(call.shared(CLAIMS)?.0 + thread.0 as u64);
    Ok(call.runner.rmw(at, 1, Rmw::new(RmwOp::Exchange, 1), Order::Relaxed)? == 0)
}

/// Waits for the end of a thread and gives its result, where it is wanted: a thread that joins without looking at the
/// result goes on in the same way whatever it is. (A read of the whole word gives the result, one of its first byte
/// nothing.)
pub fn wait_for(call: &mut Call, handle: Address, wanted: bool) -> Run<u64> {
    if this_thread(call)? == handle.0 {
        return call.fault(FaultKind::ThreadMisuse, "a thread joins itself");
    }
    claim(call, handle)?;
    call.runner.wait(handle, if wanted { 8 } else { 1 }, Guard::Ended).map(|result| result as u64)
}

fn join(call: &mut Call) -> Run<u64> {
    super::jump::waits(call)?;
    let result = wait_for(call, call.address(0), call.word(1) != 0)?;
    call.give(call.address(1), 8, result)?;
    Ok(0)
}

/// Says that nobody will join a thread.
pub fn detach(call: &mut Call) -> Run<u64> {
    claim(call, call.address(0))?;
    Ok(0)
}

/// Ends the thread, however deep it is in calls.
pub fn exit(call: &mut Call) -> Run<u64> {
    let result = call.word(0);
    Err(call.runner.end(&[result]))
}

pub fn this_thread(call: &mut Call) -> Run<u64> {
    call.runner.thread_word(call.runner.thread.id).map(|word| word.0)
}

pub fn equal(call: &mut Call) -> Run<u64> {
    Ok((call.word(0) == call.word(1)) as u64)
}

/// Of the attributes only the detach state is kept: at the start of the object.
/// The first word says whether threads are detached; the rest belongs to crates/llvm/runtime/posix.c.
fn attr_init(call: &mut Call) -> Run<u64> {
    call.runner.write_bytes(call.address(0), &[0; ATTRIBUTES])?;
    Ok(0)
}

fn attr_setdetachstate(call: &mut Call) -> Run<u64> {
    call.store(call.address(0), 4, call.word(1))?;
    Ok(0)
}

fn attr_getdetachstate(call: &mut Call) -> Run<u64> {
    let detached = call.load(call.address(0), 4)?;
    call.store(call.address(1), 4, detached)?;
    Ok(0)
}
