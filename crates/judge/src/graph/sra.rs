//! The axioms of strong release-acquire by their definition (Lahav, Giannarakis, Vafeiadis, POPL 2016): those of
//! release-acquire, where coherence is given, and acyclic (hb ∪ co).

use super::PlainGraph;
use crate::watch::Watch;

impl<W: Watch> PlainGraph<'_, W> {
    /// Whether SRA allows the graph.
    pub(super) fn is_allowed_by_sra(&self) -> bool {
        self.is_allowed_with_places() && self.hb().or(&self.co()).is_acyclic()
    }

    /// Whether RA allows the graph with its coherence.
    pub(super) fn is_allowed_with_places(&self) -> bool {
        let (hb, rf, co, rb) = (self.hb(), self.rf(), self.co(), self.rb());
        let eco = rf.or(&co).or(&rb).plus();
        hb.is_irreflexive() && hb.then(&eco).is_irreflexive() && rb.then(&co).is_irreflexive()
    }
}
