//! Leaving several functions at once: exceptions and `longjmp`.
//!
//! What must be asked of the shared memory (that local variables cease to be) comes first; frames are left when it has
//! been answered.

use super::{Run, Runner};
use crate::apply::Registers;
use crate::thread::Outward;
use raddle_program::{FunctionId, Instr, Reg};

/// A landing pad: how many frames are left before it, and what it catches.
pub(crate) struct Pad {
    pub n_left: usize,
    /// The block that control goes to.
    to: u32,
    pub clauses: Vec<u64>,
}

impl Runner<'_, '_> {
    /// The landing pads that an exception thrown here could come to, innermost first.
    pub fn pads(&self) -> Vec<Pad> {
        let frames = self.thread.outwards();
        let pad = |(n_left, frame): (usize, &Outward)| {
            let function = &self.world.program.functions[frame.function.index()];
            let after = function.code[frame.at as usize + 1..].iter().find(|i| !matches!(i, Instr::StackRestore { .. }))?;
            let Instr::Invoked { clauses, pad, .. } = *after else { return None };
            let value = |reg: &Reg| reg.0.checked_sub(function.registers).and_then(|n| function.constants.get(n as usize)).copied();
            let clauses = function.list(clauses.0).iter().map(|reg| value(reg).unwrap_or(0)).collect();
            Some(Pad { n_left, to: function.blocks[pad.0.index()], clauses })
        };
        frames.iter().enumerate().filter_map(pad).collect()
    }

    /// Goes on at a landing pad.
    pub fn land(&mut self, pad: &Pad) -> Run<()> {
        self.leave_frames(pad.n_left)?;
        self.thread.top().at = pad.to;
        Ok(())
    }

    /// Goes on after the call at which a frame stands, which gives this value. Its registers are these, where they were
    /// kept.
    pub fn come_back(&mut self, n_left: usize, at: u32, registers: &[u64], value: u64) -> Run<()> {
        self.leave_frames(n_left)?;
        for (number, &word) in registers.iter().enumerate() {
            self.put(Reg(number as u32), word);
        }
        let function = &self.world.program.functions[self.thread.top().function.index()];
        if let Instr::CallExtern { results, .. } = function.code[at as usize] {
            for &to in function.list(results.0) {
                self.thread.registers().set(to, value);
            }
        }
        self.thread.top().at = at + 1;
        Ok(())
    }

    /// Where the innermost frame stands, and its registers where they must be kept to come back to it.
    pub fn innermost(&mut self) -> (FunctionId, u32, Vec<u64>) {
        let (function, at) = (self.thread.top().function, self.thread.top().at);
        let n = if self.symbolic.is_some() { 0 } else { self.world.program.functions[function.index()].registers };
        (function, at, (0..n).map(|reg| self.get(Reg(reg))).collect())
    }

    /// Whether the frame with so many frames, itself included, is one of a function.
    pub fn is_under_way(&self, frames: u32, function: FunctionId) -> bool {
        let n_left = self.thread.counts.frames.checked_sub(frames);
        n_left.and_then(|n| self.thread.outwards().into_iter().nth(n as usize)).is_some_and(|frame| frame.function == function)
    }

    /// Leaves the innermost frames, so many of them.
    fn leave_frames(&mut self, n_left: usize) -> Run<()> {
        if let Some(outermost) = n_left.checked_sub(1) {
            let depth = self.thread.outwards()[outermost].depth as usize;
            self.pop_locals(depth)?;
        }
        for _ in 0..n_left {
            self.thread.pop(self.world.program);
        }
        let frames = self.thread.counts.frames;
        let rounds = &mut self.thread.counts.rounds;
        while rounds.last().is_some_and(|round| round.0 > frames) {
            rounds.pop();
        }
        self.unwound = true;
        Ok(())
    }
}
