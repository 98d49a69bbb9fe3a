//! Raddle as a library: builds a small program by hand, checks it under two memory models, and tells what happened.
//!
//! `cargo run -p raddle-report --example by_hand`
//!
//! Two threads want to be alone. Each raises its flag and looks at the flag of the other one; who sees none goes in,
//! writes its number to `inside`, and finds it there again. A store buffer lets both go in.

use raddle_check::{MemoryModel, Options, Plan, check, confirm};
use raddle_event::{Address, Order};
use raddle_machine::link;
use raddle_program::{
    BlockId, Builder, Def, ExternId, Function, FunctionId, Global, Instr, Place, PlaceId, Program, Reg, Size, To, Use, verify,
};
use raddle_report::{Asked, Look, Sources, fault_text, verdict_text};

/// Variables are of four bytes, and every access is relaxed.
const SIZE: Size = Size(4);
const ORDER: Order = Order::Relaxed;

#[allow(dead_code, reason = "a test calls `stories` instead")]
fn main() {
    print!("{}", stories());
}

/// What is said of the program under SC and under TSO.
pub fn stories() -> String {
    let program = program();
    let mut text = String::new();
    for model in [MemoryModel::Sc, MemoryModel::Tso] {
        let (plan, options) = (Plan::best(model), Options::default());
        let mut outcome = check(&program, plan, &options, &mut |_| {});
        // Every fault is run again and judged by code that shares nothing with the search.
        for story in confirm(&program, &options.limits, &mut outcome) {
            text += &fault_text(&story, &Sources::new(), Look { columns: 100, colours: false });
            text += "\n";
        }
        let asked = Asked { file: "by_hand".into(), plan, robustness: false, statuses: false, sampling: None };
        text += &verdict_text(&asked, &outcome, 0.0);
        text += "\n\n";
    }
    text
}

/// The whole program: three variables, and two threads that start at once.
fn program() -> Program {
    let mut program = Program::new();
    program.externs.push("abort".into());
    let flags = [variable(&mut program, "flag0"), variable(&mut program, "flag1")];
    let inside = variable(&mut program, "inside");
    for me in 0..2 {
        let thread = Thread { me: me as u64 + 1, mine: flags[me], other: flags[1 - me], inside };
        let function = thread.function(&mut program);
        program.functions.push(function);
        program.entries.push(FunctionId(me as u32));
    }
    // The functions of the library that the program calls; here nothing is added.
    link(&mut program);
    verify(&program).expect("the program is sound");
    program
}

/// A variable that begins as zero; gives its address.
fn variable(program: &mut Program, name: &str) -> Address {
    let global = Global {
        name: name.into(),
        bytes: Vec::new(),
        size: SIZE.0.into(),
        align: SIZE.0.into(),
        constant: false,
        thread_local: false,
        layout: None,
        address: Address(0),
    };
    let id = program.add_global(global).expect("there is room");
    program.globals[id.index()].address
}

/// What one thread works with.
struct Thread {
    me: u64,
    mine: Address,
    other: Address,
    inside: Address,
}

impl Thread {
    fn function(&self, program: &mut Program) -> Function {
        let name = format!("thread{}", self.me);
        let mut code = Code { builder: Builder::new(&name, 0, 0), program, name, line: 0 };
        let (start, enter, wrong, end) = (code.builder.block(), code.builder.block(), code.builder.block(), code.builder.block());
        code.builder.switch_to(start);
        code.store(self.mine, 1);
        let other = code.load(self.other);
        code.branch_if_equal(other, 0, enter, end);
        code.builder.switch_to(enter);
        code.store(self.inside, self.me);
        let found = code.load(self.inside);
        code.branch_if_equal(found, self.me, end, wrong);
        code.builder.switch_to(wrong);
        code.abort();
        code.builder.switch_to(end);
        let nothing = code.builder.uses(&[]);
        code.builder.push(Instr::Return { values: nothing });
        code.builder.finish()
    }
}

/// A function in the making. Each access has a line of its own in a source that is not there.
struct Code<'p> {
    builder: Builder,
    program: &'p mut Program,
    name: String,
    line: u32,
}

impl Code<'_> {
    fn next_line(&mut self) {
        self.line += 1;
        let (file, function) = ("by_hand".into(), self.name.clone());
        let place = Place { file, line: self.line, column: 1, function, inlined_at: None };
        self.program.places.push(place);
        self.builder.at(PlaceId(self.program.places.len() as u32 - 1));
    }

    fn store(&mut self, to: Address, value: u64) {
        self.next_line();
        let (address, value) = (Use(self.builder.constant(to.0)), Use(self.builder.constant(value)));
        self.builder.push(Instr::Store { address, value, size: SIZE, order: ORDER });
    }

    fn load(&mut self, from: Address) -> Reg {
        self.next_line();
        let (to, address) = (self.builder.register(), Use(self.builder.constant(from.0)));
        self.builder.push(Instr::Load { to: Def(to), address, size: SIZE, order: ORDER });
        to
    }

    fn branch_if_equal(&mut self, a: Reg, b: u64, yes: BlockId, no: BlockId) {
        let b = self.builder.constant(b);
        self.builder.push(Instr::BranchEq { a: Use(a), b: Use(b), yes: To(yes), no: To(no) });
    }

    /// Calls `abort`, which is a fault.
    fn abort(&mut self) {
        self.next_line();
        let (results, arguments) = (self.builder.defs(&[]), self.builder.uses(&[]));
        self.builder.push(Instr::CallExtern { results, function: ExternId(0), arguments });
        self.builder.push(Instr::Unreachable {});
    }
}
