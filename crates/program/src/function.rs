//! Functions: code in blocks over registers, with the constants and lists that it names.

use crate::field::{Constants, Defs, Lists, Uses};
use crate::pool::Pool;
use crate::{BlockId, Instr, PlaceId, Regs, TableId};

/// A register of a frame. Those from [`Function::registers`] on are constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u32);

impl Reg {
    /// Registers that are written in text have smaller numbers.
    pub const LIMIT: u32 = 1 << 20;

    /// The number as an index into a frame.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The cases of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// In rising order of the value.
    pub cases: Vec<(u64, BlockId)>,
}

/// A function of the program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Function {
    /// Its name in the source; empty names are allowed, and names need not differ.
    pub name: String,
    /// Arguments arrive in registers 0, 1, ...
    pub parameters: u32,
    /// How many registers a call gives back.
    pub results: u32,
    /// Whether it takes more arguments than its parameters.
    pub variadic: bool,
    /// How many registers there are, constants not counted.
    pub registers: u32,
    /// The values of the registers behind the others.
    pub constants: Vec<u64>,
    /// The instructions of all blocks, one block after the other.
    pub code: Vec<Instr>,
    /// For each instruction its place.
    pub places: Vec<PlaceId>,
    /// For each block its first instruction.
    pub blocks: Vec<u32>,
    /// The tables of its switches.
    pub tables: Vec<Table>,
    /// The registers of all lists, one after the other: those of the code in its order, then those of the loops.
    pub lists: Vec<Reg>,
    /// For each loop the registers that are live where an iteration begins (see [`crate::mark_loops`]).
    pub loops: Vec<Regs>,
    /// Where it is defined.
    pub place: PlaceId,
}

impl Function {
    /// How many words a frame has.
    pub fn frame(&self) -> usize {
        self.registers as usize + self.constants.len()
    }

    /// The registers of a list.
    pub fn list(&self, regs: Regs) -> &[Reg] {
        &self.lists[regs.start as usize..(regs.start + regs.len) as usize]
    }

    /// The instructions of a block, by number.
    pub fn block(&self, block: BlockId) -> std::ops::Range<usize> {
        let start = self.blocks[block.index()] as usize;
        let end = self.blocks.get(block.index() + 1).map_or(self.code.len(), |&end| end as usize);
        start..end
    }

    /// The block that an instruction stands in.
    pub fn block_of(&self, at: usize) -> BlockId {
        BlockId(self.blocks.partition_point(|&start| start as usize <= at) as u32 - 1)
    }

    /// The blocks that control can go to from the end of a block.
    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        let mut to = Vec::new();
        if let Some(last) = self.code[self.block(block)].last() {
            last.targets(|target| to.push(target));
            if let Instr::Switch { cases, .. } = last {
                to.extend(self.tables[cases.index()].cases.iter().map(|case| case.1));
            }
        }
        to.sort();
        to.dedup();
        to
    }

    /// Puts the lists into the order of the code and of the loops, and drops those that nobody names.
    pub(crate) fn order_lists(&mut self) {
        let old = std::mem::take(&mut self.lists);
        let named = self.code.iter_mut().flat_map(|instr| instr.lists_mut()).flatten();
        for regs in named.chain(&mut self.loops) {
            let start = self.lists.len() as u32;
            self.lists.extend_from_slice(&old[regs.start as usize..(regs.start + regs.len) as usize]);
            regs.start = start;
        }
    }
}

impl Lists for Function {
    fn list(&self, regs: Regs) -> &[Reg] {
        Function::list(self, regs)
    }
    fn constant(&self, reg: Reg) -> Option<u64> {
        self.constants.get(reg.0.checked_sub(self.registers)? as usize).copied()
    }
}

/// Makes a function block by block.
///
/// Constants are numbered from [`Builder::FIRST_CONSTANT`] until [`Builder::finish`], which puts them behind the
/// registers.
#[derive(Default)]
pub struct Builder {
    function: Function,
    pool: Pool,
    /// The code of each block, filled in any order.
    blocks: Vec<Vec<(Instr, PlaceId)>>,
    current: usize,
    place: PlaceId,
}

impl Builder {
    const FIRST_CONSTANT: u32 = 1 << 31;

    /// A function with its parameters in the first registers.
    pub fn new(name: impl Into<String>, parameters: u32, results: u32) -> Builder {
        let function = Function { name: name.into(), parameters, results, registers: parameters, ..Function::default() };
        Builder { function, ..Builder::default() }
    }

    /// Says that the function takes more arguments than its parameters.
    pub fn variadic(&mut self) {
        self.function.variadic = true;
    }

    /// Where the function is defined.
    pub fn defined_at(&mut self, place: PlaceId) {
        self.function.place = place;
    }

    /// A new register.
    pub fn register(&mut self) -> Reg {
        self.registers(1)
    }

    /// The first of `n` new registers in a row.
    pub fn registers(&mut self, n: u32) -> Reg {
        let first = Reg(self.function.registers);
        self.function.registers += n;
        first
    }

    /// The register of a constant.
    pub fn constant(&mut self, value: u64) -> Reg {
        Reg(Self::FIRST_CONSTANT + self.pool.word(value))
    }

    /// The first of a pair of constants in a row, low half first.
    pub fn constant_pair(&mut self, value: u128) -> Reg {
        Reg(Self::FIRST_CONSTANT + self.pool.pair(value as u64, (value >> 64) as u64))
    }

    /// The value of a register that is a constant.
    pub fn constant_value(&self, reg: Reg) -> Option<u64> {
        self.pool.values().get(reg.0.checked_sub(Self::FIRST_CONSTANT)? as usize).copied()
    }

    /// The register of the constant with a number.
    pub(crate) fn nth_constant(&self, number: u32) -> Option<Reg> {
        ((number as usize) < self.pool.values().len()).then(|| Reg(Self::FIRST_CONSTANT + number))
    }

    /// Appends a constant, even one that is there already.
    pub(crate) fn push_constant(&mut self, value: u64) {
        self.pool.push(value);
    }

    /// Appends a loop with the registers live at its head.
    pub(crate) fn push_loop(&mut self, live: Regs) {
        self.function.loops.push(live);
    }

    /// Appends a table as it is.
    pub(crate) fn push_table(&mut self, table: Table) {
        self.function.tables.push(table);
    }

    /// Makes as many registers as are given, or as the instructions name.
    pub(crate) fn set_registers(&mut self, given: Option<u32>) {
        let mut needed = self.function.parameters;
        let mut name = |Reg(reg): Reg| {
            if reg < Self::FIRST_CONSTANT {
                needed = needed.max(reg + 1);
            }
        };
        for (instr, _) in self.blocks.iter().flatten() {
            instr.all_defs(self, &mut name);
            instr.all_uses(self, &mut name);
        }
        self.function.registers = given.unwrap_or(needed);
    }

    /// A list of registers.
    pub fn list(&mut self, regs: &[Reg]) -> Regs {
        let start = self.function.lists.len() as u32;
        self.function.lists.extend_from_slice(regs);
        Regs { start, len: regs.len() as u32 }
    }

    /// A list of registers that a call writes.
    pub fn defs(&mut self, regs: &[Reg]) -> Defs {
        Defs(self.list(regs))
    }

    /// A list of registers that a call or return reads.
    pub fn uses(&mut self, regs: &[Reg]) -> Uses {
        Uses(self.list(regs))
    }

    /// A table of cases, which are put in order.
    pub fn table(&mut self, mut cases: Vec<(u64, BlockId)>) -> TableId {
        cases.sort();
        self.function.tables.push(Table { cases });
        TableId(self.function.tables.len() as u32 - 1)
    }

    /// A new block; the first one is where the function begins.
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(Vec::new());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Goes on at the end of a block.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block.index();
    }

    /// The block that instructions are appended to.
    pub fn current(&self) -> BlockId {
        BlockId(self.current as u32)
    }

    /// The place of the instructions that follow.
    pub fn at(&mut self, place: PlaceId) {
        self.place = place;
    }

    /// Appends an instruction to the current block.
    pub fn push(&mut self, instr: Instr) {
        self.blocks[self.current].push((instr, self.place));
    }

    /// Whether the current block has its end.
    pub fn is_ended(&self) -> bool {
        self.blocks[self.current].last().is_some_and(|(instr, _)| instr.ends_block())
    }

    /// The function. Blocks keep their numbers.
    pub fn finish(mut self) -> Function {
        for block in std::mem::take(&mut self.blocks) {
            self.function.blocks.push(self.function.code.len() as u32);
            for (instr, place) in block {
                self.function.code.push(instr);
                self.function.places.push(place);
            }
        }
        self.function.constants = self.pool.values().to_vec();
        let registers = self.function.registers;
        let place = |reg: Reg| match reg.0.checked_sub(Self::FIRST_CONSTANT) {
            Some(number) => Reg(registers + number),
            None => reg,
        };
        self.function.lists.iter_mut().for_each(|reg| *reg = place(*reg));
        self.function.code.iter_mut().for_each(|instr| instr.rename(place));
        self.function.order_lists();
        self.function
    }
}

impl Lists for Builder {
    fn list(&self, regs: Regs) -> &[Reg] {
        self.function.list(regs)
    }
    fn constant(&self, reg: Reg) -> Option<u64> {
        self.constant_value(reg)
    }
}

impl Constants for Builder {
    fn constant(&mut self, value: u64) -> Reg {
        Builder::constant(self, value)
    }
    fn list(&mut self, regs: Vec<Reg>) -> Regs {
        Builder::list(self, &regs)
    }
}
