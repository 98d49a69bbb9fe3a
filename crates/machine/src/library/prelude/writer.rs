//! Writes a function of the prelude, a little closer to how one thinks of it than the builder.

use super::{Definition, Linker};
use raddle_event::{Address, Order};
use raddle_program::{Bits, BlockId, Builder, Def, ExternId, Function, GlobalId, Instr, Reg, Size, To, Use};

/// A function being written.
pub struct Writer<'w, 'p> {
    linker: &'w mut Linker<'p>,
    builder: Builder,
}

impl<'w, 'p> Writer<'w, 'p> {
    pub fn new(linker: &'w mut Linker<'p>, definition: &Definition) -> Self {
        let mut builder = Builder::new(definition.name, definition.parameters, definition.results);
        builder.block();
        Writer { linker, builder }
    }

    pub fn finish(self) -> Function {
        self.builder.finish()
    }

    /// The register of a parameter.
    pub fn parameter(&self, number: u32) -> Reg {
        Reg(number)
    }

    pub fn constant(&mut self, value: u64) -> Reg {
        self.builder.constant(value)
    }

    /// A register that is assigned more than once.
    pub fn variable(&mut self, first: Reg) -> Reg {
        let to = self.builder.register();
        self.assign(to, first);
        to
    }

    pub fn assign(&mut self, to: Reg, value: Reg) {
        self.builder.push(Instr::Move { to: Def(to), a: Use(value) });
    }

    pub fn add(&mut self, a: Reg, b: Reg) -> Reg {
        self.make(|to| Instr::Add { to, a: Use(a), b: Use(b), bits: Bits(64) })
    }

    pub fn sub(&mut self, a: Reg, b: Reg) -> Reg {
        self.make(|to| Instr::Sub { to, a: Use(a), b: Use(b), bits: Bits(64) })
    }

    pub fn mul(&mut self, a: Reg, b: Reg) -> Reg {
        self.make(|to| Instr::Mul { to, a: Use(a), b: Use(b), bits: Bits(64) })
    }

    pub fn half(&mut self, a: Reg) -> Reg {
        let one = self.constant(1);
        self.make(|to| Instr::LShr { to, a: Use(a), b: Use(one), bits: Bits(64) })
    }

    /// The word at an offset from an address.
    pub fn load(&mut self, address: Reg, offset: u64) -> Reg {
        let offset = self.constant(offset);
        let address = self.add(address, offset);
        self.make(|to| Instr::Load { to, address: Use(address), size: Size(8), order: Order::Plain })
    }

    /// Writes the word at an offset from an address.
    pub fn store(&mut self, address: Reg, offset: u64, value: Reg) {
        let offset = self.constant(offset);
        let address = self.add(address, offset);
        self.builder.push(Instr::Store { address: Use(address), value: Use(value), size: Size(8), order: Order::Plain });
    }

    pub fn copy(&mut self, to: Reg, from: Reg, length: Reg) {
        self.builder.push(Instr::Copy { address: Use(to), from: Use(from), length: Use(length) });
    }

    /// The address of the thread's instance of a thread-local variable.
    pub fn thread_local(&mut self, global: GlobalId) -> Reg {
        self.make(|to| Instr::ThreadLocal { to, global })
    }

    fn make(&mut self, instr: impl FnOnce(Def) -> Instr) -> Reg {
        let to = self.builder.register();
        self.builder.push(instr(Def(to)));
        to
    }

    /// Calls a function of the library or of the prelude.
    pub fn call<const N: usize>(&mut self, name: &str, arguments: &[Reg]) -> [Reg; N] {
        let results = [(); N].map(|()| self.builder.register());
        let function = self.extern_named(name);
        let instr = Instr::CallExtern { results: self.builder.defs(&results), function, arguments: self.builder.uses(arguments) };
        self.builder.push(instr);
        results
    }

    fn extern_named(&mut self, name: &str) -> ExternId {
        let externs = &mut self.linker.program.externs;
        let number = externs.iter().position(|known| known == name).unwrap_or_else(|| {
            externs.push(name.into());
            externs.len() - 1
        });
        ExternId(number as u32)
    }

    /// Calls a function of the program; it may take fewer arguments.
    pub fn call_pointer<const N: usize>(&mut self, target: Reg, arguments: &[Reg]) -> [Reg; N] {
        let results = [(); N].map(|()| self.builder.register());
        let instr =
            Instr::CallPointer { results: self.builder.defs(&results), target: Use(target), arguments: self.builder.uses(arguments) };
        self.builder.push(instr);
        results
    }

    /// Where control goes after a call: on, or where the function throws to a block that ends with [`Self::throw_on`].
    pub fn invoked(&mut self, normal: BlockId, thrown: BlockId) {
        let cleanup = self.constant(1);
        let clauses = self.builder.uses(&[cleanup]);
        self.builder.push(Instr::Invoked { clauses, normal: To(normal), pad: To(thrown) });
    }

    /// The exception goes on to the callers.
    pub fn throw_on(&mut self) {
        let [exception, _] = self.call("__raddle_landing", &[]);
        self.call::<0>("_Unwind_Resume", &[exception]);
        self.builder.push(Instr::Unreachable {});
    }

    /// The address of a function of the prelude.
    pub fn address_of(&mut self, name: &str) -> Reg {
        let id = self.linker.define(name).expect("the prelude has the functions that it names");
        let Address(address) = self.linker.program.function_address(id).unwrap_or_default();
        self.constant(address)
    }

    /// The program, to add variables or look for them.
    pub fn program(&mut self) -> &mut raddle_program::Program {
        self.linker.program
    }

    /// Whether threads have something to do when they end.
    pub fn endings(&self) -> bool {
        self.linker.endings
    }

    pub fn block(&mut self) -> BlockId {
        self.builder.block()
    }

    /// Goes on in a block.
    pub fn begin(&mut self, block: BlockId) {
        self.builder.switch_to(block);
    }

    pub fn jump(&mut self, to: BlockId) {
        self.builder.push(Instr::Jump { to: To(to) });
    }

    /// Goes to `yes` when the value is not zero.
    pub fn branch(&mut self, c: Reg, yes: BlockId, no: BlockId) {
        self.builder.push(Instr::Branch { c: Use(c), yes: To(yes), no: To(no) });
    }

    pub fn branch_less(&mut self, a: Reg, b: Reg, yes: BlockId, no: BlockId) {
        self.builder.push(Instr::BranchULt { a: Use(a), b: Use(b), yes: To(yes), no: To(no) });
    }

    /// Compares two values of type `int`.
    pub fn branch_int_less(&mut self, a: Reg, b: Reg, yes: BlockId, no: BlockId) {
        self.builder.push(Instr::BranchSLt { a: Use(a), b: Use(b), bits: Bits(32), yes: To(yes), no: To(no) });
    }

    pub fn ret(&mut self, values: &[Reg]) {
        let values = self.builder.uses(values);
        self.builder.push(Instr::Return { values });
    }

    pub fn unreachable(&mut self) {
        self.builder.push(Instr::Unreachable {});
    }
}
