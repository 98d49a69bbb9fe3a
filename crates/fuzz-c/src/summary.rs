//! How many programs were compared, and what was left out.

use crate::draw::Flavour;
use std::collections::BTreeMap;
use std::fmt;

/// Counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    programs: BTreeMap<Flavour, u64>,
    natively: u64,
    /// Programs in which a value goes through a structure.
    pub flows: u64,
    /// Programs of which something was left out, by what and why.
    left_out: BTreeMap<String, u64>,
}

impl Summary {
    /// Counts programs that were compared, with what was left out for each.
    pub fn count(&mut self, flavour: Flavour, n: u64, left_out: Vec<String>, natively: bool) {
        *self.programs.entry(flavour).or_default() += n;
        self.natively += if natively { n } else { 0 };
        for why in left_out {
            *self.left_out.entry(why).or_default() += n.max(1);
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let all: u64 = self.programs.values().sum();
        let kinds: Vec<String> = self.programs.iter().map(|(flavour, n)| format!("{n} {}", flavour.word())).collect();
        writeln!(f, "{all} programs compared ({}), {} of them natively too", kinds.join(", "), self.natively)?;
        writeln!(f, "{} programs with values that go through structures", self.flows)?;
        self.left_out.iter().try_for_each(|(why, n)| writeln!(f, "  left out of {n}: {why}"))
    }
}
