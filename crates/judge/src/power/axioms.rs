//! The relations of a graph as matrices of truth values, and the axioms of POWER in them ("Herding Cats", as
//! docs/models/power.md has them).

use raddle_event::{Annotation, Barrier, EventId};

pub(super) type Matrix = Vec<Vec<bool>>;

pub(super) fn empty(n: usize) -> Matrix {
    vec![vec![false; n]; n]
}

pub(super) fn relation(n: usize, f: impl Fn(usize, usize) -> bool) -> Matrix {
    (0..n).map(|a| (0..n).map(|b| f(a, b)).collect()).collect()
}

pub(super) fn union(all: &[&Matrix]) -> Matrix {
    relation(all[0].len(), |a, b| all.iter().any(|matrix| matrix[a][b]))
}

pub(super) fn cut(m: &Matrix, f: impl Fn(usize, usize) -> bool) -> Matrix {
    relation(m.len(), |a, b| m[a][b] && f(a, b))
}

/// First one, then the other.
pub(super) fn seq(x: &Matrix, y: &Matrix) -> Matrix {
    relation(x.len(), |a, b| (0..x.len()).any(|m| x[a][m] && y[m][b]))
}

pub(super) fn closure(m: &Matrix) -> Matrix {
    let mut all = m.clone();
    for k in 0..m.len() {
        for a in 0..m.len() {
            for b in 0..m.len() {
                all[a][b] |= all[a][k] && all[k][b];
            }
        }
    }
    all
}

/// The closure, and each event with itself.
pub(super) fn star(m: &Matrix) -> Matrix {
    let all = closure(m);
    relation(m.len(), |a, b| a == b || all[a][b])
}

pub(super) fn irreflexive(m: &Matrix) -> bool {
    (0..m.len()).all(|a| !m[a][a])
}

/// The relations of a graph.
#[derive(Default)]
pub(super) struct Axioms {
    pub events: Vec<EventId>,
    pub reads: Vec<bool>,
    pub writes: Vec<bool>,
    pub addr: Matrix,
    pub data: Matrix,
    pub ctrl: Matrix,
    pub ctrl_isync: Matrix,
    pub addr_po: Matrix,
    pub sync: Matrix,
    pub lwsync: Matrix,
    pub eieio: Matrix,
    pub po_loc: Matrix,
    pub internal: Matrix,
    pub rf: Matrix,
    pub co: Matrix,
    pub fr: Matrix,
    pub rmw: Matrix,
    pub cb: Matrix,
    /// The ends of objects.
    pub ends: Vec<bool>,
    pub annotations: Vec<Annotation>,
    /// The barriers of each kind, and spawns and joins.
    pub barriers: [Matrix; Barrier::KINDS],
    pub ordered: Matrix,
}

impl Axioms {
    /// Commit-before of POWER.
    pub(super) fn power_cb(&self) -> Matrix {
        let all = [&self.addr, &self.data, &self.ctrl, &self.addr_po, &self.rf, &self.po_loc, &self.sync, &self.lwsync];
        closure(&union(&all))
    }

    pub fn external(&self, m: &Matrix) -> Matrix {
        cut(m, |a, b| !self.internal[a][b])
    }

    /// The preserved program order, by its four relations.
    fn ppo(&self) -> Matrix {
        let (rfe, fre, coe) = (self.external(&self.rf), self.external(&self.fr), self.external(&self.co));
        let dp = union(&[&self.addr, &self.data]);
        let (via_fr, via_co) = (seq(&fre, &rfe), seq(&coe, &rfe));
        let rdw = cut(&self.po_loc, |a, b| via_fr[a][b]);
        let detour = cut(&self.po_loc, |a, b| via_co[a][b]);
        let rfi = cut(&self.rf, |a, b| self.internal[a][b]);
        let ii0 = union(&[&dp, &rdw, &rfi]);
        let ci0 = union(&[&self.ctrl_isync, &detour]);
        let cc0 = union(&[&dp, &self.po_loc, &self.ctrl, &self.addr_po]);
        let n = self.events.len();
        let (mut ii, mut ic, mut ci, mut cc) = (ii0.clone(), empty(n), ci0.clone(), cc0.clone());
        loop {
            let next = (
                union(&[&ii0, &ci, &seq(&ic, &ci), &seq(&ii, &ii)]),
                union(&[&ii, &cc, &seq(&ic, &cc), &seq(&ii, &ic)]),
                union(&[&ci0, &seq(&ci, &ii), &seq(&cc, &ci)]),
                union(&[&cc0, &ci, &seq(&ci, &ic), &seq(&cc, &cc)]),
            );
            if next == (ii.clone(), ic.clone(), ci.clone(), cc.clone()) {
                break;
            }
            (ii, ic, ci, cc) = next;
        }
        relation(n, |a, b| self.reads[a] && ((self.reads[b] && ii[a][b]) || (self.writes[b] && ic[a][b])))
    }

    /// What barriers order.
    fn fences(&self) -> Matrix {
        let lwsync = cut(&self.lwsync, |a, b| !(self.writes[a] && self.reads[b]));
        let eieio = cut(&self.eieio, |a, b| self.writes[a] && self.writes[b]);
        union(&[&self.sync, &lwsync, &eieio])
    }

    /// What preserved program order and barriers keep in order.
    pub fn kept_on_power(&self) -> Matrix {
        union(&[&self.ppo(), &self.fences()])
    }

    pub fn hold(&self) -> bool {
        let com = union(&[&self.rf, &self.co, &self.fr]);
        let (rfe, fre, coe) = (self.external(&self.rf), self.external(&self.fr), self.external(&self.co));
        let fences = self.fences();
        let hb = union(&[&self.ppo(), &fences, &rfe]);
        let hb_star = star(&hb);
        let base = seq(&union(&[&fences, &seq(&rfe, &fences)]), &hb_star);
        let weak = cut(&base, |a, b| self.writes[a] && self.writes[b]);
        let strong = seq(&seq(&seq(&star(&com), &star(&base)), &self.sync), &hb_star);
        let prop = union(&[&weak, &strong]);
        let between = seq(&fre, &coe);
        irreflexive(&closure(&union(&[&self.po_loc, &com])))
            && irreflexive(&closure(&hb))
            && irreflexive(&seq(&seq(&fre, &prop), &hb_star))
            && irreflexive(&closure(&union(&[&self.co, &prop])))
            && cut(&self.rmw, |a, b| between[a][b]).iter().flatten().all(|&pair| !pair)
    }
}
