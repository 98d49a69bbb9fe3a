//! Runs a thread in order until it wants something that others can see, or ends.
//!
//! An instruction that needs several answers (a copy between shared objects, a call of the library) is run again from
//! its beginning with all the answers it has got so far; so it can be written straight on, and has no state of its own.

mod access;
mod act;
mod bulk;
mod bytes;
mod choose;
mod emit;
mod fetch;
mod moves;
mod objects;
mod private;
mod reuse;
mod unwind;
mod wait;
mod watch;

pub use fetch::{Halt, MANY_EVENTS, Reply as Awaited};

use crate::apply::Registers;
use crate::history::{Blocked, Next};
use crate::library;
use crate::limits::{AtomicBlocks, Patience};
use crate::meeting::AccessKind;
use crate::sharing::Site;
use crate::store::{Located, Store};
use crate::symbolic::Symbolic;
use crate::thread::{Counts, Thread};
use crate::world::World;
use private::Halt as Pause;
use raddle_event::{Action, Address, Fault, FaultKind, Fence, LocationId, Order, Published, Range, Region, Reply, Rmw, RmwOp, Value};
use raddle_program::{Defs, Function, FunctionId, Instr, Reg, Regs, Uses};
use smallvec::SmallVec;
use std::rc::Rc;
use watch::{Lasting, STRETCH};

/// Either a result, or why the thread stops here.
pub(crate) type Run<T> = Result<T, Next>;

/// One thread being run.
pub(crate) struct Runner<'r, 'p> {
    pub world: &'r mut World<'p>,
    pub thread: &'r mut Thread,
    /// How many answers the instruction under way has used.
    cursor: usize,
    /// How many more turns the stretch under way has.
    turns: u64,
    /// How long the thread has run without a visible action.
    lasting: Lasting,
    /// Patience with very many events that are fetched in a row.
    patience: Patience,
    /// What goes to the shared memory with the action that is asked for.
    pub image: Option<Rc<Vec<Published>>>,
    /// The state before the first thread was spawned, while the instruction that did so is under way.
    before_spawn: Option<(Rc<Store>, Counts)>,
    /// Whether the call of the library has left frames: control goes on where it has put it.
    unwound: bool,
    /// What there is besides, where the thread is fetched out of order.
    symbolic: Option<&'r mut Symbolic>,
}

impl<'r, 'p> Runner<'r, 'p> {
    pub fn new(world: &'r mut World<'p>, thread: &'r mut Thread) -> Self {
        let turns = world.limits.private_turns.map_or(STRETCH, |most| most.min(STRETCH));
        let lasting = Lasting::default();
        Runner {
            world,
            thread,
            cursor: 0,
            turns,
            lasting,
            patience: Patience::default(),
            image: None,
            before_spawn: None,
            unwound: false,
            symbolic: None,
        }
    }

    /// One that fetches out of order.
    pub fn out_of_order(world: &'r mut World<'p>, thread: &'r mut Thread, symbolic: &'r mut Symbolic) -> Self {
        Runner { symbolic: Some(symbolic), ..Runner::new(world, thread) }
    }

    /// Runs to the next visible action or the end.
    pub fn run(mut self) -> (Next, Option<Rc<Vec<Published>>>) {
        self.thread.wake();
        let next = loop {
            if let Err(next) = self.run_frame() {
                break next;
            }
        };
        (next, self.image)
    }

    /// Runs the innermost frame until it calls, returns or asks.
    fn run_frame(&mut self) -> Run<()> {
        let program = self.world.program;
        let (id, mut at) = (self.thread.top().function, self.thread.top().at as usize);
        let function = &program.functions[id.index()];
        loop {
            let halt = self.run_private(function, &mut at);
            let instr = &function.code[at];
            match halt {
                Pause::Effect => {}
                Pause::Turn => {
                    self.thread.top().at = at as u32;
                    self.look_at_turns()?;
                    continue;
                }
                Pause::Fault(kind) => {
                    let fault = self.fault_of(kind, instr);
                    return Err(self.stop_at(at, Next::Fault(fault)));
                }
            }
            self.thread.top().at = at as u32;
            let depth = self.thread.counts.frames;
            self.whole_effect(instr, id, function)?;
            self.thread.replies.clear();
            self.cursor = 0;
            if !self.thread.output.is_empty() {
                self.print();
            }
            if self.thread.counts.frames != depth || self.thread.top().function != id {
                return Ok(());
            }
            at = self.thread.top().at as usize;
        }
    }

    /// Gives away what was printed, where somebody takes it.
    #[cold]
    fn print(&mut self) {
        if let Some(print) = &mut self.world.printer {
            print(std::mem::take(&mut self.thread.output), !self.thread.store.is_published());
            self.lasting = Lasting::default();
        }
    }

    fn stop_at(&mut self, at: usize, next: Next) -> Next {
        self.thread.top().at = at as u32;
        next
    }

    /// Runs an instruction that is more than registers. When it must ask, all that it has done so far is taken back: it
    /// will be run again with the answer.
    fn whole_effect(&mut self, instr: &Instr, id: FunctionId, function: &'p Function) -> Run<()> {
        let once = matches!(
            instr,
            Instr::Load { .. }
                | Instr::Store { .. }
                | Instr::StoreUnless { .. }
                | Instr::Rmw { .. }
                | Instr::FenceOp { .. }
                | Instr::CompareExchange { .. }
        );
        if once || !self.thread.store.is_published() {
            let done = self.effect(instr, id, function);
            if let (Some((store, counts)), Err(Next::Action(_))) = (self.before_spawn.take(), &done) {
                (self.thread.store, self.thread.counts) = (store, counts);
            }
            return done;
        }
        let (store, counts, printed) = (self.thread.store.clone(), self.thread.counts.clone(), self.thread.output.len());
        let shadow = self.symbolic.as_ref().map(|symbolic| symbolic.shadow.clone());
        let done = self.effect(instr, id, function);
        if let Err(Next::Action(_) | Next::Unknown) = done {
            self.thread.store = store;
            self.thread.counts = counts;
            self.thread.output.truncate(printed);
            if let (Some(symbolic), Some(shadow)) = (self.symbolic.as_mut(), shadow) {
                symbolic.shadow = shadow;
            }
        }
        done
    }

    /// Runs an instruction that is more than registers, and goes on to the next.
    fn effect(&mut self, instr: &Instr, id: FunctionId, function: &'p Function) -> Run<()> {
        match *instr {
            Instr::Load { to, address, size, order } => {
                let value = self.load(self.address(address.0), size.0, order, true)?;
                self.set(to.0, value, size.0);
            }
            Instr::Store { address, value, size, order } => {
                let value = Value::from_u128(self.wide(value.0, size.0), size.0);
                self.store(self.address(address.0), size.0, value, order)?;
            }
            Instr::StoreUnless { done, address, value, size } => {
                if self.get(done.0) == 0 {
                    let value = Value::from_u128(self.get(value.0).into(), size.0);
                    self.store(self.address(address.0), size.0, value, Order::Plain)?;
                }
            }
            Instr::Rmw { to, op, address, operand, size, order } => {
                let rmw = Rmw { op, operand: self.wide(operand.0, size.0), expected: 0, guard: None };
                let old = self.rmw(self.address(address.0), size.0, rmw, order)?;
                self.set(to.0, old, size.0);
            }
            Instr::CompareExchange { to, done, address, expected, new, size, order, failure } => {
                let rmw = Rmw::compare_exchange(self.wide(expected.0, size.0), self.wide(new.0, size.0));
                self.compare_exchange([to.0, done.0], self.address(address.0), size.0, rmw, [order, failure])?;
            }
            Instr::CompareExchangeWeak { to, done, address, expected, new, size, order, failure } => {
                if self.world.limits.spurious && self.choose(2)? == 1 {
                    let old = self.load(self.address(address.0), size.0, failure, true)?;
                    self.set(to.0, old, size.0);
                    self.put(done.0, 0);
                } else {
                    let rmw = Rmw::compare_exchange(self.wide(expected.0, size.0), self.wide(new.0, size.0));
                    self.compare_exchange([to.0, done.0], self.address(address.0), size.0, rmw, [order, failure])?;
                }
            }
            Instr::LoadReserve { to, address, size, order } => {
                let value = self.load_reserve(self.address(address.0), size.0, order)?;
                self.set(to.0, value, size.0);
            }
            Instr::StoreConditional { done, address, value, size, order } => {
                let value = Value::from_u128(self.wide(value.0, size.0), size.0);
                let stored = self.store_conditional(self.address(address.0), size.0, value, order)?;
                self.put(done.0, stored as u64);
            }
            Instr::FenceOp { fence } => self.fence(fence)?,
            Instr::Copy { address, from, length } => self.copy(self.address(address.0), self.address(from.0), self.get(length.0))?,
            Instr::Fill { address, value, length } => self.fill(self.address(address.0), self.get(value.0) as u8, self.get(length.0))?,
            Instr::Alloca { to, size, .. } => {
                let site = Site::Code(id, self.thread.top().at);
                let address = self.push_local(self.get(size.0), site)?;
                self.put(to.0, address.0);
            }
            Instr::StackSave { to } => {
                let depth = self.thread.store.depth() as u64;
                self.put(to.0, depth);
            }
            Instr::StackRestore { mark } => self.pop_locals(self.get(mark.0) as usize)?,
            Instr::LifeBegin { address } => self.begin_life(self.address(address.0))?,
            Instr::LifeEnd { address } => self.end_life(self.address(address.0))?,
            Instr::ThreadLocal { to, global } => {
                let address = self.thread_local(global)?;
                self.put(to.0, address.0);
            }
            Instr::VaStart { list } => self.va_start(self.address(list.0))?,
            Instr::Call { results, function: callee, arguments } => return self.call(callee, results, arguments, function),
            Instr::CallPointer { results, target, arguments } => {
                let target = self.address(target.0);
                let callee = self.callee(target, results, arguments)?;
                return self.call(callee, results, arguments, function);
            }
            Instr::CallExtern { results, function: callee, arguments } => {
                let arguments = self.values(arguments, function);
                let site = Site::Code(id, self.thread.top().at);
                let frames = self.thread.counts.frames;
                let returned = library::call(self, callee, &arguments, site)?;
                if std::mem::take(&mut self.unwound) {
                    return Ok(());
                }
                debug_assert_eq!(frames, self.thread.counts.frames, "the library does not enter functions");
                for (&to, value) in function.list(results.0).iter().zip(returned) {
                    self.put(to, value);
                }
            }
            Instr::Return { values } => return self.leave(values, function),
            Instr::Enter { at } => self.thread.counts.rounds.push((self.thread.counts.frames, at, 0)),
            Instr::Latch { at, to } => {
                self.go_round(at)?;
                self.thread.top().at = function.blocks[to.0.index()];
                return Ok(());
            }
            Instr::Unsupported { what } => return Err(Next::Unsupported(self.world.program.notes[what.index()].text.clone())),
            _ => unreachable!("`{}` is run by `apply`", instr.word()),
        }
        self.thread.top().at += 1;
        Ok(())
    }

    /// One more iteration of a loop, with a loop bound.
    fn go_round(&mut self, at: raddle_program::LoopId) -> Run<()> {
        self.count_turn()?;
        let (depth, bound) = (self.thread.counts.frames, self.world.limits.unroll.unwrap_or(u32::MAX));
        let rounds = &mut self.thread.counts.rounds;
        while rounds.last().is_some_and(|r| r.0 > depth || (r.0 == depth && r.1 != at)) {
            rounds.pop();
        }
        match rounds.last_mut() {
            Some(round) if round.2 >= bound => Err(Next::Blocked(Blocked::LoopBound)),
            Some(round) => {
                round.2 += 1;
                Ok(())
            }
            None => {
                rounds.push((depth, at, 1));
                Ok(())
            }
        }
    }

    fn fault_of(&mut self, kind: FaultKind, instr: &Instr) -> Fault {
        let what = match (kind, instr) {
            (FaultKind::DivisionByZero, _) => "division by zero, or a quotient that does not fit",
            (_, Instr::Assume { .. }) => "an assumption that the compiler was told does not hold",
            _ => "a place that the program promised not to reach",
        };
        Fault::new(kind, what)
    }

    // Registers

    fn get(&self, reg: Reg) -> u64 {
        self.thread.register(reg)
    }

    fn put(&mut self, reg: Reg, value: u64) {
        self.thread.registers().set(reg, value);
    }

    fn address(&self, reg: Reg) -> Address {
        Address(self.get(reg))
    }

    fn wide(&self, reg: Reg, size: u32) -> u128 {
        let high = if size > 8 { self.get(Reg(reg.0 + 1)) } else { 0 };
        self.get(reg) as u128 | (high as u128) << 64
    }

    fn set(&mut self, reg: Reg, value: u128, size: u32) {
        self.put(reg, value as u64);
        if size > 8 {
            self.put(Reg(reg.0 + 1), (value >> 64) as u64);
        }
    }

    fn values(&self, list: Uses, function: &Function) -> SmallVec<[u64; 8]> {
        function.list(list.0).iter().map(|&reg| self.get(reg)).collect()
    }

    // Asking the memory

    /// Asks for a visible action, or takes the answer that it has got.
    pub fn ask(&mut self, action: Action) -> Run<Reply> {
        match self.thread.replies.get(self.cursor).cloned() {
            None => Err(Next::Action(action)),
            Some(Reply::Fault(fault)) => Err(Next::Fault(fault)),
            Some(reply) => {
                self.cursor += 1;
                Ok(reply)
            }
        }
    }

    /// Asks for an action that is answered by a value.
    pub fn ask_value(&mut self, action: Action) -> Run<Value> {
        match self.ask(action)? {
            Reply::Value(value) => Ok(value),
            reply => unreachable!("{reply:?} is no value"),
        }
    }

    /// The location of an access that the thread is about to make.
    fn location(&mut self, address: Address, size: u32, writes: bool) -> Run<LocationId> {
        self.note_access(Range { start: address, size }, AccessKind::whole(writes))
    }

    /// The location of a piece of a copy or fill of so many bytes that the thread is about to access.
    fn location_of_piece(&mut self, piece: Range, length: u64, writes: bool) -> Run<LocationId> {
        self.note_access(piece, AccessKind::piece_of(length, writes))
    }

    /// The location of a write that the thread is about to make. It must be as strong as reads of its parts demand.
    fn location_of_write(&mut self, address: Address, size: u32, order: Order) -> Run<LocationId> {
        if !self.world.sites.wholes().allows(Range { start: address, size }, order) {
            let what = "a mixed-size access: a write that orders less than reads of its parts";
            return Err(Next::Unsupported(what.into()));
        }
        self.location(address, size, true)
    }

    fn note_access(&mut self, range: Range, access: AccessKind) -> Run<LocationId> {
        let World { locations, meetings, sites, .. } = &mut *self.world;
        let at = locations.number(range);
        match meetings.note(at, self.thread.id, access, locations, sites) {
            Ok(()) if !access.is_bulk => Ok(at),
            Ok(()) => {
                self.world.cut_at_members();
                Ok(at)
            }
            Err(bytes) => Err(Next::Unsupported(format!("a copy or fill of which another thread accesses {bytes} bytes at once"))),
        }
    }

    fn locate(&self, address: Address, size: u64) -> Located {
        self.thread.store.locate(self.world.program, &self.world.map, address, size)
    }

    /// Reads at most sixteen bytes.
    pub fn load(&mut self, address: Address, size: u32, order: Order, used: bool) -> Run<u128> {
        match self.locate(address, size as u64) {
            Located::Private(spot) => {
                self.look(address);
                self.reveal_for_library(spot, size as usize)?;
                if used && order != Order::Copy && !self.thread.store.is_written(spot, size as usize) {
                    return Err(Next::Fault(Fault::new(
                        FaultKind::UninitialisedRead,
                        format!("{size} bytes are read that were never written"),
                    )));
                }
                let mut bytes = [0; 16];
                self.thread.store.read(spot, &mut bytes[..size as usize]);
                Ok(u128::from_le_bytes(bytes))
            }
            Located::Constant(global, offset) => {
                let mut bytes = [0; 16];
                self.read_constant(global, offset, &mut bytes[..size as usize]);
                Ok(u128::from_le_bytes(bytes))
            }
            Located::Shared if self.falls_apart(address, size, order) => {
                let mut bytes = [0; 16];
                bytes[..size as usize].copy_from_slice(&self.read_bytes_as(address, size as u64, order)?);
                Ok(u128::from_le_bytes(bytes))
            }
            Located::Shared => Ok(self.read_shared(Range { start: address, size }, AccessKind::whole(false), order)?.to_u128()),
            Located::Fault(fault) => Err(Next::Fault(fault)),
        }
    }

    /// Writes a value of `size` bytes.
    pub fn store(&mut self, address: Address, size: u32, value: Value, order: Order) -> Run<()> {
        match self.locate(address, size as u64) {
            Located::Private(spot) => {
                self.uncover(spot, size as usize);
                value.with_bytes(size, |bytes| Rc::make_mut(&mut self.thread.store).write(spot, bytes));
                Ok(())
            }
            Located::Shared if self.falls_apart(address, size, order) => value.with_bytes(size, |bytes| self.write_bytes(address, bytes)),
            Located::Shared => {
                let at = self.location_of_write(address, size, order)?;
                self.write_shared(at, value, order)
            }
            Located::Constant(..) => Err(Next::Fault(Fault::new(FaultKind::WildPointer, "write to a constant"))),
            Located::Fault(fault) => Err(Next::Fault(fault)),
        }
    }

    fn write_shared(&mut self, at: LocationId, value: Value, order: Order) -> Run<()> {
        if self.world.limits.buffered && self.is_in_block() {
            // A block acts on memory: its stores do not wait in a buffer.
            let rmw = Rmw { operand: value.to_u128(), ..Rmw::new(RmwOp::Exchange, 0) };
            self.ask(Action::Rmw { at, rmw, order, failure: order })?;
            return Ok(());
        }
        self.ask(Action::Write { at, value, order })?;
        self.thread.counts.stored |= self.world.limits.buffered;
        Ok(())
    }

    /// A read-modify-write; gives the old value. It waits until its guard holds.
    pub fn rmw(&mut self, address: Address, size: u32, rmw: Rmw, order: Order) -> Run<u128> {
        self.rmw_or_read(address, size, rmw, order, order)
    }

    /// The same; where it does not write it is a read of the order `failure`.
    pub fn rmw_or_read(&mut self, address: Address, size: u32, rmw: Rmw, order: Order, failure: Order) -> Run<u128> {
        if rmw.guard.is_some() {
            self.refuse_in_locked("a wait")?;
        }
        match self.locate(address, size as u64) {
            Located::Private(spot) => {
                self.look(address);
                self.reveal_for_library(spot, size as usize)?;
                self.uncover(spot, size as usize);
                let mut bytes = [0; 16];
                self.thread.store.read(spot, &mut bytes[..size as usize]);
                let old = u128::from_le_bytes(bytes);
                if rmw.guard.is_some_and(|guard| !guard.holds(old as u64)) {
                    return Err(self.waits_in_private(address));
                }
                if let Some(new) = rmw.apply(old, size) {
                    Rc::make_mut(&mut self.thread.store).write(spot, &new.to_le_bytes()[..size as usize]);
                }
                Ok(old)
            }
            Located::Shared => {
                let at = self.location_of_write(address, size, order)?;
                let old = self.ask_value(Action::Rmw { at, rmw, order, failure })?.to_u128();
                self.thread.counts.stored = false;
                Ok(old)
            }
            Located::Constant(..) => Err(Next::Fault(Fault::new(FaultKind::WildPointer, "write to a constant"))),
            Located::Fault(fault) => Err(Next::Fault(fault)),
        }
    }

    fn compare_exchange(&mut self, [to, done]: [Reg; 2], address: Address, size: u32, rmw: Rmw, [order, failure]: [Order; 2]) -> Run<()> {
        let old = self.rmw_or_read(address, size, rmw, order, failure)?;
        self.set(to, old, size);
        self.put(done, rmw.apply(old, size).is_some() as u64);
        Ok(())
    }

    /// Reads, and reserves what it reads.
    fn load_reserve(&mut self, address: Address, size: u32, order: Order) -> Run<u128> {
        let value = match self.locate(address, size as u64) {
            Located::Shared => {
                let at = self.location(address, size, false)?;
                self.ask_value(Action::Reserve { at, order })?.to_u128()
            }
            _ => self.load(address, size, order, true)?,
        };
        self.thread.counts.reserved = Some(Range { start: address, size });
        Ok(value)
    }

    /// Whether it stored. It may always fail, and can only fail where its location is not the one that is reserved.
    /// That it does not fail is chosen before it is known whether others leave the reservation alone: where they do
    /// not, the thread never goes on.
    fn store_conditional(&mut self, address: Address, size: u32, value: Value, order: Order) -> Run<bool> {
        let reserved = self.thread.counts.reserved == Some(Range { start: address, size });
        let tries = reserved && (!self.thread.store.is_published() || self.choose(2)? == 1);
        match self.locate(address, size as u64) {
            _ if !tries => {}
            Located::Shared => {
                let at = self.location(address, size, true)?;
                self.ask(Action::WriteReserved { at, value, order })?;
            }
            _ => self.store(address, size, value, order)?,
        }
        self.thread.counts.reserved = None;
        Ok(tries)
    }

    /// A fence.
    pub fn fence(&mut self, fence: Fence) -> Run<()> {
        if self.thread.store.is_published() && fence != Fence::Compiler {
            self.ask(Action::Fence(fence))?;
        }
        Ok(())
    }

    // Calls

    fn callee(&mut self, target: Address, results: Defs, arguments: Uses) -> Run<FunctionId> {
        let wild = || Next::Fault(Fault::new(FaultKind::WildPointer, format!("call of address {target}, where no function is")));
        if target.0 < 1 << 16 {
            return Err(Next::Fault(Fault::new(FaultKind::NullDereference, "call of the null pointer")));
        }
        let id = self.world.program.function_at(target).ok_or_else(wild)?;
        let callee = &self.world.program.functions[id.index()];
        if arguments.0.len < callee.parameters || (results.0.len != callee.results && results.0.len != 0) {
            let what = format!("`{}` is called through a pointer of another type", callee.name);
            return Err(Next::Unsupported(what));
        }
        Ok(id)
    }

    fn call(&mut self, id: FunctionId, results: Defs, arguments: Uses, caller: &Function) -> Run<()> {
        if self.thread.counts.frames >= self.world.limits.frames {
            return Err(self.stack_overflow());
        }
        self.count_turn()?;
        let callee = &self.world.program.functions[id.index()];
        let arguments = self.values(arguments, caller);
        let more = self.push_more(callee, &arguments)?;
        self.thread.push(id, callee, &arguments, results.0, more);
        if more != Address(0) {
            // The variable arguments belong to the frame: they go when it returns.
            self.thread.top().depth -= 1;
        }
        Ok(())
    }

    /// Puts the arguments beyond the parameters where `va_arg` finds them, one to eight bytes.
    fn push_more(&mut self, callee: &Function, arguments: &[u64]) -> Run<Address> {
        if !callee.variadic {
            return Ok(Address(0));
        }
        let more = &arguments[callee.parameters as usize..];
        let bytes: Vec<u8> = more.iter().flat_map(|word| word.to_le_bytes()).collect();
        let site = Site::Code(self.thread.top().function, u32::MAX);
        let address = self.push_local((bytes.len() as u64).max(8), site)?;
        self.write_bytes(address, &bytes)?;
        Ok(address)
    }

    /// The `va_list` of x86-64, with every register argument used up, so that all come from the overflow area.
    fn va_start(&mut self, list: Address) -> Run<()> {
        let more = self.thread.top().more;
        let mut bytes = Vec::with_capacity(24);
        bytes.extend(48u32.to_le_bytes());
        bytes.extend(176u32.to_le_bytes());
        bytes.extend(more.0.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        self.write_bytes(list, &bytes)
    }

    fn leave(&mut self, values: Uses, function: &Function) -> Run<()> {
        let values = self.values(values, function);
        let depth = self.thread.top().depth as usize;
        self.pop_locals(depth)?;
        let (frames, results) = (self.thread.counts.frames, self.thread.top().results);
        if frames == 1 {
            return Err(self.end(&values));
        }
        let rounds = &mut self.thread.counts.rounds;
        while rounds.last().is_some_and(|r| r.0 >= frames) {
            rounds.pop();
        }
        self.thread.pop(self.world.program);
        let caller = &self.world.program.functions[self.thread.top().function.index()];
        for (&to, &value) in caller.list(results).iter().zip(&values) {
            self.put(to, value);
        }
        self.thread.top().at += 1;
        Ok(())
    }

    /// The thread ends, and with it its local and its thread-local variables. Those of the first thread stay as long as
    /// the program.
    pub fn end(&mut self, values: &[u64]) -> Next {
        let is_first = self.world.names.parent(self.thread.id).is_none();
        let freed = |runner: &mut Self| if is_first { Ok(()) } else { runner.free_shared_of_thread() };
        match self.refuse_in_locked("the end of a thread").and_then(|()| freed(self)) {
            Ok(()) => Next::Ended(values.into()),
            Err(next) => next,
        }
    }

    fn free_shared_of_thread(&mut self) -> Run<()> {
        self.free_shared_locals(0)?;
        self.end_lives(self.thread.store.shared_thread_locals())
    }

    /// The word of a thread, which is its handle: who joins the thread reads there what it returned.
    pub fn thread_word(&mut self, thread: raddle_event::ThreadId) -> Run<Address> {
        let word = self.world.map.address(Region::Threads, thread.0, 8);
        word.ok_or_else(|| Next::Unsupported("the address space is used up".into()))
    }

    /// Whether the thread is in a block that is one step for all others.
    pub fn is_in_block(&self) -> bool {
        self.thread.counts.notes.blocks > 0
    }

    /// What a block cannot do that holds a lock: others could wait for it for ever.
    pub(super) fn refuse_in_locked(&self, what: &str) -> Run<()> {
        if self.world.limits.blocks == AtomicBlocks::Locked && self.is_in_block() && self.thread.store.is_published() {
            return Err(Next::Unsupported(format!("{what} in a block that is one step for all others")));
        }
        Ok(())
    }

    /// Spawns a thread that runs `function(argument)`; gives its handle.
    pub fn spawn(&mut self, function: Address, argument: u64) -> Run<Address> {
        if self.is_in_block() {
            return Err(Next::Unsupported("a thread that is started in a block that is one step for all others".into()));
        }
        let wild = || Next::Fault(Fault::new(FaultKind::WildPointer, "a thread is started at an address where no function is"));
        let id = self.world.program.function_at(function).ok_or_else(wild)?;
        let child = self.world.names.child(self.thread.id, self.thread.counts.spawned);
        let handle = self.thread_word(child)?;
        if !self.thread.store.is_published() {
            // Kept with the action, and done for real when the action is taken.
            let mut store = (*self.thread.store).clone();
            self.image = Some(Rc::new(store.publish(&self.world.sites)));
        }
        self.ask(Action::Spawn { child, function: id.0, argument })?;
        if !self.thread.store.is_published() {
            self.before_spawn = Some((self.thread.store.clone(), self.thread.counts.clone()));
            Rc::make_mut(&mut self.thread.store).publish(&self.world.sites);
        }
        self.image = None;
        self.thread.counts.stored = false;
        self.thread.counts.spawned += 1;
        Ok(handle)
    }
}

impl Runner<'_, '_> {
    /// The list of no registers, for a thread's first function.
    pub const NO_RESULTS: Regs = Regs { start: 0, len: 0 };
}

/// The operation that takes an owned word: the owner in the upper half, a count in the lower.
pub(crate) fn taking(owner: u32) -> Rmw {
    Rmw::new(RmwOp::Acquire, (owner as u64) << 32 | 1)
}
