//! Which events of a thread stay in program order, for whoever explains an execution: what the axioms demand of two
//! events of one thread, whatever the other threads do.

use super::PlainPower;
use crate::model::Model;
use raddle_event::EventId;

impl PlainPower<'_> {
    /// The pairs of committed events of one thread that are kept in order: by preserved program order or barriers of
    /// POWER, by locally-ordered-before of AArch64, or since they access the same location.
    pub fn kept(&self) -> Vec<(EventId, EventId)> {
        let axioms = self.axioms();
        let local = match self.model {
            Model::AArch64(_) => axioms.lob(false),
            _ => axioms.kept_on_power(),
        };
        let kept = local.and(|a, b| axioms.internal.has(a, b)).or(&axioms.po_loc).plus();
        let n = axioms.events.len();
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| kept.has(a, b));
        pairs.map(|(a, b)| (axioms.events[a], axioms.events[b])).collect()
    }
}
