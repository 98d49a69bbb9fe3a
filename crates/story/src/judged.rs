//! The fault of an execution as the judge sees it, in its own words and with its own place: what a file or a search
//! claims is compared with this.

use raddle_event::{Address, AddressMap, FaultKind};
use raddle_judge::Stands;
use raddle_machine::{FaultAt, Found, Moment, Site};

/// The fault of this kind that the thread committed; the one at the same place where there are several.
pub(crate) fn judged_act(committed: &[FaultAt], found: &Found) -> Option<FaultAt> {
    let same = || committed.iter().filter(|at| at.thread == found.thread && at.fault.kind == found.kind);
    same().find(|at| at.moment == found.moment).or_else(|| same().next()).cloned()
}

/// The fault of this kind and thread with which an execution ends, where it does: `moment` is where the thread stands
/// in the end, `leak` what is left then.
pub(crate) fn judged_end(stands: &Stands, found: &Found, moment: Option<Moment>, leak: Option<FaultAt>) -> Option<FaultAt> {
    let thread = found.thread;
    match found.kind {
        FaultKind::Deadlock => stands.deadlock_of(thread).zip(moment).map(|(waiting, moment)| FaultAt::deadlock(&waiting, thread, moment)),
        FaultKind::Livelock => moment.filter(|_| stands.is_in_livelock(thread)).map(|moment| FaultAt::livelock(thread, moment)),
        FaultKind::Leak => leak.filter(|_| stands.is_complete()),
        _ => None,
    }
}

/// What is left of the heap: the object that is claimed, where it is one of them.
pub(crate) fn judged_leak(
    found: &Found,
    map: &AddressMap,
    mut left: Vec<(Address, u64)>,
    maker: impl Fn(Address) -> Option<Site>,
) -> Option<FaultAt> {
    if found.kind != FaultKind::Leak {
        return None;
    }
    (0..left.len()).find_map(|n| {
        left.swap(0, n);
        FaultAt::leak(map, &left, &maker).filter(|at| (at.thread, &at.moment) == (found.thread, &found.moment))
    })
}
