//! The relations of a graph of POWER or AArch64, and the axioms of POWER in them ("Herding Cats", as
//! docs/models/power.md has them).

use crate::relation::Relation;
use raddle_event::{Annotation, Barrier, EventId};

/// The relations of a graph.
#[derive(Default)]
pub(super) struct Axioms {
    pub events: Vec<EventId>,
    pub reads: Vec<bool>,
    pub writes: Vec<bool>,
    pub addr: Relation,
    pub data: Relation,
    pub ctrl: Relation,
    pub ctrl_isync: Relation,
    pub addr_po: Relation,
    pub sync: Relation,
    pub lwsync: Relation,
    pub eieio: Relation,
    pub po_loc: Relation,
    pub internal: Relation,
    pub rf: Relation,
    pub co: Relation,
    pub fr: Relation,
    pub rmw: Relation,
    pub cb: Relation,
    /// The ends of objects.
    pub ends: Vec<bool>,
    pub annotations: Vec<Annotation>,
    /// The barriers of each kind, and spawns and joins.
    pub barriers: [Relation; Barrier::KINDS],
    pub ordered: Relation,
}

impl Axioms {
    /// Commit-before of POWER.
    pub(super) fn power_cb(&self) -> Relation {
        let dependencies = self.addr.or(&self.data).or(&self.ctrl).or(&self.addr_po);
        dependencies.or(&self.rf).or(&self.po_loc).or(&self.sync).or(&self.lwsync).plus()
    }

    /// The pairs of events of different threads.
    pub fn external(&self, of: &Relation) -> Relation {
        of.and(|a, b| !self.internal.has(a, b))
    }

    /// Reads-from, coherence and from-reads.
    pub fn com(&self) -> Relation {
        self.rf.or(&self.co).or(&self.fr)
    }

    /// Whether no store of another thread comes between the two halves of a read-modify-write.
    pub fn is_atomic(&self) -> bool {
        let between = self.external(&self.fr).then(&self.external(&self.co));
        self.rmw.and(|a, b| between.has(a, b)).is_empty()
    }

    /// The preserved program order, by its four relations.
    fn ppo(&self) -> Relation {
        let (rfe, fre, coe) = (self.external(&self.rf), self.external(&self.fr), self.external(&self.co));
        let dp = self.addr.or(&self.data);
        let (via_fr, via_co) = (fre.then(&rfe), coe.then(&rfe));
        let rdw = self.po_loc.and(|a, b| via_fr.has(a, b));
        let detour = self.po_loc.and(|a, b| via_co.has(a, b));
        let rfi = self.rf.and(|a, b| self.internal.has(a, b));
        let ii0 = dp.or(&rdw).or(&rfi);
        let ci0 = self.ctrl_isync.or(&detour);
        let cc0 = dp.or(&self.po_loc).or(&self.ctrl).or(&self.addr_po);
        let n = self.events.len();
        let (mut ii, mut ic, mut ci, mut cc) = (ii0.clone(), Relation::empty(n), ci0.clone(), cc0.clone());
        loop {
            let next = (
                ii0.or(&ci).or(&ic.then(&ci)).or(&ii.then(&ii)),
                ii.or(&cc).or(&ic.then(&cc)).or(&ii.then(&ic)),
                ci0.or(&ci.then(&ii)).or(&cc.then(&ci)),
                cc0.or(&ci).or(&ci.then(&ic)).or(&cc.then(&cc)),
            );
            if next == (ii.clone(), ic.clone(), ci.clone(), cc.clone()) {
                break;
            }
            (ii, ic, ci, cc) = next;
        }
        Relation::new(n, |a, b| self.reads[a] && ((self.reads[b] && ii.has(a, b)) || (self.writes[b] && ic.has(a, b))))
    }

    /// What barriers order.
    fn fences(&self) -> Relation {
        let lwsync = self.lwsync.and(|a, b| !(self.writes[a] && self.reads[b]));
        let eieio = self.eieio.and(|a, b| self.writes[a] && self.writes[b]);
        self.sync.or(&lwsync).or(&eieio)
    }

    /// What preserved program order and barriers keep in order.
    pub fn kept_on_power(&self) -> Relation {
        self.ppo().or(&self.fences())
    }

    /// Whether the axioms of POWER hold.
    pub fn hold_on_power(&self) -> bool {
        let com = self.com();
        let (rfe, fre) = (self.external(&self.rf), self.external(&self.fr));
        let fences = self.fences();
        let hb = self.ppo().or(&fences).or(&rfe);
        let hb_star = hb.star();
        let base = fences.or(&rfe.then(&fences)).then(&hb_star);
        let weak = base.and(|a, b| self.writes[a] && self.writes[b]);
        let strong = com.star().then(&base.star()).then(&self.sync).then(&hb_star);
        let prop = weak.or(&strong);
        self.po_loc.or(&com).is_acyclic()
            && hb.is_acyclic()
            && fre.then(&prop).then(&hb_star).is_irreflexive()
            && self.co.or(&prop).is_acyclic()
            && self.is_atomic()
    }
}
