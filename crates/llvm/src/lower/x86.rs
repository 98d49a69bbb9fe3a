//! Inline assembly for x86 that reads and writes memory: locked instructions, what stands around them, and what asks
//! the processor.
//!
//! Of each statement the operands are those of the constraints: results, addresses of memory, values. Flags are kept
//! from one statement to the next. The spelling is that of AT&T, source first. A locked instruction, and `xchg` with
//! memory, is one sequentially consistent read-modify-write; the same without `lock` is a load and a store.

use super::Lowering;
use crate::ir::Value;
use crate::shape::Leaf;
use crate::unsupported::{Lowered, refuse};
use raddle_event::{Fence, Order, RmwOp};
use raddle_program::{Bits, Def, Instr, Reg, Size, Use};

/// An operand of a piece of assembly.
struct Operand {
    /// What the constraint says: `r`, `{ax}`, `0`.
    constraint: String,
    /// Where it is in memory, for one that is there.
    address: Option<Reg>,
    /// Its value, once it has one.
    value: Option<Reg>,
    /// How it is held, for a result.
    leaf: Option<Leaf>,
}

/// What the last statement left in the flags.
#[derive(Clone, Copy)]
enum Flags {
    /// This word of so many bits was the result.
    Result(Reg, u8),
    /// Whether the values were equal.
    Equal(Reg),
    /// The bit that was shifted out.
    Carry(Reg),
}

/// A piece of assembly being lowered.
struct Piece {
    operands: Vec<Operand>,
    flags: Option<Flags>,
}

impl Piece {
    /// The operand that a text names: `$0`, `${1:b}`, `%eax`.
    fn operand(&self, text: &str) -> Option<usize> {
        let inner = text.trim().strip_prefix('$')?;
        let inner = inner.strip_prefix('{').map_or(inner, |i| i.trim_end_matches('}'));
        let number: usize = inner.split(':').next()?.parse().ok()?;
        (number < self.operands.len()).then_some(number)
    }

    /// The operand that is kept in a register of the machine.
    fn fixed(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|operand| operand.constraint == format!("{{{name}}}"))
    }
}

/// How many bytes an instruction works with, by the end of its name.
fn split_size(word: &str) -> (&str, Option<u32>) {
    let known = ["cmpxchg", "xchg", "xadd", "inc", "dec", "add", "sub", "or", "and", "xor", "bts", "btr", "btc", "mov", "not", "neg"];
    for (end, size) in [("b", 1), ("w", 2), ("l", 4), ("q", 8)] {
        if let Some(stem) = word.strip_suffix(end).filter(|stem| known.contains(stem)) {
            return (stem, Some(size));
        }
    }
    (word, None)
}

/// Directives that only say where the code stands: with `lock` Linux notes its place for machines with one processor.
const DIRECTIVES: [&str; 8] = [".pushsection", ".popsection", ".section", ".previous", ".balign", ".align", ".p2align", ".long"];

/// A text without its comments.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept + rest
}

/// A statement without the number that it has as a label.
fn without_label(part: &str) -> &str {
    match part.split_once(':') {
        Some((label, rest)) if !label.is_empty() && label.bytes().all(|c| c.is_ascii_digit()) => rest.trim_start(),
        _ => part,
    }
}

/// The statements of a text, each with whether it is locked.
fn statements(text: &str) -> Vec<(bool, String)> {
    let mut all = Vec::new();
    let mut locked = false;
    for part in without_comments(text).split([';', '\n']) {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let part = without_label(&part);
        if DIRECTIVES.contains(&part.split(' ').next().unwrap_or_default()) {
            continue;
        }
        let rest = part.strip_prefix("lock").filter(|rest| rest.is_empty() || rest.starts_with(' ')).map(str::trim_start);
        locked |= rest.is_some();
        let rest = rest.unwrap_or(part);
        if !rest.is_empty() {
            all.push((locked, rest.to_string()));
            locked = false;
        }
    }
    all
}

impl<'m> Lowering<'_, 'm> {
    /// Assembly that is more than a barrier.
    pub(super) fn x86(&mut self, i: Value<'m>, constraints: &str, text: &str) -> Lowered<()> {
        let mut piece = self.piece(i, constraints, text)?;
        for (locked, statement) in statements(text) {
            if self.x86_statement(&mut piece, locked, &statement)?.is_none() {
                return refuse(format!("inline assembly `{}`", text.trim()));
            }
        }
        let mut results = Vec::new();
        for operand in &piece.operands {
            let Some(leaf) = operand.leaf else { continue };
            let condition = operand.constraint.strip_prefix("{@cc").map(|name| name.trim_end_matches('}').to_string());
            match (condition, operand.value) {
                (Some(name), _) => match self.condition(&piece, &name) {
                    Some(value) => results.push(value),
                    None => return refuse(format!("inline assembly `{}`", text.trim())),
                },
                (None, Some(value)) => results.push(value),
                (None, None) => results.extend(self.number(leaf, 0)),
            }
        }
        self.define(i, results);
        Ok(())
    }

    /// The operands of assembly: results first, then values and addresses, as the constraints list them.
    fn piece(&mut self, i: Value<'m>, constraints: &str, text: &str) -> Lowered<Piece> {
        let shape = self.shape(i.of())?;
        let mut leaves = shape.leaves.iter().map(|leaf| leaf.0);
        let mut arguments = i.arguments().into_iter();
        let mut operands: Vec<Operand> = Vec::new();
        let odd = || refuse(format!("inline assembly `{}` with these operands", text.trim()));
        for constraint in constraints.split(',').filter(|c| !c.starts_with('~') && !c.starts_with('!')) {
            let (is_result, rest) = (constraint.starts_with('='), constraint.trim_start_matches(['=', '&', '+', '%']));
            let is_memory = rest.contains('*');
            let constraint = rest.replace(['*', '&'], "");
            let mut operand = Operand { constraint, address: None, value: None, leaf: None };
            if is_result && !is_memory {
                operand.leaf = leaves.next();
                if operand.leaf.is_none_or(Leaf::is_wide) {
                    return odd();
                }
            } else {
                let Some(argument) = arguments.next() else { return odd() };
                let registers = self.registers(argument)?;
                let [only] = registers[..] else { return odd() };
                match is_memory {
                    true => operand.address = Some(only),
                    false => operand.value = Some(only),
                }
            }
            if let (Ok(tied), Some(value)) = (operand.constraint.parse::<usize>(), operand.value) {
                match operands.get_mut(tied) {
                    Some(result) => result.value = Some(value),
                    None => return odd(),
                }
            }
            operands.push(operand);
        }
        Ok(Piece { operands, flags: None })
    }

    /// One statement; `None` where it is not known.
    fn x86_statement(&mut self, piece: &mut Piece, locked: bool, text: &str) -> Lowered<Option<()>> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let texts: Vec<&str> = rest.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
        if let Some(condition) = word.strip_prefix("set") {
            let (Some(to), Some(value)) = (texts.first().and_then(|t| piece.operand(t)), self.condition(piece, condition)) else {
                return Ok(None);
            };
            self.x86_put(piece, to, value, 1);
            return Ok(Some(()));
        }
        match (word, &texts[..]) {
            ("pause" | "nop", []) | ("rep", ["nop"]) => Ok(Some(())),
            ("mfence", []) => self.barrier(Fence::Mfence).map(Some),
            ("lfence", []) => self.barrier(Fence::Lfence).map(Some),
            ("sfence", []) => self.barrier(Fence::Sfence).map(Some),
            ("rdtsc" | "rdtscp", []) => self.time_stamp(piece).map(Some),
            ("cpuid", []) => {
                self.builder.push(Instr::FenceOp { fence: Fence::Mfence });
                let zero = self.builder.constant(0);
                for name in ["ax", "bx", "cx", "dx"] {
                    if let Some(at) = piece.fixed(name) {
                        piece.operands[at].value = Some(zero);
                    }
                }
                Ok(Some(()))
            }
            _ => self.x86_access(piece, locked, split_size(word), &texts),
        }
    }

    fn time_stamp(&mut self, piece: &mut Piece) -> Lowered<()> {
        let ticks = self.builder.register();
        self.call_extern("clock", &[ticks], &[])?;
        let half = self.builder.constant(32);
        let low = self.emit(|to| Instr::Trunc { to, a: Use(ticks), bits: Bits(32) });
        let high = self.emit(|to| Instr::LShr { to, a: Use(ticks), b: Use(half), bits: Bits(64) });
        let zero = self.builder.constant(0);
        for (name, value) in [("ax", low), ("dx", high), ("cx", zero)] {
            if let Some(at) = piece.fixed(name) {
                piece.operands[at].value = Some(value);
            }
        }
        if let Some(at) = piece.operands.iter().position(|operand| operand.constraint == "A") {
            piece.operands[at].value = Some(ticks);
        }
        Ok(())
    }

    /// An instruction with operands, of which one may be in memory.
    fn x86_access(&mut self, piece: &mut Piece, locked: bool, (word, size): (&str, Option<u32>), texts: &[&str]) -> Lowered<Option<()>> {
        let Some((last, first)) = texts.split_last() else { return Ok(None) };
        let Some(mut to) = piece.operand(last) else { return Ok(None) };
        let mut from = match first {
            [] => None,
            [one] => match (piece.operand(one), immediate(one)) {
                (Some(operand), _) => Some(Ok(operand)),
                (None, Some(number)) => Some(Err(number)),
                (None, None) => return Ok(None),
            },
            _ => return Ok(None),
        };
        if let (true, Some(Ok(other))) = (word == "xchg" && piece.operands[to].address.is_none(), &from) {
            // It may be written either way round.
            (to, from) = (*other, Some(Ok(to)));
        }
        let held = |at: usize| piece.operands[at].leaf.map(|leaf| (leaf.bits() as u32).div_ceil(8));
        let of_source = || from.as_ref().and_then(|f| f.as_ref().ok()).and_then(|&at| held(at));
        let Some(size) = size.or_else(|| held(to)).or_else(of_source) else { return Ok(None) };
        let bits = (size * 8) as u8;
        let value = match &from {
            Some(Ok(at)) => self.x86_value(piece, *at, size),
            Some(Err(number)) => Some(self.builder.constant(number & (u64::MAX >> (64 - bits)))),
            None => Some(self.builder.constant(1)),
        };
        let Some(value) = value else { return Ok(None) };
        let value = self.emit(|to| Instr::Trunc { to, a: Use(value), bits: Bits(bits) });
        let Some(address) = piece.operands[to].address else {
            return Ok(self.x86_in_registers(piece, word, to, value, bits));
        };
        match (word, from) {
            ("cmpxchg", Some(Ok(_))) if locked => Ok(self.x86_compare(piece, address, value, size)),
            ("xchg", Some(Ok(source))) => {
                let old = self.x86_rmw(RmwOp::Exchange, address, value, size, true)?.0;
                self.x86_put(piece, source, old, size);
                Ok(Some(()))
            }
            ("xadd", Some(Ok(source))) => {
                let (old, new) = self.x86_rmw(RmwOp::Add, address, value, size, locked)?;
                self.x86_put(piece, source, old, size);
                piece.flags = Some(Flags::Result(new, bits));
                Ok(Some(()))
            }
            ("neg" | "not", None) => self.x86_unary(piece, (word, locked), address, size),
            ("bts" | "btr" | "btc", Some(_)) => self.x86_bit(piece, word, [address, value], size, locked).map(Some),
            ("mov", Some(_)) => {
                self.builder.push(Instr::Store { address: Use(address), value: Use(value), size: Size(size), order: Order::Plain });
                Ok(Some(()))
            }
            _ => {
                let Some(op) = operation(word) else { return Ok(None) };
                let new = self.x86_rmw(op, address, value, size, locked)?.1;
                piece.flags = Some(Flags::Result(new, bits));
                Ok(Some(()))
            }
        }
    }

    /// `not`, and `neg` without `lock`.
    fn x86_unary(&mut self, piece: &mut Piece, (word, locked): (&str, bool), address: Reg, size: u32) -> Lowered<Option<()>> {
        let bits = (size * 8) as u8;
        if word == "not" {
            let all = self.builder.constant(u64::MAX >> (64 - bits));
            return self.x86_rmw(RmwOp::Xor, address, all, size, locked).map(|_| Some(()));
        }
        if locked {
            return Ok(None);
        }
        let old = self.emit(|to| Instr::Load { to, address: Use(address), size: Size(size), order: Order::Plain });
        let zero = self.builder.constant(0);
        let new = self.emit(|to| Instr::Sub { to, a: Use(zero), b: Use(old), bits: Bits(bits) });
        self.builder.push(Instr::Store { address: Use(address), value: Use(new), size: Size(size), order: Order::Plain });
        piece.flags = Some(Flags::Result(new, bits));
        Ok(Some(()))
    }

    /// An instruction without memory: the little that stands beside those with it.
    fn x86_in_registers(&mut self, piece: &mut Piece, word: &str, to: usize, value: Reg, bits: u8) -> Option<()> {
        let new = match word {
            "mov" => value,
            _ => {
                let old = piece.operands[to].value?;
                self.x86_computed(operation(word)?, old, value, bits)?
            }
        };
        piece.operands[to].value = Some(new);
        if word != "mov" {
            piece.flags = Some(Flags::Result(new, bits));
        }
        Some(())
    }

    /// The value of an operand.
    fn x86_value(&mut self, piece: &Piece, at: usize, size: u32) -> Option<Reg> {
        match (piece.operands[at].value, piece.operands[at].address) {
            (Some(value), _) => Some(value),
            (None, Some(address)) => Some(self.emit(|to| Instr::Load { to, address: Use(address), size: Size(size), order: Order::Plain })),
            (None, None) => None,
        }
    }

    /// Gives an operand a value.
    fn x86_put(&mut self, piece: &mut Piece, at: usize, value: Reg, size: u32) {
        match piece.operands[at].address {
            Some(address) => {
                self.builder.push(Instr::Store { address: Use(address), value: Use(value), size: Size(size), order: Order::Plain });
            }
            None => piece.operands[at].value = Some(value),
        }
    }

    /// The old value and the new one.
    fn x86_rmw(&mut self, op: RmwOp, address: Reg, value: Reg, size: u32, locked: bool) -> Lowered<(Reg, Reg)> {
        let (size, bits) = (Size(size), (size * 8) as u8);
        let old = match locked {
            true => self.emit(|to| Instr::Rmw { to, op, address: Use(address), operand: Use(value), size, order: Order::SeqCst }),
            false => self.emit(|to| Instr::Load { to, address: Use(address), size, order: Order::Plain }),
        };
        let Some(new) = self.x86_computed(op, old, value, bits) else { return refuse("this inline assembly") };
        if !locked {
            self.builder.push(Instr::Store { address: Use(address), value: Use(new), size, order: Order::Plain });
        }
        Ok((old, new))
    }

    fn x86_computed(&mut self, op: RmwOp, old: Reg, value: Reg, bits: u8) -> Option<Reg> {
        let (a, b, bits) = (Use(old), Use(value), Bits(bits));
        Some(match op {
            RmwOp::Add => self.emit(|to| Instr::Add { to, a, b, bits }),
            RmwOp::Sub => self.emit(|to| Instr::Sub { to, a, b, bits }),
            RmwOp::And => self.emit(|to| Instr::And { to, a, b }),
            RmwOp::Or => self.emit(|to| Instr::Or { to, a, b }),
            RmwOp::Xor => self.emit(|to| Instr::Xor { to, a, b }),
            RmwOp::Exchange => value,
            _ => return None,
        })
    }

    /// `cmpxchg`: what is expected is in `ax`, and what was found goes there.
    fn x86_compare(&mut self, piece: &mut Piece, address: Reg, new: Reg, size: u32) -> Option<()> {
        let ax = piece.fixed("ax")?;
        let expected = piece.operands[ax].value?;
        let expected = self.emit(|to| Instr::Trunc { to, a: Use(expected), bits: Bits((size * 8) as u8) });
        let (old, done) = (self.builder.register(), self.builder.register());
        self.builder.push(Instr::CompareExchange {
            to: Def(old),
            done: Def(done),
            address: Use(address),
            expected: Use(expected),
            new: Use(new),
            size: Size(size),
            order: Order::SeqCst,
            failure: Order::SeqCst,
        });
        piece.operands[ax].value = Some(old);
        piece.flags = Some(Flags::Equal(done));
        Some(())
    }

    /// A bit of a row of bits that begins at an address.
    fn x86_bit(&mut self, piece: &mut Piece, word: &str, [address, number]: [Reg; 2], size: u32, locked: bool) -> Lowered<()> {
        let bits = (size * 8) as u8;
        let shift = self.builder.constant(u64::from(bits.trailing_zeros()));
        let inside = self.builder.constant(u64::from(bits) - 1);
        let which = self.emit(|to| Instr::AShr { to, a: Use(number), b: Use(shift), bits: Bits(bits) });
        let which = self.emit(|to| Instr::SExt { to, a: Use(which), from: Bits(bits), bits: Bits(64) });
        let address = self.emit(|to| Instr::Index { to, base: Use(address), index: Use(which), scale: u64::from(size) });
        let number = self.emit(|to| Instr::And { to, a: Use(number), b: Use(inside) });
        let one = self.builder.constant(1);
        let mask = self.emit(|to| Instr::Shl { to, a: Use(one), b: Use(number), bits: Bits(bits) });
        let (op, operand) = match word {
            "bts" => (RmwOp::Or, mask),
            "btc" => (RmwOp::Xor, mask),
            _ => {
                let all = self.builder.constant(u64::MAX >> (64 - bits));
                (RmwOp::And, self.emit(|to| Instr::Xor { to, a: Use(mask), b: Use(all) }))
            }
        };
        let old = self.x86_rmw(op, address, operand, size, locked)?.0;
        let moved = self.emit(|to| Instr::LShr { to, a: Use(old), b: Use(number), bits: Bits(bits) });
        piece.flags = Some(Flags::Carry(self.emit(|to| Instr::And { to, a: Use(moved), b: Use(one) })));
        Ok(())
    }

    /// A condition of the flags, as zero or one.
    fn condition(&mut self, piece: &Piece, name: &str) -> Option<Reg> {
        let zero = self.builder.constant(0);
        let (name, is_negated) = match name {
            "ne" | "nz" => ("e", true),
            "nc" | "ae" | "nb" => ("c", true),
            "ns" => ("s", true),
            "z" => ("e", false),
            "b" => ("c", false),
            name => (name, false),
        };
        let holds = match (name, piece.flags?) {
            ("e", Flags::Result(result, _)) => self.emit(|to| Instr::Eq { to, a: Use(result), b: Use(zero) }),
            ("e", Flags::Equal(done)) => done,
            ("c", Flags::Carry(bit)) => bit,
            ("s", Flags::Result(result, bits)) => self.emit(|to| Instr::SLt { to, a: Use(result), b: Use(zero), bits: Bits(bits) }),
            _ => return None,
        };
        if !is_negated {
            return Some(holds);
        }
        Some(self.emit(|to| Instr::Eq { to, a: Use(holds), b: Use(zero) }))
    }
}

/// The operation of an instruction. `inc` and `dec` add and subtract one.
fn operation(word: &str) -> Option<RmwOp> {
    match word {
        "inc" | "add" => Some(RmwOp::Add),
        "dec" | "sub" => Some(RmwOp::Sub),
        "and" => Some(RmwOp::And),
        "or" => Some(RmwOp::Or),
        "xor" => Some(RmwOp::Xor),
        _ => None,
    }
}

/// A number in the text: `$$5`.
fn immediate(text: &str) -> Option<u64> {
    let text = text.trim_start_matches('$');
    let (text, is_negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    let number = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => text.parse().ok()?,
    };
    Some(if is_negative { number.wrapping_neg() } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_belongs_to_what_follows() {
        let all = |text| statements(text);
        assert_eq!(all("lock; cmpxchgl $2, $1\n\tsetz $0"), [(true, "cmpxchgl $2, $1".into()), (false, "setz $0".into())]);
        assert_eq!(all("LOCK incl $0"), [(true, "incl $0".into())]);
        assert_eq!(all(".balign 4\n.long 671f - .\n671:\n\tlock; decl $0\n\t/* e; */\n"), [(true, "decl $0".into())]);
    }

    #[test]
    fn sizes_are_at_the_end_of_names() {
        assert_eq!(split_size("cmpxchgl"), ("cmpxchg", Some(4)));
        assert_eq!(split_size("xaddq"), ("xadd", Some(8)));
        assert_eq!(split_size("sub"), ("sub", None));
        assert_eq!(split_size("subb"), ("sub", Some(1)));
    }

    #[test]
    fn numbers_in_the_text() {
        assert_eq!(immediate("$$5"), Some(5));
        assert_eq!(immediate("$$-1"), Some(u64::MAX));
        assert_eq!(immediate("$$0x10"), Some(16));
        assert_eq!(immediate("%eax"), None);
    }
}
