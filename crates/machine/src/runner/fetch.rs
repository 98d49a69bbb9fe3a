//! Fetches a thread out of order: instructions in program order, past loads whose values are not known yet.
//!
//! Fetching stops at a branch whose condition is not known, as in the execution model of the POWER paper (rule FETCH),
//! and at an access whose address is not known. That hides nothing: whatever follows such an access comes after the
//! loads that the address depends on anyway, because commit-before has (addr; po). Library functions branch on their
//! operands, so these are awaited too and count as a control dependency.
//!
//! Before the first thread is spawned there are no events, and instructions run as in the in-order machine.

use super::Runner;
use super::private::Halt as Pause;
use crate::apply::{Outcome, Registers, apply};
use crate::history::{Blocked, Next};
use crate::symbolic::{How, NodeId, Operand, Round, Stretch, Symbolic, Tag};
use crate::vain::{MOST_OPEN_ROUNDS, Spurious, spurious_at};
use raddle_event::{DepsId, Fault, Order, Rmw, ThreadId};
use raddle_program::{Function, FunctionId, Instr, LoopId, Reg};
use smallvec::SmallVec;
use std::rc::Rc;

/// How many events an execution that is fetched out of order may have before patience with it begins: relations over
/// them take as many bits as the square of that, several times.
pub const MANY_EVENTS: u32 = 8192;

/// How many iterations of a loop are kept whose values are not known yet.
const MOST_OPEN: usize = 8;

/// Why the fetching of a thread stops.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// Values are awaited.
    Awaits,
    /// A library function waits for the answer of an event.
    Reply(Reply),
    /// Another thread is to come into being, after all events so far.
    Spawn {
        /// The new thread.
        child: ThreadId,
        /// The function that it runs.
        function: FunctionId,
        /// What the function is given.
        argument: u64,
    },
    /// Another thread must have ended. Its result is `wanted` or not.
    Join {
        /// The thread that must have ended.
        joined: ThreadId,
        /// Whether its result is used.
        wanted: bool,
    },
    /// It has returned from its first function with these words.
    Ended(SmallVec<[Operand; 1]>),
    /// It has ended the program with this status.
    Exited(i32),
    /// It will never go on, and nothing is wrong with that.
    Blocked(Blocked),
    /// It has gone wrong, in this way.
    Fault(Fault),
    /// It has reached something that cannot be run: what, in a sentence.
    Unsupported(String),
    /// It runs on and on without an event.
    Endless,
}

/// What a library function waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The event whose answer is awaited, by its number in the thread.
    pub event: u32,
    /// The read-modify-write whose first half the event is.
    pub rmw: Option<Rmw>,
    /// The order of the access.
    pub order: Order,
    /// The order where the read-modify-write does not write.
    pub failure: Order,
}

/// Either a result, or why the fetching stops.
pub(super) type Fetch<T> = Result<T, Halt>;

/// A function, and an instruction of it.
type InCode = (FunctionId, u32);

impl From<Next> for Halt {
    fn from(next: Next) -> Halt {
        match next {
            Next::Ended(values) => Halt::Ended(values.into_iter().map(Operand::Known).collect()),
            Next::Exited(status) => Halt::Exited(status),
            Next::Blocked(why) => Halt::Blocked(why),
            Next::Fault(fault) => Halt::Fault(fault),
            Next::Unsupported(what) => Halt::Unsupported(what),
            Next::Endless => Halt::Endless,
            Next::Unknown => Halt::Awaits,
            Next::Action(action) => unreachable!("{action:?} is served"),
        }
    }
}

impl<'p> Runner<'_, 'p> {
    /// Fetches until the fetching stops.
    pub fn fetch(&mut self) -> Halt {
        self.thread.wake();
        loop {
            if let Err(halt) = self.fetch_frame() {
                return halt;
            }
        }
    }

    pub(super) fn symbolic(&mut self) -> &mut Symbolic {
        self.symbolic.as_mut().expect("the thread is fetched out of order")
    }

    fn fetch_frame(&mut self) -> Fetch<()> {
        let program = self.world.program;
        let (id, depth) = (self.thread.top().function, self.thread.counts.frames);
        let function = &program.functions[id.index()];
        loop {
            let mut at = self.thread.top().at as usize;
            if self.thread.store.is_published() {
                self.fetch_one(&function.code[at], id, function)?;
            } else {
                let pause = self.run_private(function, &mut at);
                self.thread.top().at = at as u32;
                let instr = &function.code[at];
                match pause {
                    Pause::Effect if matches!(instr, Instr::Enter { .. } | Instr::Latch { .. }) => self.fetch_one(instr, id, function)?,
                    Pause::Effect => self.serve(instr, id, function)?,
                    Pause::Turn => self.look_at_turns()?,
                    Pause::Fault(kind) => return Err(Halt::Fault(self.fault_of(kind, instr))),
                }
            }
            if self.thread.counts.frames != depth || self.thread.top().function != id {
                return Ok(());
            }
        }
    }

    fn fetch_one(&mut self, instr: &'p Instr, id: FunctionId, function: &'p Function) -> Fetch<()> {
        match *instr {
            Instr::Load { .. } | Instr::Store { .. } | Instr::StoreUnless { .. } | Instr::Copy { .. } | Instr::Fill { .. } => {
                self.access(instr)?
            }
            Instr::Rmw { .. } | Instr::CompareExchange { .. } | Instr::CompareExchangeWeak { .. } => self.update(instr)?,
            Instr::LoadReserve { .. } | Instr::StoreConditional { .. } => self.reserve(instr)?,
            Instr::FenceOp { fence } => self.stand_after(fence),
            Instr::Call { .. } | Instr::CallPointer { .. } => return self.fetch_call(instr, id, function),
            Instr::Return { .. } => return self.fetch_return(instr, id, function),
            Instr::Alloca { .. }
            | Instr::StackSave { .. }
            | Instr::StackRestore { .. }
            | Instr::LifeBegin { .. }
            | Instr::LifeEnd { .. }
            | Instr::ThreadLocal { .. }
            | Instr::VaStart { .. }
            | Instr::CallExtern { .. } => return self.fetch_whole(instr, id, function),
            Instr::Enter { at } => {
                self.serve(instr, id, function)?;
                self.begin_round(at, function);
                return Ok(());
            }
            Instr::Latch { at, .. } => {
                self.check_events()?;
                self.end_round(at, function)?;
                return self.serve(instr, id, function);
            }
            Instr::Unsupported { .. } => return self.serve(instr, id, function),
            _ => return self.compute(instr, id, function),
        }
        self.thread.top().at += 1;
        Ok(())
    }

    /// A loop or recursion that awaits nothing could be fetched for ever.
    fn check_events(&mut self) -> Fetch<()> {
        let limits = &self.world.limits;
        let (many, patience) = (limits.events.min(MANY_EVENTS) as usize, limits.patience);
        let is_asked = || self.world.limits.stop.is_asked();
        let n = self.symbolic.as_ref().map_or(0, |symbolic| symbolic.events.len());
        if n > many && (is_asked() || self.patience.is_over(patience)) { Err(Halt::Endless) } else { Ok(()) }
    }

    // Registers

    /// The word of a register, where it is known by now.
    pub(super) fn known(&mut self, reg: Reg) -> Option<u64> {
        if let Tag::Node(node) = self.thread.tag(reg) {
            let symbolic = self.symbolic();
            let (word, deps) = (symbolic.nodes.value(node)?, symbolic.nodes.deps(node));
            self.assign(reg, word, deps);
        }
        Some(self.thread.register(reg))
    }

    /// The word of a register; where it is not known the fetching stops.
    pub(super) fn need(&mut self, reg: Reg) -> Fetch<u64> {
        match self.known(reg) {
            Some(word) => Ok(word),
            None => Err(self.await_registers(&[reg])),
        }
    }

    /// Stops the fetching until the registers are known.
    pub(super) fn await_registers(&mut self, regs: &[Reg]) -> Halt {
        let nodes: SmallVec<[NodeId; 4]> = regs.iter().filter_map(|&reg| self.node(reg)).collect();
        self.symbolic().awaited.extend(nodes);
        Halt::Awaits
    }

    fn node(&self, reg: Reg) -> Option<NodeId> {
        match self.thread.tag(reg) {
            Tag::Node(node) => Some(node),
            _ => None,
        }
    }

    /// The word of a register, known or not.
    pub(super) fn operand(&mut self, reg: Reg) -> Operand {
        match self.known(reg) {
            Some(word) => Operand::Known(word),
            None => Operand::Node(self.node(reg).expect("what is not known is a node")),
        }
    }

    /// Gives a register a known word that depends on these events.
    pub(super) fn assign(&mut self, reg: Reg, word: u64, deps: DepsId) {
        self.thread.registers().set(reg, word);
        self.thread.set_tag(reg, if deps.is_none() { Tag::Plain } else { Tag::From(deps) });
    }

    /// What a register depends on.
    pub(super) fn deps_of(&mut self, reg: Reg) -> DepsId {
        let tag = self.thread.tag(reg);
        self.symbolic().deps(tag)
    }

    /// What a register depends on, byte by byte where they differ.
    pub(super) fn deps_by_bytes(&mut self, reg: Reg) -> DepsId {
        let tag = self.thread.tag(reg);
        self.symbolic().deps_by_bytes(tag)
    }

    pub(super) fn union(&mut self, a: DepsId, b: DepsId) -> DepsId {
        self.symbolic().sets.union(a, b)
    }

    fn deps_of_all(&mut self, regs: &[Reg]) -> DepsId {
        regs.iter().fold(DepsId::NONE, |deps, &reg| {
            let tag = self.thread.tag(reg);
            self.symbolic().join(deps, tag)
        })
    }

    // Computing

    /// An instruction that only touches registers, or a branch.
    fn compute(&mut self, instr: &'p Instr, id: FunctionId, function: &'p Function) -> Fetch<()> {
        let mut uses: SmallVec<[Reg; 4]> = SmallVec::new();
        instr.all_uses(function, |reg| uses.push(reg));
        let tagged = uses.iter().any(|&reg| self.thread.tag(reg) != Tag::Plain);
        let deps = match tagged {
            true => self.deps_of_bytes(instr).unwrap_or_else(|| self.deps_of_all(&uses)),
            false => DepsId::NONE,
        };
        let unknown = tagged && uses.iter().filter(|reg| self.known(**reg).is_none()).count() > 0;
        match (instr.ends_block(), unknown) {
            (true, true) => return Err(self.await_registers(&uses)),
            (false, true) => {
                if !self.gather_bytes(instr, deps) {
                    // No byte is known before all operands are.
                    let deps = self.symbolic().sets.whole(deps);
                    self.compute_later(instr, id, function, &uses, deps);
                }
                self.thread.top().at += 1;
                return Ok(());
            }
            _ => {}
        }
        match apply(instr, function, &mut self.thread.registers()) {
            Outcome::Next => self.thread.top().at += 1,
            Outcome::Goto(to) => {
                if self.symbolic().is_in_vain(deps) {
                    return Err(Halt::Blocked(Blocked::Guess));
                }
                self.thread.top().at = to as u32;
                self.depend_on_branch(deps);
            }
            Outcome::Fault(kind) => return Err(Halt::Fault(self.fault_of(kind, instr))),
            Outcome::Effect => unreachable!("`{}` is more than registers", instr.word()),
        }
        let tag = if deps.is_none() { Tag::Plain } else { Tag::From(deps) };
        instr.all_defs(function, |reg| self.thread.set_tag(reg, tag));
        Ok(())
    }

    /// What follows depends on a branch that depends on these events.
    pub(super) fn depend_on_branch(&mut self, deps: DepsId) {
        let ctrl = self.symbolic().standing.ctrl;
        let ctrl = self.union(ctrl, deps);
        self.symbolic().standing.ctrl = ctrl;
    }

    fn compute_later(&mut self, instr: &Instr, id: FunctionId, function: &Function, uses: &[Reg], deps: DepsId) {
        let at = self.thread.top().at;
        let uses: SmallVec<[(Reg, Operand); 3]> = uses.iter().map(|&reg| (reg, self.operand(reg))).collect();
        let mut defs: SmallVec<[Reg; 2]> = SmallVec::new();
        instr.all_defs(function, |reg| defs.push(reg));
        if defs.is_empty() {
            self.symbolic().nodes.add(deps, How::Instruction { function: id, at, uses, takes: None });
            return;
        }
        for reg in defs {
            let node = self.symbolic().nodes.add(deps, How::Instruction { function: id, at, uses: uses.clone(), takes: Some(reg) });
            self.thread.set_tag(reg, Tag::Node(node));
        }
    }

    // Calls

    fn fetch_call(&mut self, instr: &'p Instr, id: FunctionId, function: &'p Function) -> Fetch<()> {
        self.check_events()?;
        let (callee, arguments) = match *instr {
            Instr::Call { function, arguments, .. } => (function, arguments),
            Instr::CallPointer { results, target, arguments } => {
                let address = raddle_event::Address(self.need(target.0)?);
                let deps = self.deps_of(target.0);
                self.depend_on_branch(deps);
                (self.callee(address, results, arguments)?, arguments)
            }
            _ => unreachable!("`{}` is no call", instr.word()),
        };
        let regs = function.list(arguments.0);
        let tags: SmallVec<[Tag; 8]> = regs
            .iter()
            .map(|&reg| {
                self.known(reg);
                self.thread.tag(reg)
            })
            .collect();
        let n = self.world.program.functions[callee.index()].parameters as usize;
        self.serve(instr, id, function)?;
        self.symbolic().callers.0 = u32::MAX;
        for (number, &tag) in tags.iter().take(n).enumerate() {
            self.thread.set_tag(Reg(number as u32), tag);
        }
        let more = self.thread.top().more;
        for (number, &tag) in tags.iter().skip(n).enumerate().filter(|(_, tag)| **tag != Tag::Plain) {
            self.cover(raddle_event::Address(more.0 + 8 * number as u64), 8, tag);
        }
        Ok(())
    }

    fn fetch_return(&mut self, instr: &'p Instr, id: FunctionId, function: &'p Function) -> Fetch<()> {
        let Instr::Return { values } = *instr else { unreachable!("`{}` does not return", instr.word()) };
        let operands: SmallVec<[(Operand, Tag); 2]> =
            function.list(values.0).iter().map(|&reg| (self.operand(reg), self.thread.tag(reg))).collect();
        let results = self.thread.top().results;
        match self.serve(instr, id, function) {
            Err(Halt::Ended(_)) => return Err(Halt::Ended(operands.iter().map(|(operand, _)| *operand).collect())),
            other => other?,
        }
        self.cut_shadow();
        self.symbolic().callers.0 = u32::MAX;
        let caller = &self.world.program.functions[self.thread.top().function.index()];
        for (&to, &(_, tag)) in caller.list(results).iter().zip(&operands) {
            self.thread.set_tag(to, tag);
        }
        Ok(())
    }

    /// An instruction whose operands must all be known; the library branches on them.
    fn fetch_whole(&mut self, instr: &'p Instr, id: FunctionId, function: &'p Function) -> Fetch<()> {
        let mut uses: SmallVec<[Reg; 8]> = SmallVec::new();
        instr.all_uses(function, |reg| uses.push(reg));
        if uses.iter().filter(|reg| self.known(**reg).is_none()).count() > 0 {
            return Err(self.await_registers(&uses));
        }
        let deps = self.deps_of_all(&uses);
        if self.thread.replies.is_empty() {
            self.symbolic().call = deps;
            self.depend_on_branch(deps);
        }
        let frames = self.thread.counts.frames;
        self.serve(instr, id, function)?;
        if let Instr::StackRestore { .. } = instr {
            self.cut_shadow();
        }
        if self.thread.counts.frames != frames {
            // The call has left frames: an exception, or `longjmp`.
            self.cut_shadow();
            self.symbolic().callers.0 = u32::MAX;
            self.symbolic().call = DepsId::NONE;
            return Ok(());
        }
        let call = std::mem::take(&mut self.symbolic().call);
        let tag = if call.is_none() { Tag::Plain } else { Tag::From(call) };
        instr.all_defs(function, |reg| self.thread.set_tag(reg, tag));
        Ok(())
    }

    /// Runs an instruction as in the in-order machine; what it asks for is served until it needs an answer that is not
    /// there.
    fn serve(&mut self, instr: &Instr, id: FunctionId, function: &'p Function) -> Fetch<()> {
        loop {
            self.cursor = 0;
            match self.whole_effect(instr, id, function) {
                Ok(()) => break,
                Err(Next::Action(action)) => {
                    let reply = self.act(action)?;
                    self.thread.replies.push(reply);
                }
                Err(next) => return Err(next.into()),
            }
        }
        self.thread.replies.clear();
        self.cursor = 0;
        Ok(())
    }

    // Loops

    /// The state in which an iteration of a loop begins. What is known by now lies in registers and memory.
    fn round(&mut self, at: LoopId, function: &Function) -> Round {
        for &reg in function.list(function.loops[at.index()]) {
            self.known(reg);
        }
        self.reveal_all();
        let (depth, kept) = (self.thread.counts.frames, self.thread.keep(self.world.program));
        self.thread.wake();
        let symbolic = self.symbolic();
        let (n_events, reserved, shadow) = (symbolic.events.len(), symbolic.standing.reserved, symbolic.shadow.clone());
        Round { depth, at, kept, shadow, reserved, n_events, pauses: 0 }
    }

    /// Remembers the state in which a loop is entered.
    fn begin_round(&mut self, at: LoopId, function: &Function) {
        let round = self.round(at, function);
        let rounds = Rc::make_mut(&mut self.symbolic().rounds);
        rounds.retain(|other| other.depth < round.depth || (other.depth == round.depth && other.at != at));
        rounds.push(round);
    }

    /// A thread that comes back to the state in which it began an iteration, and has changed nothing since, would look
    /// at the same values again: it blocks here (see [`crate::spin`]).
    fn end_round(&mut self, at: LoopId, function: &Function) -> Fetch<()> {
        let depth = self.thread.counts.frames;
        let symbolic = self.symbolic();
        let is_mine = |round: &Round| round.depth == depth && round.at == at;
        let Some(last) = symbolic.rounds.iter().rposition(is_mine) else {
            self.begin_round(at, function);
            return Ok(());
        };
        if symbolic.rounds[last].n_events == symbolic.events.len() {
            return Ok(());
        }
        let now = self.round(at, function);
        let symbolic = self.symbolic.as_mut().expect("the thread is fetched out of order");
        let rounds = Rc::make_mut(&mut symbolic.rounds);
        rounds.truncate(last + 1);
        rounds.push(now);
        let first = rounds.iter().rposition(|round| !is_mine(round)).map_or(0, |n| n + 1);
        let live = function.list(function.loops[at.index()]);
        if self.world.ends_in_vain() {
            symbolic.count_pauses(first, live, self.world);
        }
        let stretches = || symbolic.rounds[first..].windows(2).map(|pair| symbolic.stretch(&pair[0], &pair[1], live, self.world));
        if let Some(events) = symbolic.idle_events(first, live, self.world) {
            symbolic.idle = Some(events.start as u32..events.end as u32);
            for site in symbolic.last_looks_of_several(events.clone(), self.thread.id, self.world) {
                self.world.sites.extend_awaits(Some(site));
            }
            if self.world.limits.looks_twice
                && let Some(at) = symbolic.last_read_of_several(events.clone(), self.thread.id, self.world)
            {
                self.world.sites.list_words(self.world.locations.range(at), self.thread.id);
            }
            for at in symbolic.plainly_written(events) {
                self.world.assume_owned(at, self.thread.id);
            }
            return Err(Halt::Blocked(Blocked::Spin));
        }
        if self.world.ends_in_vain() && stretches().any(|stretch| stretch == Stretch::Failed) {
            return Err(Halt::Blocked(Blocked::Assume));
        }
        self.stop_pauses()?;
        let symbolic = self.symbolic.as_mut().expect("the thread is fetched out of order");
        let n_busy =
            symbolic.rounds[first..].windows(2).take_while(|pair| symbolic.changes_for_good(&pair[0], &pair[1], self.world)).count();
        let n_old = n_busy.max((last + 1 - first).saturating_sub(MOST_OPEN));
        Rc::make_mut(&mut symbolic.rounds).drain(first..first + n_old);
        Ok(())
    }

    /// How many of the last pauses in a row nobody can have noticed (see [`crate::vain`]), where they have one mutex;
    /// none where that is not known.
    fn n_unnoticed(&self) -> Option<u64> {
        let symbolic = self.symbolic.as_ref().expect("the thread is fetched out of order");
        let (pauses, mutexes) = symbolic.pauses(self.world);
        let found = |at| self.world.sites.found_by_others(self.world.locations.range(at).start, self.thread.id);
        let noticed: u64 = mutexes.iter().map(|&at| found(at)).sum();
        (mutexes.len() <= 1).then(|| (pauses as u64).saturating_sub(noticed))
    }

    /// A thread that has paused more often than matters, or than is looked at, does not go on.
    fn stop_pauses(&self) -> Fetch<()> {
        let symbolic = self.symbolic.as_ref().expect("the thread is fetched out of order");
        let is_open = || self.world.limits.unroll.is_none() && symbolic.pauses(self.world).0 >= MOST_OPEN_ROUNDS;
        match self.world.ends_in_vain().then(|| self.n_unnoticed()) {
            Some(Some(2..)) => Err(Halt::Blocked(Blocked::Assume)),
            Some(None) if is_open() => Err(Halt::Blocked(Blocked::LoopBound)),
            _ => Ok(()),
        }
    }

    /// Whether a thread that could choose to end a wait for no reason has done so often enough.
    pub(super) fn must_sleep(&mut self) -> bool {
        let (place, _) = self.place();
        let is_wait = spurious_at(self.world.program, place.0, place.1) == Some(Spurious::Wait);
        is_wait && self.n_unnoticed().is_some_and(|n| n > 0) && self.symbolic().is_at_same_choice(place)
    }

    /// The place in the code where the thread stands.
    pub(super) fn place(&mut self) -> (InCode, Rc<[InCode]>) {
        let (depth, place) = (self.thread.counts.frames, (self.thread.top().function, self.thread.top().at));
        if self.symbolic().callers.0 != depth {
            let callers: Rc<[InCode]> = self.thread.callers().into();
            self.symbolic().callers = (depth, callers);
        }
        (place, self.symbolic().callers.1.clone())
    }
}
