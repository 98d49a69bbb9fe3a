//! Lowering of one function: LLVM instructions to instructions of the program form.
//!
//! Blocks are lowered in reverse postorder, so that a value is lowered before its uses (a phi's aside). Most values get
//! new registers; one that only renames another (an extension by zeros, a cast between words) shares its registers.
//! That is sound: registers of a phi change only on the way into its block, and a use of the sharing value after that
//! way lies behind the sharing instruction again, since that instruction dominates it.

mod arithmetic;
mod assembly;
mod bits;
mod calls;
mod casts;
mod compare;
mod control;
mod floats;
mod instruction;
mod intrinsics;
mod lives;
mod long;
mod masked;
mod memory;
mod operands;
mod phis;
mod vectors;
mod wide;
mod x86;

use crate::coalesce::coalesce;
use crate::ir::{Block, Metadata, Value, variables};
use crate::places::source_name;
use crate::straighten::straighten;
use crate::unit::Unit;
use crate::unsupported::Unsupported;
use raddle_program::{BlockId, Builder, Function, Instr, Reg, mark_loops};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function being lowered.
pub struct Lowering<'u, 'm> {
    unit: &'u mut Unit<'m>,
    builder: Builder,
    values: FxHashMap<Value<'m>, Vec<Reg>>,
    blocks: FxHashMap<Block<'m>, BlockId>,
    /// The block being lowered.
    block: Block<'m>,
    /// The blocks that hold the copies for phis on the edges out of this block.
    edges: FxHashMap<Block<'m>, BlockId>,
    /// Comparisons that the branch after them makes.
    fused: FxHashSet<Value<'m>>,
    /// The variables of the source, by their addresses.
    variables: FxHashMap<Value<'m>, Metadata<'m>>,
}

/// Lowers a defined function.
pub fn lower<'m>(unit: &mut Unit<'m>, function: Value<'m>) -> Function {
    let order = reverse_postorder(function);
    let mut builder = signature(unit, function);
    let blocks = order.iter().map(|&block| (block, builder.block())).collect();
    let variables = order.iter().flat_map(|&block| variables(block)).collect();
    let mut lowering = Lowering {
        unit,
        builder,
        values: FxHashMap::default(),
        blocks,
        block: order[0],
        edges: FxHashMap::default(),
        fused: FxHashSet::default(),
        variables,
    };
    lowering.receive_parameters(function);
    for block in order {
        lowering.lower_block(block);
    }
    let mut function = lowering.builder.finish();
    let returns_twice = |instr: &Instr| match instr {
        Instr::CallExtern { function, .. } => unit.program.externs[function.index()].ends_with("setjmp"),
        _ => false,
    };
    if !function.code.iter().any(returns_twice) {
        // Who comes back by `longjmp` finds each value in its own registers.
        coalesce(&mut function);
    }
    straighten(&mut function);
    mark_loops(&mut function);
    function
}

/// A builder with the parameters and results of a function.
fn signature<'m>(unit: &mut Unit<'m>, function: Value<'m>) -> Builder {
    let of = function.value_type();
    let parameters = of.parameters().into_iter().map(|p| unit.passed_registers(p)).sum();
    let results = unit.passed_registers(of.result());
    let mut builder = Builder::new(source_name(function), parameters, results);
    if of.is_variadic() {
        builder.variadic();
    }
    builder.defined_at(unit.definition_of(function));
    builder
}

/// The blocks that can be reached, each before its successors as far as loops allow.
fn reverse_postorder(function: Value<'_>) -> Vec<Block<'_>> {
    let entry = function.blocks()[0];
    let mut seen = FxHashSet::from_iter([entry]);
    let mut order = Vec::new();
    let mut walk = vec![(entry, entry.successors())];
    while let Some((block, left)) = walk.last_mut() {
        match left.pop() {
            Some(next) if seen.insert(next) => walk.push((next, next.successors())),
            Some(_) => {}
            None => {
                order.push(*block);
                walk.pop();
            }
        }
    }
    order.reverse();
    order
}

impl<'m> Lowering<'_, 'm> {
    fn receive_parameters(&mut self, function: Value<'m>) {
        let mut next = 0;
        for parameter in function.parameters() {
            let n = self.unit.passed_registers(parameter.of());
            self.values.insert(parameter, (next..next + n).map(Reg).collect());
            next += n;
        }
    }

    fn lower_block(&mut self, block: Block<'m>) {
        self.block = block;
        self.edges.clear();
        let id = self.blocks[&block];
        self.builder.switch_to(id);
        for instruction in block.instructions() {
            let place = self.unit.place_of(instruction);
            self.builder.at(place);
            if let Err(what) = self.instruction(instruction) {
                self.stop(what);
            }
            if self.builder.is_ended() {
                return;
            }
        }
    }

    /// Ends the block: what would follow is not supported.
    fn stop(&mut self, what: Unsupported) {
        let what = self.unit.note(what);
        self.builder.push(Instr::Unsupported { what });
    }
}
