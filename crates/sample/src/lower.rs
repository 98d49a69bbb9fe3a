//! Lowers descriptions to the program form.

use crate::copies::{Copies, ToldApart};
use crate::description::{all, defined};
use crate::print::location_name;
use crate::{Access, Description, Expression, Look, MutexId, Pair, Statement, Style, ThreadNumber, Variable};
use raddle_event::{Address, Order, RmwOp};
use raddle_program::{
    Bits, BlockId, Builder, Def, ExternId, Function, FunctionId, Global, GlobalId, Instr, Program, Reg, Size, Symbol, To, Use, mark_loops,
};

/// How a description is lowered. All ways have the same graphs, but for those that stop at an assumption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lowering {
    /// A thread that waits looks once, and assumes that it has found the value; else it goes round a loop.
    pub assumes: bool,
    /// What was read goes through private memory before it is used.
    pub in_memory: bool,
}

impl Description {
    /// The program; it keeps the invariants of the form, and ends.
    pub fn lower(&self) -> Program {
        self.lower_as(Lowering::default())
    }

    /// The program, lowered in one of several ways.
    pub fn lower_as(&self, how: Lowering) -> Program {
        debug_assert!(self.is_sound());
        let mut program = Program::new();
        let globals = Globals::add(self, &mut program);
        self.lower_threads(how, &globals, program, None)
    }

    /// The program in which the first of the threads, which start at once here, starts the others, each several times,
    /// does its own part and joins them.
    pub fn lower_in_copies(&self, copies: &Copies) -> Program {
        debug_assert!(self.is_sound() && self.style == Style::Entries);
        let mut program = Program::new();
        let globals = Globals { own: zeroed(&mut program, "own".into(), 8), ..Globals::add(self, &mut program) };
        let spawned = Description { style: Style::Spawned, threads: self.threads.clone() };
        spawned.lower_threads(Lowering::default(), &globals, program, Some(copies))
    }

    fn lower_threads(&self, how: Lowering, globals: &Globals, mut program: Program, copies: Option<&Copies>) -> Program {
        let first = match self.style {
            Style::Entries => 0,
            Style::Spawned => {
                let start = start(&mut program);
                program.functions.push(start);
                1
            }
        };
        for (number, body) in self.threads.iter().enumerate() {
            let mut thread = Thread::new(begun(self.style, number, body), body, first, globals, &mut program);
            thread.how = how;
            thread.copies = copies.map(|copies| (number, copies));
            let mut function = thread.lower(self.style, body);
            mark_loops(&mut function);
            program.functions.push(function);
        }
        let n_entries = if self.style == Style::Entries { self.threads.len() } else { 1 };
        program.entries = (0..n_entries as u32).map(FunctionId).collect();
        program
    }
}

/// Calls `main`, which comes next, and then `exit`.
fn start(program: &mut Program) -> Function {
    let mut builder = Builder::new("start", 0, 0);
    let block = builder.block();
    builder.switch_to(block);
    let code = builder.register();
    let (results, arguments) = (builder.defs(&[code]), builder.uses(&[]));
    builder.push(Instr::Call { results, function: FunctionId(1), arguments });
    let (results, arguments) = (builder.defs(&[]), builder.uses(&[code]));
    builder.push(Instr::CallExtern { results, function: named(program, "exit"), arguments });
    builder.push(Instr::Unreachable {});
    builder.finish()
}

/// The number of a function that the program does not define.
fn named(program: &mut Program, name: &str) -> ExternId {
    let known = program.externs.iter().position(|other| other == name);
    let number = known.unwrap_or_else(|| {
        program.externs.push(name.to_string());
        program.externs.len() - 1
    });
    ExternId(number as u32)
}

/// Where the globals stand.
struct Globals {
    locations: Vec<Address>,
    mutexes: Vec<Address>,
    condition: Option<Address>,
    /// Eight bytes that no statement names.
    own: Address,
}

impl Globals {
    /// Adds as many globals as the description names.
    fn add(description: &Description, program: &mut Program) -> Globals {
        let statements = description.statements();
        let locations = statements.iter().flat_map(|s| s.accesses()).map(|access| access.location + 1).max();
        let mutex = |statement: &&Statement| match statement {
            Statement::Locked(mutex, _) | Statement::TryLocked(mutex, _) => Some(mutex.lock() + 1),
            _ => None,
        };
        let mutexes = statements.iter().filter_map(mutex).max();
        let has_condition = statements.iter().any(|s| matches!(s, Statement::Wait | Statement::Signal | Statement::Broadcast));
        Globals {
            locations: (0..locations.unwrap_or(0)).map(|n| zeroed(program, location_name(n), 8)).collect(),
            mutexes: (0..mutexes.unwrap_or(0))
                .map(|n| zeroed(program, format!("m{n}"), if n == MutexId::FOR_WRITING.lock() { 56 } else { 40 }))
                .collect(),
            condition: has_condition.then(|| zeroed(program, "c".into(), 48)),
            own: Address(0),
        }
    }
}

fn zeroed(program: &mut Program, name: String, size: u64) -> Address {
    let global =
        Global { name, bytes: Vec::new(), size, align: 8, constant: false, thread_local: false, layout: None, address: Address(0) };
    let GlobalId(number) = program.add_global(global).expect("there is room for a few globals");
    program.globals[number as usize].address
}

/// One thread while it is lowered.
struct Thread<'a> {
    program: &'a mut Program,
    globals: &'a Globals,
    builder: Builder,
    /// The function of thread 0.
    first: u32,
    variables: Vec<(Variable, Reg)>,
    /// Where the handles of the threads are that this one has spawned.
    handles: Vec<(ThreadNumber, Reg)>,
    how: Lowering,
    /// Private memory, where it is used.
    room: Option<Reg>,
    /// The number of the thread among those that run several times, but for the first.
    copies: Option<(usize, &'a Copies)>,
}

/// The function of a thread, with nothing in it yet.
fn begun(style: Style, number: usize, body: &[Statement]) -> Builder {
    let name = match (style, number) {
        (Style::Spawned, 0) => "main".to_string(),
        _ => format!("thread{number}"),
    };
    let (parameters, results) = match style {
        Style::Entries => (0, defined(body).len() as u32),
        Style::Spawned => ((number > 0) as u32, 1),
    };
    Builder::new(name, parameters, results)
}

impl<'a> Thread<'a> {
    fn new(mut builder: Builder, body: &[Statement], first: u32, globals: &'a Globals, program: &'a mut Program) -> Self {
        let variables = defined(body).into_iter().map(|variable| (variable, builder.register())).collect();
        let block = builder.block();
        builder.switch_to(block);
        Thread { program, globals, builder, first, variables, handles: Vec::new(), how: Lowering::default(), room: None, copies: None }
    }

    fn lower(mut self, style: Style, body: &[Statement]) -> Function {
        let zero = self.builder.constant(0);
        for (_, reg) in self.variables.clone() {
            self.builder.push(Instr::Move { to: Def(reg), a: Use(zero) });
        }
        if self.how.in_memory {
            self.room = Some(self.private(32));
        }
        match self.copies {
            Some((0, copies)) => self.first_of_copies(body, copies),
            _ => self.body(body),
        }
        let last = all(body).into_iter().filter_map(Statement::defines).next_back();
        let values = match style {
            Style::Entries => self.variables.iter().map(|variable| variable.1).collect(),
            Style::Spawned => vec![last.map_or(zero, |variable| self.variable(variable))],
        };
        if let Some((1.., Copies { apart: Some(apart), .. })) = self.copies {
            self.be_told_apart(*apart, values[0]);
        }
        let values = self.builder.uses(&values);
        self.builder.push(Instr::Return { values });
        self.builder.finish()
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            self.statement(statement);
            if let (Some(room), Some(variable)) = (self.room, statement.defines()) {
                self.pass_through(room, variable);
            }
        }
    }

    /// Puts a variable into private memory and takes it out again: whole, in two halves, or copied from there to
    /// another place.
    fn pass_through(&mut self, room: Reg, variable: Variable) {
        let reg = self.variable(variable);
        let order = Order::Plain;
        let place = |thread: &mut Self, offset: u64| {
            let (to, index) = (thread.builder.register(), thread.builder.constant(offset));
            thread.builder.push(Instr::Index { to: Def(to), base: Use(room), index: Use(index), scale: 1 });
            Use(to)
        };
        let (first, second) = (place(self, 0), place(self, 16));
        let mut from = first;
        match variable.0 % 3 {
            0 => self.builder.push(Instr::Store { address: first, value: Use(reg), size: Size(8), order }),
            1 => {
                let (by, high, middle) = (self.builder.constant(32), self.builder.register(), place(self, 4));
                self.builder.push(Instr::LShr { to: Def(high), a: Use(reg), b: Use(by), bits: Bits(64) });
                self.builder.push(Instr::Store { address: first, value: Use(reg), size: Size(4), order });
                self.builder.push(Instr::Store { address: middle, value: Use(high), size: Size(4), order });
            }
            _ => {
                let (length, value) = (self.builder.constant(16), self.builder.constant(0));
                self.builder.push(Instr::Fill { address: first, value: Use(value), length: Use(length) });
                self.builder.push(Instr::Store { address: first, value: Use(reg), size: Size(8), order });
                self.builder.push(Instr::Copy { address: second, from: first, length: Use(length) });
                from = second;
            }
        }
        self.builder.push(Instr::Load { to: Def(reg), address: from, size: Size(8), order });
    }

    /// A local variable of the thread.
    fn private(&mut self, size: u64) -> Reg {
        let name = self.program.add_note(Symbol { text: "room".into(), layout: None });
        let (to, size) = (self.builder.register(), self.builder.constant(size));
        self.builder.push(Instr::Alloca { to: Def(to), size: Use(size), align: 8, name });
        to
    }

    /// Looks until the value is found, or once and assumes it.
    fn wait_for(&mut self, to: Reg, at: Access, until: u64, look: Look) {
        let (again, after) = (self.builder.block(), self.builder.block());
        self.builder.push(Instr::Jump { to: To(again) });
        self.builder.switch_to(again);
        let (address, size, order) = (self.address(at), Size(at.size), at.order);
        let wanted = self.builder.constant(cut(until, at.size));
        match look {
            Look::Load | Look::LoadOther => self.builder.push(Instr::Load { to: Def(to), address, size, order }),
            Look::ExchangeOther => {
                let (done, value, failure) = (Def(self.builder.register()), Use(wanted), Order::Relaxed);
                self.builder.push(Instr::CompareExchange { to: Def(to), done, address, expected: value, new: value, size, order, failure });
            }
            Look::Update => {
                let operand = Use(self.builder.constant(0));
                self.builder.push(Instr::Rmw { to: Def(to), op: RmwOp::Add, address, operand, size, order });
            }
            Look::Exchange => {
                let operand = Use(self.builder.constant(1));
                self.builder.push(Instr::Rmw { to: Def(to), op: RmwOp::Exchange, address, operand, size, order });
            }
            Look::CompareExchange(value) => {
                let (done, new) = (Def(self.builder.register()), Use(self.builder.constant(cut(value, at.size))));
                let (expected, failure) = (Use(wanted), Order::Relaxed);
                self.builder.push(Instr::CompareExchange { to: Def(to), done, address, expected, new, size, order, failure });
            }
        }
        if self.how.assumes {
            let found = self.builder.register();
            match look.is_for_other() {
                true => self.builder.push(Instr::Ne { to: Def(found), a: Use(to), b: Use(wanted) }),
                false => self.builder.push(Instr::Eq { to: Def(found), a: Use(to), b: Use(wanted) }),
            }
            self.call(&[], "raddle_assume", &[found]);
            self.builder.push(Instr::Jump { to: To(after) });
        } else {
            let (yes, no) = if look.is_for_other() { (again, after) } else { (after, again) };
            self.builder.push(Instr::BranchEq { a: Use(to), b: Use(wanted), yes: To(yes), no: To(no) });
        }
        self.builder.switch_to(after);
    }

    /// Looks at two places until the value is found.
    fn wait_for_pair(&mut self, to: Reg, [at, other]: [Access; 2], until: u64, pair: Pair) {
        let blocks = [(); 4].map(|()| self.builder.block());
        let [again, second, inner, after] = blocks;
        let found = self.builder.register();
        let wanted = |size: u32| cut(until, size);
        self.builder.push(Instr::Jump { to: To(again) });
        self.builder.switch_to(again);
        let (address, size, order) = (self.address(at), Size(at.size), at.order);
        if matches!(pair, Pair::Exchanged | Pair::Left(_)) {
            let operand = Use(self.builder.constant(1));
            self.builder.push(Instr::Rmw { to: Def(to), op: RmwOp::Exchange, address, operand, size, order });
        } else {
            self.builder.push(Instr::Load { to: Def(to), address, size, order });
        }
        if pair == Pair::Sum {
            self.builder.push(Instr::Jump { to: To(second) });
        } else {
            let b = Use(self.builder.constant(wanted(at.size)));
            self.builder.push(Instr::BranchEq { a: Use(to), b, yes: To(after), no: To(second) });
        }
        self.builder.switch_to(second);
        let (address, size, order) = (self.address(other), Size(other.size), other.order);
        self.builder.push(Instr::Load { to: Def(found), address, size, order });
        let wanted = Use(self.builder.constant(wanted(other.size)));
        match pair {
            Pair::Sum => {
                let (sum, wanted) = (self.builder.register(), Use(self.builder.constant(until)));
                self.builder.push(Instr::Add { to: Def(sum), a: Use(to), b: Use(found), bits: Bits(64) });
                self.builder.push(Instr::BranchEq { a: Use(sum), b: wanted, yes: To(after), no: To(again) });
            }
            Pair::Either => self.builder.push(Instr::BranchEq { a: Use(found), b: wanted, yes: To(after), no: To(again) }),
            _ => self.builder.push(Instr::BranchEq { a: Use(found), b: wanted, yes: To(again), no: To(inner) }),
        }
        self.builder.switch_to(inner);
        match pair {
            Pair::Left(value) => {
                let b = Use(self.builder.constant(cut(value, other.size)));
                self.builder.push(Instr::BranchEq { a: Use(found), b, yes: To(after), no: To(second) });
            }
            _ => self.builder.push(Instr::Jump { to: To(second) }),
        }
        self.builder.switch_to(after);
    }

    #[expect(clippy::too_many_lines, reason = "one flat match")]
    fn statement(&mut self, statement: &Statement) {
        match *statement {
            Statement::Load { to, from } => {
                let (to, address) = (Def(self.variable(to)), self.address(from));
                self.builder.push(Instr::Load { to, address, size: Size(from.size), order: from.order });
            }
            Statement::Store { to, value } => {
                let (address, value) = (self.address(to), self.value(value, to.size));
                self.builder.push(Instr::Store { address, value, size: Size(to.size), order: to.order });
            }
            Statement::Rmw { to, op, at, operand } => {
                let (to, address, operand) = (Def(self.variable(to)), self.address(at), self.value(operand, at.size));
                self.builder.push(Instr::Rmw { to, op, address, operand, size: Size(at.size), order: at.order });
            }
            Statement::CompareExchange { .. } => self.compare_exchange(statement),
            Statement::Reserved { to, at, value, ref body } => {
                let (to, done, address) = (Def(self.variable(to)), Def(self.builder.register()), self.address(at));
                let (size, order) = (Size(at.size), at.order);
                self.builder.push(Instr::LoadReserve { to, address, size, order });
                self.body(body);
                let value = self.value(value, at.size);
                self.builder.push(Instr::StoreConditional { done, address, value, size, order });
            }
            Statement::Await { to, at, until, look } => {
                let to = self.variable(to);
                self.wait_for(to, at, until, look);
            }
            Statement::AwaitPair { to, at, other, until, pair } => {
                let to = self.variable(to);
                self.wait_for_pair(to, [at, other], until, pair);
            }
            Statement::SpinLocked { to, at, ref body } => {
                let to = self.variable(to);
                self.wait_for(to, at, 0, Look::Exchange);
                self.body(body);
                let (address, value, order) = (self.address(at), Use(self.builder.constant(0)), Order::Release);
                self.builder.push(Instr::Store { address, value, size: Size(at.size), order });
            }
            Statement::Fence(fence) => self.builder.push(Instr::FenceOp { fence }),
            Statement::Locked(mutex, ref body) => {
                let [lock, _, unlock] = calls(mutex);
                self.call_with(lock, mutex);
                self.body(body);
                self.call_with(unlock, mutex);
            }
            Statement::TryLocked(mutex, ref body) => {
                let [_, try_lock, unlock] = calls(mutex);
                let busy = self.call_with(try_lock, mutex);
                self.when(busy, 0, |thread| {
                    thread.body(body);
                    thread.call_with(unlock, mutex);
                });
            }
            Statement::Wait => self.wait(),
            Statement::Signal => self.signal("pthread_cond_signal"),
            Statement::Broadcast => self.signal("pthread_cond_broadcast"),
            Statement::If { variable, equals, ref then, ref otherwise } => {
                let a = self.variable(variable);
                self.branch(a, equals, |thread| thread.body(then), |thread| thread.body(otherwise));
            }
            Statement::Spawn(thread) => self.spawn(thread),
            Statement::Join(thread) => self.join(thread),
            Statement::AssertNot { variable, value } => self.assert_not(variable, value),
            Statement::AssumeNot { variable, value } => {
                let a = self.variable(variable);
                self.when(a, value, |thread| {
                    let no = thread.builder.constant(0);
                    thread.call(&[], "raddle_assume", &[no]);
                });
            }
            Statement::Choose { to, n } => {
                let (to, n) = (self.variable(to), self.builder.constant(n as u64));
                self.call(&[to], "raddle_choose", &[n]);
            }
        }
    }

    /// The register of a variable; one that is never read into is zero.
    fn variable(&mut self, variable: Variable) -> Reg {
        let found = self.variables.iter().find(|known| known.0 == variable);
        found.map(|known| known.1).unwrap_or_else(|| self.builder.constant(0))
    }

    /// The variable with no bit left of it.
    fn masked(&mut self, variable: Variable) -> Reg {
        let (a, b, to) = (self.variable(variable), self.builder.constant(0), self.builder.register());
        self.builder.push(Instr::And { to: Def(to), a: Use(a), b: Use(b) });
        to
    }

    fn address(&mut self, access: Access) -> Use {
        let start = self.globals.locations[access.location as usize].0 + access.offset as u64;
        let base = self.builder.constant(start);
        let Some(variable) = access.depends_on else { return Use(base) };
        let (index, to) = (self.masked(variable), self.builder.register());
        self.builder.push(Instr::Index { to: Def(to), base: Use(base), index: Use(index), scale: 1 });
        Use(to)
    }

    fn value(&mut self, expression: Expression, size: u32) -> Use {
        let (a, constant) = match expression {
            Expression::Constant(value) => return Use(self.builder.constant(cut(value, size))),
            Expression::Sum(variable, value) => (self.variable(variable), value),
            Expression::Masked(variable, value) => (self.masked(variable), value),
        };
        let b = self.builder.constant(cut(constant, size));
        let (sum, value) = (self.builder.register(), self.builder.register());
        self.builder.push(Instr::Add { to: Def(sum), a: Use(a), b: Use(b), bits: Bits(64) });
        self.builder.push(Instr::Trunc { to: Def(value), a: Use(sum), bits: Bits(size as u8 * 8) });
        Use(value)
    }

    fn compare_exchange(&mut self, statement: &Statement) {
        let Statement::CompareExchange { to, at, expected, new, weak, failure } = *statement else { return };
        let (to, done) = (Def(self.variable(to)), Def(self.builder.register()));
        let (address, new) = (self.address(at), self.value(new, at.size));
        let expected = Use(self.builder.constant(cut(expected, at.size)));
        let (size, order) = (Size(at.size), at.order);
        self.builder.push(match weak {
            false => Instr::CompareExchange { to, done, address, expected, new, size, order, failure },
            true => Instr::CompareExchangeWeak { to, done, address, expected, new, size, order, failure },
        });
    }

    fn call(&mut self, results: &[Reg], name: &str, arguments: &[Reg]) {
        let (results, arguments) = (self.builder.defs(results), self.builder.uses(arguments));
        let function = named(self.program, name);
        self.builder.push(Instr::CallExtern { results, function, arguments });
    }

    /// Calls a function that gives an `int`.
    fn call_int(&mut self, name: &str, arguments: &[Reg]) -> Reg {
        let result = self.builder.register();
        self.call(&[result], name, arguments);
        result
    }

    fn call_with(&mut self, name: &str, mutex: MutexId) -> Reg {
        let address = self.builder.constant(self.globals.mutexes[mutex.lock()].0);
        self.call_int(name, &[address])
    }

    fn condition(&mut self) -> Reg {
        let Address(address) = self.globals.condition.expect("it is there if it is named");
        self.builder.constant(address)
    }

    fn signal(&mut self, name: &str) {
        let condition = self.condition();
        self.call_int(name, &[condition]);
    }

    fn wait(&mut self) {
        let condition = self.condition();
        let mutex = self.builder.constant(self.globals.mutexes[MutexId::OF_CONDITION.lock()].0);
        self.call_int("pthread_cond_wait", &[condition, mutex]);
    }

    fn spawn(&mut self, thread: ThreadNumber) {
        self.spawn_with(thread, thread.0 as u64);
    }

    fn spawn_with(&mut self, thread: ThreadNumber, argument: u64) {
        let name = self.program.add_note(Symbol { text: format!("handle{}", thread.0), layout: None });
        let (handle, size) = (self.builder.register(), self.builder.constant(8));
        self.builder.push(Instr::Alloca { to: Def(handle), size: Use(size), align: 8, name });
        let function = FunctionId(self.first + thread.0);
        let address = self.program.function_address(function).expect("there is room for a few functions");
        let (function, zero) = (self.builder.constant(address.0), self.builder.constant(0));
        let argument = self.builder.constant(argument);
        self.call_int("pthread_create", &[handle, zero, function, argument]);
        self.handles.push((thread, handle));
    }

    fn join(&mut self, thread: ThreadNumber) {
        let handle = self.handles.iter().find(|handle| handle.0 == thread).expect("a thread joins those it has spawned").1;
        let zero = self.builder.constant(0);
        self.join_by(handle, zero);
    }

    /// Joins the thread whose handle lies somewhere, and puts its result somewhere.
    fn join_by(&mut self, handle: Reg, result: Reg) {
        let (value, order) = (self.builder.register(), Order::Plain);
        self.builder.push(Instr::Load { to: Def(value), address: Use(handle), size: Size(8), order });
        self.call_int("pthread_join", &[value, result]);
    }

    // Threads of one function

    /// Starts the other threads, does the statements, and joins the others.
    fn first_of_copies(&mut self, body: &[Statement], copies: &Copies) {
        for (number, &n) in copies.n.iter().enumerate() {
            for copy in 0..n {
                if copy > 0 && copies.apart == Some(ToldApart::BetweenSpawns) {
                    self.store_own(None);
                }
                let argument = if copies.apart == Some(ToldApart::Arguments) { copy as u64 } else { 0 };
                self.spawn_with(ThreadNumber(number as u32 + 1), argument);
            }
        }
        self.body(body);
        let result = self.private(8);
        for (n, (_, handle)) in self.handles.clone().into_iter().enumerate() {
            match copies.apart {
                Some(ToldApart::Unjoined) if n > 0 => {}
                Some(ToldApart::Results) => {
                    self.join_by(handle, result);
                    let (value, order) = (self.builder.register(), Order::Plain);
                    self.builder.push(Instr::Load { to: Def(value), address: Use(result), size: Size(8), order });
                    self.store_own(Some(value));
                }
                _ => {
                    let zero = self.builder.constant(0);
                    self.join_by(handle, zero);
                }
            }
            if n == 0 && matches!(copies.apart, Some(ToldApart::BetweenJoins | ToldApart::Unjoined)) {
                self.load_own();
            }
        }
    }

    /// What a copy does in the end, or what it is told apart by.
    fn be_told_apart(&mut self, apart: ToldApart, last: Reg) {
        match apart {
            ToldApart::BetweenSpawns => self.load_own(),
            ToldApart::BetweenJoins | ToldApart::Unjoined => self.store_own(None),
            ToldApart::Results => {}
            ToldApart::Arguments | ToldApart::Number(_) => {
                let number = self.call_int("gettid", &[]);
                let wanted = if let ToldApart::Number(wanted) = apart { wanted } else { 2 };
                self.when(last, 1, |thread| thread.when(number, wanted as u64, |thread| thread.store_own(None)));
            }
            ToldApart::Address => {
                let own = self.private(8);
                self.store_own(Some(own));
            }
        }
    }

    fn store_own(&mut self, value: Option<Reg>) {
        let value = value.unwrap_or_else(|| self.builder.constant(1));
        let address = Use(self.builder.constant(self.globals.own.0));
        self.builder.push(Instr::Store { address, value: Use(value), size: Size(8), order: Order::Relaxed });
    }

    fn load_own(&mut self) {
        let (to, address) = (Def(self.builder.register()), Use(self.builder.constant(self.globals.own.0)));
        self.builder.push(Instr::Load { to, address, size: Size(8), order: Order::Relaxed });
    }

    fn assert_not(&mut self, variable: Variable, value: u64) {
        let a = self.variable(variable);
        let b = self.builder.constant(value);
        let (wrong, right) = (self.builder.block(), self.builder.block());
        self.builder.push(Instr::BranchEq { a: Use(a), b: Use(b), yes: To(wrong), no: To(right) });
        self.builder.switch_to(wrong);
        self.call(&[], "abort", &[]);
        self.builder.push(Instr::Unreachable {});
        self.builder.switch_to(right);
    }

    /// Does something if a register has a value.
    fn when(&mut self, a: Reg, equals: u64, then: impl FnOnce(&mut Self)) {
        self.branch(a, equals, then, |_| {});
    }

    fn branch(&mut self, a: Reg, equals: u64, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let b = self.builder.constant(equals);
        let [yes, no, after]: [BlockId; 3] = std::array::from_fn(|_| self.builder.block());
        self.builder.push(Instr::BranchEq { a: Use(a), b: Use(b), yes: To(yes), no: To(no) });
        self.builder.switch_to(yes);
        then(self);
        self.builder.push(Instr::Jump { to: To(after) });
        self.builder.switch_to(no);
        otherwise(self);
        self.builder.push(Instr::Jump { to: To(after) });
        self.builder.switch_to(after);
    }
}

/// The lower bytes of a value.
fn cut(value: u64, size: u32) -> u64 {
    value & u64::MAX >> (64 - size * 8)
}

/// The functions that lock, try to lock and unlock.
fn calls(mutex: MutexId) -> [&'static str; 3] {
    match mutex {
        MutexId::FOR_WRITING => ["pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_unlock"],
        MutexId::FOR_READING => ["pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_unlock"],
        _ => ["pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock"],
    }
}
