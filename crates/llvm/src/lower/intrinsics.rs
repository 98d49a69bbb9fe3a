//! Intrinsics: functions whose meaning LLVM defines.

use super::Lowering;
use crate::ir::{Kind, Opcode, Value};
use crate::shape::Leaf;
use crate::stand_in::VA_LIST_SIZE;
use crate::unsupported::{Lowered, refuse};
use raddle_event::{Fence, Order};
use raddle_program::{Convert, Instr, Overflow, Reg, Use};

impl<'m> Lowering<'_, 'm> {
    /// A call of an intrinsic by its name without types.
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(super) fn intrinsic(&mut self, i: Value<'m>, name: &str) -> Lowered<()> {
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        if let Some(rest) = short.strip_prefix("vector.reduce.") {
            return self.reduction(i, rest);
        }
        if let Some(op) = overflow_op(short, ".with.overflow") {
            return self.with_overflow(i, op);
        }
        if let Some(op) = overflow_op(short, ".sat") {
            return self.saturating(i, op);
        }
        match short {
            "memcpy" | "memcpy.inline" | "memmove" => self.copy_memory(i),
            "memset" | "memset.inline" => self.fill_memory(i),
            "lifetime.start" => self.begin_life(i),
            "lifetime.end" => self.end_life(i),
            "invariant.end"
            | "donothing"
            | "prefetch"
            | "sideeffect"
            | "va_end"
            | "pseudoprobe"
            | "experimental.noalias.scope.decl"
            | "var.annotation"
            | "codeview.annotation"
            | "dbg.value"
            | "dbg.declare"
            | "dbg.label"
            | "dbg.assign"
            | "instrprof.increment"
            | "fake.use" => Ok(()),
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "annotation"
            | "ptr.annotation"
            | "arithmetic.fence"
            | "canonicalize" => self.rename(i, i.operand(0)),
            "x86.sse2.mfence" => self.barrier(Fence::Mfence),
            "x86.sse2.lfence" => self.barrier(Fence::Lfence),
            "x86.sse.sfence" => self.barrier(Fence::Sfence),
            "x86.sse2.pause" => Ok(()),
            "x86.rdtsc" => {
                let ticks = self.builder.register();
                self.call_extern("clock", &[ticks], &[])?;
                self.define(i, vec![ticks]);
                Ok(())
            }
            "eh.typeid.for" => self.type_number(i),
            "assume" => self.assume(i),
            "threadlocal.address" => self.rename(i, i.operand(0)),
            "stacksave" => {
                let mark = self.emit(|to| Instr::StackSave { to });
                self.define(i, vec![mark]);
                Ok(())
            }
            "stackrestore" => {
                let mark = Use(self.word(i.operand(0))?);
                self.builder.push(Instr::StackRestore { mark });
                Ok(())
            }
            "va_start" => {
                let list = Use(self.word(i.operand(0))?);
                self.builder.push(Instr::VaStart { list });
                Ok(())
            }
            "va_copy" => self.copy_list(i),
            "trap" | "debugtrap" => self.abort(),
            "ubsantrap" => {
                let check = self.word(i.operand(0))?;
                self.call_extern("__raddle_undefined", &[], &[check])
            }
            "objectsize" => self.unknown_size(i),
            "is.constant" | "returnaddress" | "addressofreturnaddress" | "frameaddress" | "sponentry" | "invariant.start" => self.zero(i),
            "readcyclecounter" | "readsteadycounter" => self.ask_extern(i, name),
            "load.relative" => self.load_relative(i),
            "ptrmask" if is_aligned_structure(i) => refuse("a variable argument that is a structure aligned to sixteen bytes"),
            "ptrmask" => self.by_leaves(i, [i.operand(0), i.operand(1)], |this, leaf, [a, b]| this.operate(Opcode::LLVMAnd, leaf, a, b)),
            "stepvector" => self.step_vector(i),
            "masked.load" | "masked.gather" => self.masked_load(i),
            "masked.store" | "masked.scatter" => self.masked_store(i),
            "fptosi.sat" => self.saturating_conversion(i, Convert::FpToSiSat),
            "fptoui.sat" => self.saturating_conversion(i, Convert::FpToUiSat),
            "abs" | "smin" | "smax" | "umin" | "umax" | "ctpop" | "ctlz" | "cttz" | "bswap" | "bitreverse" | "fshl" | "fshr"
            | "sshl.sat" | "ushl.sat" | "ucmp" | "scmp" => self.bit_intrinsic(i, short),
            _ => self.float_intrinsic(i, short),
        }
    }

    pub(super) fn barrier(&mut self, fence: Fence) -> Lowered<()> {
        self.builder.push(Instr::FenceOp { fence });
        Ok(())
    }

    fn zero(&mut self, i: Value<'m>) -> Lowered<()> {
        let leaves = self.shape(i.of())?;
        let registers = leaves.leaves.iter().flat_map(|(leaf, _)| self.number(*leaf, 0)).collect();
        self.define(i, registers);
        Ok(())
    }

    fn copy_memory(&mut self, i: Value<'m>) -> Lowered<()> {
        let (address, from) = (Use(self.word(i.operand(0))?), Use(self.word(i.operand(1))?));
        let length = Use(self.word(i.operand(2))?);
        self.builder.push(Instr::Copy { address, from, length });
        Ok(())
    }

    fn fill_memory(&mut self, i: Value<'m>) -> Lowered<()> {
        let (address, value) = (Use(self.word(i.operand(0))?), Use(self.word(i.operand(1))?));
        let length = Use(self.word(i.operand(2))?);
        self.builder.push(Instr::Fill { address, value, length });
        Ok(())
    }

    fn copy_list(&mut self, i: Value<'m>) -> Lowered<()> {
        let (address, from) = (Use(self.word(i.operand(0))?), Use(self.word(i.operand(1))?));
        let length = Use(self.builder.constant(VA_LIST_SIZE));
        self.builder.push(Instr::Copy { address, from, length });
        Ok(())
    }

    fn assume(&mut self, i: Value<'m>) -> Lowered<()> {
        let c = self.word(i.operand(0))?;
        if self.builder.constant_value(c) != Some(1) {
            self.builder.push(Instr::Assume { c: Use(c) });
        }
        Ok(())
    }

    fn abort(&mut self) -> Lowered<()> {
        self.call_extern("abort", &[], &[])
    }

    /// The size of an object is not known here: the answer that always holds.
    fn unknown_size(&mut self, i: Value<'m>) -> Lowered<()> {
        let leaf = self.leaf(i.of())?;
        let wants_least = i.operand(1).is_int() && i.operand(1).int(1) == 1;
        let registers = self.number(leaf, if wants_least { 0 } else { leaf.mask() });
        self.define(i, registers);
        Ok(())
    }

    /// A call of a function by the name of the intrinsic.
    fn ask_extern(&mut self, i: Value<'m>, name: &str) -> Lowered<()> {
        let shape = self.shape(i.of())?;
        let results = self.fresh(&shape);
        self.call_extern(name, &results, &[])?;
        self.define(i, results);
        Ok(())
    }

    /// An address stored as a distance of 32 bits from a base.
    fn load_relative(&mut self, i: Value<'m>) -> Lowered<()> {
        let (base, index) = (Use(self.word(i.operand(0))?), Use(self.word(i.operand(1))?));
        let at = self.emit(|to| Instr::Index { to, base, index, scale: 1 });
        let distance = self.load_leaf(Leaf::Int(32), at, Order::Plain);
        let distance = self.extend_sign(Leaf::Int(32), Leaf::Int(64), &distance);
        let address = self.emit(|to| Instr::Index { to, base, index: Use(distance[0]), scale: 1 });
        self.define(i, vec![address]);
        Ok(())
    }

    fn with_overflow(&mut self, i: Value<'m>, op: Overflow) -> Lowered<()> {
        let (a, b) = (self.split(i.operand(0))?, self.split(i.operand(1))?);
        let shape = self.shape(i.operand(0).of())?;
        let (mut results, mut flags) = (Vec::new(), Vec::new());
        for ((a, b), &(leaf, _)) in a.iter().zip(&b).zip(&shape.leaves) {
            let (result, flag) = self.overflowing(op, leaf, a, b)?;
            results.extend(result);
            flags.push(flag);
        }
        self.define(i, [results, flags].concat());
        Ok(())
    }

    fn saturating(&mut self, i: Value<'m>, op: Overflow) -> Lowered<()> {
        self.by_leaves(i, [i.operand(0), i.operand(1)], |this, leaf, [a, b]| this.saturated(op, leaf, a, b))
    }

    fn saturating_conversion(&mut self, i: Value<'m>, op: Convert) -> Lowered<()> {
        let Some(&(to, _)) = self.shape(i.of())?.leaves.first() else { return Ok(()) };
        self.by_leaves(i, [i.operand(0)], |this, from, [a]| Ok(this.convert(op, from, to, a)))
    }

    /// `vector.reduce.*`
    fn reduction(&mut self, i: Value<'m>, name: &str) -> Lowered<()> {
        let opcode = match name {
            "add" => Opcode::LLVMAdd,
            "mul" => Opcode::LLVMMul,
            "and" => Opcode::LLVMAnd,
            "or" => Opcode::LLVMOr,
            "xor" => Opcode::LLVMXor,
            "fadd" | "fmul" => {
                let start = self.registers(i.operand(0))?;
                let opcode = if name == "fadd" { Opcode::LLVMFAdd } else { Opcode::LLVMFMul };
                return self.reduce(i, i.operand(1), Some(start), opcode);
            }
            "smin" | "smax" | "umin" | "umax" => {
                return self.reduce_with(i, i.operand(0), None, |this, leaf, a, b| Ok(this.extreme(name, leaf, a, b)));
            }
            "fmin" | "fmax" | "fminimum" | "fmaximum" => {
                let function = match name {
                    "fmin" => "minnum",
                    "fmax" => "maxnum",
                    "fminimum" => "minimum",
                    _ => "maximum",
                };
                return self.reduce_with(i, i.operand(0), None, |this, leaf, a, b| this.math(function, leaf, &[a[0], b[0]]));
            }
            _ => return refuse(format!("the reduction `{name}`")),
        };
        self.reduce(i, i.operand(0), None, opcode)
    }

    /// The numbers 0, 1, 2, ...
    fn step_vector(&mut self, i: Value<'m>) -> Lowered<()> {
        let shape = self.shape(i.of())?;
        let lanes = shape.leaves.iter().enumerate();
        let registers: Vec<Reg> = lanes.flat_map(|(lane, (leaf, _))| self.number(*leaf, lane as u128 & leaf.mask())).collect();
        self.define(i, registers);
        Ok(())
    }
}

/// `sadd` of `sadd.with.overflow`.
fn overflow_op(name: &str, end: &str) -> Option<Overflow> {
    match name.strip_suffix(end)? {
        "sadd" => Some(Overflow::SAdd),
        "uadd" => Some(Overflow::UAdd),
        "ssub" => Some(Overflow::SSub),
        "usub" => Some(Overflow::USub),
        "smul" => Some(Overflow::SMul),
        "umul" => Some(Overflow::UMul),
        _ => None,
    }
}

/// Whether `va_arg` aligns where it finds a structure that callers pass in registers: they do not say how it is
/// aligned, and all variable arguments lie on the stack here.
fn is_aligned_structure(mask: Value<'_>) -> bool {
    let is_number = |user: Value<'_>| user.opcode() == Opcode::LLVMLoad && matches!(user.of().kind(), Kind::Int(128) | Kind::Vector(..));
    // The load may stand beside the address already.
    let is_taken = |found: Value<'_>| found.name().starts_with("vaarg.addr") && !is_number(found) && !found.users().any(is_number);
    mask.name().starts_with("overflow_arg_area") && mask.users().any(is_taken)
}
