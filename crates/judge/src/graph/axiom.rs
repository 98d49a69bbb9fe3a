//! The models whose graphs grow, each with what is demanded of its graphs: the judge's list.

use super::PlainGraph;
use crate::relation::Relation;
use crate::watch::Watch;

/// What is demanded of a graph whose events are added each after what comes before it in po ∪ rf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axiom {
    /// SC, with coherence.
    Sc,
    /// TSO, with coherence.
    Tso,
    /// PSO, with coherence.
    Pso,
    /// Release-acquire.
    ReleaseAcquire,
    /// Release-acquire, with coherence.
    PlacedReleaseAcquire,
    /// Strong release-acquire, with coherence.
    StrongReleaseAcquire,
    /// RC11, with coherence.
    Rc11,
}

impl Axiom {
    /// What people call the model.
    pub fn title(self) -> &'static str {
        match self {
            Axiom::Sc => "SC",
            Axiom::Tso => "TSO",
            Axiom::Pso => "PSO",
            Axiom::ReleaseAcquire | Axiom::PlacedReleaseAcquire => "RA",
            Axiom::StrongReleaseAcquire => "SRA",
            Axiom::Rc11 => "RC11",
        }
    }

    /// Whether coherence is part of a graph.
    pub fn has_coherence(self) -> bool {
        self != Axiom::ReleaseAcquire
    }

    /// Whether an access or a fence does what its order in C11 says. Where not, every write releases, every read
    /// acquires, and a full fence is a read-modify-write of a hidden variable.
    pub fn has_orders(self) -> bool {
        self == Axiom::Rc11
    }
}

impl<W: Watch> PlainGraph<'_, W> {
    /// Whether the model allows the graph.
    pub fn is_allowed(&self) -> bool {
        match self.axiom {
            Axiom::ReleaseAcquire => self.is_allowed_by_ra(),
            Axiom::Sc => self.is_allowed_by_sc(),
            Axiom::Tso | Axiom::Pso => self.is_allowed_with_buffers(),
            Axiom::PlacedReleaseAcquire => self.is_allowed_with_places(),
            Axiom::StrongReleaseAcquire => self.is_allowed_by_sra(),
            Axiom::Rc11 => self.is_allowed_by_rc11(),
        }
    }

    /// Whether the model allows the graph, where it allowed it before the newest event.
    pub fn is_newest_allowed(&self) -> bool {
        if self.axiom.has_coherence() { self.is_allowed() } else { self.is_newest_allowed_by_ra() }
    }

    /// Happens-before.
    pub(super) fn hb(&self) -> Relation {
        match self.axiom {
            Axiom::Rc11 => self.hb_of_c11(),
            Axiom::Pso => self.hb_of_pso(),
            _ => self.po().or(&self.right_after()).or(&self.rf()).plus(),
        }
    }
}
