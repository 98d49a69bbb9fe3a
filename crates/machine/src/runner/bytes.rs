//! Data that are put together of bytes, and taken apart again: each byte keeps what it depends on, and is known as
//! soon as that is.
//!
//! Compilers pass small structures as one word, which they make by moving and joining the fields. No field depends on
//! the others by that. What else a computation does to words mixes their bytes.

use super::Runner;
use crate::symbolic::{Gathered, Operand, Tag};
use raddle_event::DepsId;
use raddle_program::{Def, Instr, Reg};

/// The bytes of a word that an instruction keeps: from where, to where, and how many.
fn kept(instr: &Instr) -> Option<(Def, Reg, [u8; 3])> {
    match *instr {
        Instr::Part { to, a, from, at, bytes } => Some((to, a.0, [from as u8, at as u8, bytes as u8])),
        Instr::Trunc { to, a, bits } if bits.0 % 8 == 0 => Some((to, a.0, [0, 0, bits.0 / 8])),
        _ => None,
    }
}

impl Runner<'_, '_> {
    /// What the result of an instruction depends on that does not mix the bytes of its operands.
    pub(super) fn deps_of_bytes(&mut self, instr: &Instr) -> Option<DepsId> {
        if let Instr::Move { a, .. } = instr {
            return Some(self.deps_by_bytes(a.0));
        }
        if let Some((_, a, [from, at, bytes])) = kept(instr) {
            let deps = self.deps_by_bytes(a);
            return Some(self.symbolic().sets.moved(deps, from as usize, at as usize, bytes as usize));
        }
        if let Some((_, a, mask)) = self.masked(instr) {
            let deps = self.deps_by_bytes(a);
            return Some(self.symbolic().sets.masked(deps, mask));
        }
        let (Instr::And { a, b, .. } | Instr::Or { a, b, .. } | Instr::Xor { a, b, .. }) = *instr else { return None };
        let (a, b) = (self.deps_by_bytes(a.0), self.deps_by_bytes(b.0));
        let sets = &mut self.symbolic().sets;
        (sets.has_bytes(a) || sets.has_bytes(b)).then(|| sets.union_by_bytes(a, b))
    }

    /// An operand of which an instruction keeps some bytes where they are, and a mask with ones in these. One that
    /// keeps none (`r & 0`) is written for the sake of the dependency.
    fn masked(&mut self, instr: &Instr) -> Option<(Def, Reg, u64)> {
        let Instr::And { to, a, b } = *instr else { return None };
        [(a.0, b.0), (b.0, a.0)].into_iter().find_map(|(word, mask)| {
            let Operand::Known(bits) = self.operand(mask) else { return None };
            let is_mask =
                bits != 0 && self.thread.tag(mask) == Tag::Plain && bits.to_le_bytes().iter().all(|byte| matches!(byte, 0 | 0xff));
            is_mask.then_some((to, word, bits))
        })
    }

    /// Gives the result of an instruction that only moves or joins bytes, not all of which are known. Tells whether it
    /// is one.
    pub(super) fn gather_bytes(&mut self, instr: &Instr, deps: DepsId) -> bool {
        let masked = self.masked(instr);
        let (to, all) = match (kept(instr), *instr) {
            (None, Instr::And { .. }) => {
                let Some((to, a, mask)) = masked else { return false };
                let word = self.operand(a);
                (to, self.symbolic().nodes.gathered_bytes(word, mask))
            }
            (_, Instr::Move { to, a }) => {
                self.thread.set_tag(to.0, self.thread.tag(a.0));
                return true;
            }
            (Some((to, a, bytes)), _) => {
                let a = self.operand(a);
                (to, self.symbolic().nodes.gathered(a, bytes))
            }
            (None, Instr::Or { to, a, b }) => {
                let words = [self.operand(a.0), self.operand(b.0)];
                let nodes = &self.symbolic().nodes;
                let [a, b]: [Gathered; 2] = words.map(|word| nodes.gathered(word, [0, 0, 8]));
                let Some(all) = a.beside(b) else { return false };
                (to, all)
            }
            _ => return false,
        };
        let word = self.symbolic().nodes.add_gathered(deps, all);
        self.give(to.0, 8, [word; 2], deps);
        true
    }
}
