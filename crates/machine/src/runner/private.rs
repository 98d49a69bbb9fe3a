//! The inner loop: instructions that only touch registers and private memory.

use super::{Runner, World};
use crate::apply::{Flow, Registers, apply};
use crate::store::Located;
use raddle_event::{Address, FaultKind};
use raddle_program::{Function, Instr};
use std::rc::Rc;

/// Why a private run halts.
pub(super) enum Halt {
    /// The instruction is more than registers and private memory.
    Effect,
    /// The stretch of turns is over.
    Turn,
    Fault(FaultKind),
}

impl<'p> Runner<'_, 'p> {
    /// Runs what only touches registers and private memory, from the instruction `at` to the one at which that ends.
    pub(super) fn run_private(&mut self, function: &'p Function, from: &mut usize) -> Halt {
        let World { program, map, limits, sites, .. } = &*self.world;
        let tracked = limits.uninitialised || self.lasting.watched.is_some();
        // Out of order, rounds in which something ends for no reason are found at the ends of loops.
        let bounded = limits.unroll.is_some() || (limits.spurious && self.symbolic.is_some());
        let (mut regs, store) = self.thread.split();
        let (mut turns, mut at) = (self.turns, *from);
        let halt = loop {
            debug_assert!(at < function.code.len());
            // SAFETY: the program was verified when the machine was made: every block ends with an instruction that
            // leaves it, for a block that exists.
            #[allow(unsafe_code, reason = "measured: the inner loop of the interpreter")]
            let instr = unsafe { function.code.get_unchecked(at) };
            match apply(instr, function, &mut regs) {
                Flow::Next => at += 1,
                Flow::Goto(to) => at = to,
                Flow::Fault(kind) => break Halt::Fault(kind),
                Flow::Effect => {
                    match *instr {
                        Instr::Latch { to, .. } if !bounded => {
                            if turns == 0 {
                                break Halt::Turn;
                            }
                            turns -= 1;
                            at = function.blocks[to.0.index()] as usize;
                            continue;
                        }
                        Instr::Enter { .. } if !bounded => {}
                        Instr::LifeBegin { address } if store.is_private(map, Address(regs.get(address.0)), sites) => {
                            Rc::make_mut(store).begin_life(map, Address(regs.get(address.0)), sites);
                        }
                        Instr::LifeEnd { address } if store.is_private(map, Address(regs.get(address.0)), sites) => {
                            Rc::make_mut(store).end_life(map, Address(regs.get(address.0)));
                        }
                        Instr::Load { to, address, size, .. } if size.0 <= 8 && !tracked => {
                            let address = Address(regs.get(address.0));
                            let Located::Private(spot) = store.locate(program, map, address, size.0 as u64) else { break Halt::Effect };
                            regs.set(to.0, store.word(spot, size.0 as usize));
                        }
                        Instr::Store { address, value, size, .. } if size.0 <= 8 => {
                            let (address, word) = (Address(regs.get(address.0)), regs.get(value.0));
                            let Located::Private(spot) = store.locate(program, map, address, size.0 as u64) else { break Halt::Effect };
                            Rc::make_mut(store).set_word(spot, size.0 as usize, word);
                        }
                        _ => break Halt::Effect,
                    }
                    at += 1;
                }
            }
        };
        (self.turns, *from) = (turns, at);
        halt
    }
}
