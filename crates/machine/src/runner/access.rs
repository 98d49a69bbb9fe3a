//! Memory accesses of a thread that is fetched out of order: events where the memory is shared, values with their
//! dependencies where it is private.

use super::Runner;
use super::fetch::{Fetch, Halt, Reply as Awaited};
use crate::sharing::Site;
use crate::store::{Located, Spot};
use crate::symbolic::{Content, Gathered, How, NodeId, Operand, Part, Tag, What};
use raddle_event::{Address, DepsId, Fault, FaultKind, Guard, Half, Order, Reply, Rmw, RmwOp};
use raddle_program::{Instr, Reg};
use smallvec::SmallVec;
use std::rc::Rc;

/// A value of at most sixteen bytes, and what it depends on.
pub(super) struct Datum {
    pub words: [Operand; 2],
    pub deps: DepsId,
}

impl Runner<'_, '_> {
    /// Puts what an event reads into a register, or two.
    pub(super) fn receive(&mut self, to: Reg, size: u32, event: u32) {
        let node = self.symbolic().events[event as usize].node.expect("a read has a node");
        self.thread.set_tag(to, Tag::Node(node));
        if size > 8 {
            self.thread.set_tag(Reg(to.0 + 1), Tag::Node(NodeId(node.0 + 1)));
        }
    }

    // Plain accesses

    /// A load, a store, or a copy or fill of bytes.
    pub(super) fn access(&mut self, instr: &Instr) -> Fetch<()> {
        match *instr {
            Instr::Load { to, address, size, order } => {
                let (address, addr) = self.place_of(address.0)?;
                match self.locate(address, size.0 as u64) {
                    Located::Shared if self.falls_apart(address, size.0, order) => {
                        let Datum { words, deps } = self.fetch_apart(address, size.0, order, addr)?;
                        self.give(to.0, size.0, words, deps);
                    }
                    Located::Shared => {
                        self.lead(order);
                        let at = self.location(address, size.0, false)?;
                        let event = self.emit_access(What::Read { guard: None, exclusive: false }, at, [addr, DepsId::NONE], order);
                        self.trail(order, event);
                        self.receive(to.0, size.0, event);
                    }
                    found => {
                        self.look(address);
                        let Datum { words, deps } = self.private_load(found, size.0, order, addr)?;
                        self.give(to.0, size.0, words, deps);
                    }
                }
            }
            Instr::Store { address, value, size, order } => {
                let (address, addr) = self.place_of(address.0)?;
                let value = self.words(value.0, size.0);
                match self.locate(address, size.0 as u64) {
                    Located::Shared if self.falls_apart(address, size.0, order) => self.put_apart(address, size.0, &value, addr)?,
                    Located::Shared => {
                        self.lead(order);
                        let at = self.location(address, size.0, true)?;
                        self.emit_access(
                            What::Write { content: Content::Words(value.words), exclusive: None },
                            at,
                            [addr, value.deps],
                            order,
                        );
                    }
                    found => self.private_store(found, size.0, value, addr)?,
                }
            }
            Instr::StoreUnless { done, address, value, size } => self.store_unless(done.0, address.0, value.0, size.0)?,
            Instr::Copy { address, from, length } => {
                let ((to, a), (from, b), length) = (self.place_of(address.0)?, self.place_of(from.0)?, self.length(length.0)?);
                let addr = self.union(a, b);
                self.fetch_copy(to, from, length, addr)?;
            }
            Instr::Fill { address, value, length } => {
                let ((to, addr), length) = (self.place_of(address.0)?, self.length(length.0)?);
                let (byte, deps) = (self.operand(value.0), self.deps_of(value.0));
                self.check_length(length)?;
                self.fetch_fill(to, length, (byte, deps), addr)?;
            }
            _ => unreachable!("`{}` is no plain access", instr.word()),
        }
        Ok(())
    }

    /// A store where `done` is zero. Private memory has the value in either case, so nothing waits for `done`. What
    /// others can see is written or not, and that is a branch.
    fn store_unless(&mut self, done: Reg, address: Reg, value: Reg, size: u32) -> Fetch<()> {
        let (address, addr) = self.place_of(address)?;
        let value = self.words(value, size);
        let found = self.locate(address, size as u64);
        if !matches!(found, Located::Shared) {
            return self.private_store(found, size, value, addr);
        }
        let is_done = self.need(done)? != 0;
        let deps = self.deps_of(done);
        self.depend_on_branch(deps);
        if !is_done && self.falls_apart(address, size, Order::Plain) {
            self.put_apart(address, size, &value, addr)?;
        } else if !is_done {
            let at = self.location(address, size, true)?;
            let what = What::Write { content: Content::Words(value.words), exclusive: None };
            self.emit_access(what, at, [addr, value.deps], Order::Plain);
        }
        Ok(())
    }

    /// The address in a register, and what it depends on.
    pub(super) fn place_of(&mut self, reg: Reg) -> Fetch<(Address, DepsId)> {
        let address = Address(self.need(reg)?);
        Ok((address, self.deps_of(reg)))
    }

    /// A length: like an address, it decides what is accessed.
    pub(super) fn length(&mut self, reg: Reg) -> Fetch<u64> {
        let length = self.need(reg)?;
        let deps = self.deps_of(reg);
        self.depend_on_address(deps);
        Ok(length)
    }

    /// The value of `size` bytes in a register, or two.
    pub(super) fn words(&mut self, reg: Reg, size: u32) -> Datum {
        let (low, mut deps) = (self.operand(reg), self.deps_by_bytes(reg));
        let mut high = Operand::Known(0);
        if size > 8 {
            let upper = Reg(reg.0 + 1);
            high = self.operand(upper);
            let more = self.deps_of(upper);
            deps = self.union(deps, more);
        }
        Datum { words: [low, high], deps }
    }

    /// Puts a value of `size` bytes into a register, or two.
    pub(super) fn give(&mut self, to: Reg, size: u32, words: [Operand; 2], deps: DepsId) {
        for (n, word) in words.into_iter().take(if size > 8 { 2 } else { 1 }).enumerate() {
            let reg = Reg(to.0 + n as u32);
            match word {
                Operand::Known(word) => self.assign(reg, word, deps),
                Operand::Node(node) => self.thread.set_tag(reg, Tag::Node(node)),
            }
        }
    }

    // Private memory

    pub(super) fn fault<T>(kind: FaultKind, what: impl Into<String>) -> Fetch<T> {
        Err(Halt::Fault(Fault::new(kind, what)))
    }

    pub(super) fn private_load(&mut self, found: Located, size: u32, order: Order, addr: DepsId) -> Fetch<Datum> {
        self.depend_on_address(addr);
        match found {
            Located::Private(spot) => {
                if order != Order::Copy && !self.thread.store.is_written(spot, size as usize) {
                    return Self::fault(FaultKind::UninitialisedRead, format!("{size} bytes are read that were never written"));
                }
                let low = self.private_word(spot, size.min(8), addr);
                if size <= 8 {
                    return Ok(Datum { words: [low.0, Operand::Known(0)], deps: low.1 });
                }
                let high = self.private_word(spot.after(8), size - 8, addr);
                Ok(Datum { words: [low.0, high.0], deps: self.union(low.1, high.1) })
            }
            Located::Constant(global, offset) => {
                let mut bytes = [0; 16];
                self.read_constant(global, offset, &mut bytes[..size as usize]);
                let value = u128::from_le_bytes(bytes);
                Ok(Datum { words: [Operand::Known(value as u64), Operand::Known((value >> 64) as u64)], deps: addr })
            }
            Located::Fault(fault) => Err(Halt::Fault(fault)),
            Located::Shared => unreachable!("the memory is private"),
        }
    }

    /// A word of private memory, known or not. It depends on what its address depends on, too.
    pub(super) fn private_word(&mut self, spot: Spot, size: u32, addr: DepsId) -> (Operand, DepsId) {
        if self.symbolic().shadow.is_empty() {
            return (Operand::Known(self.thread.store.word(spot, size as usize)), addr);
        }
        let (_, parts) = self.reveal(spot, size as usize);
        let (deps, mut rest) = (self.deps_over(spot, size as usize, addr), self.thread.store.word(spot, size as usize));
        for part in &parts {
            rest &= !(part.kept() << (8 * part.to));
        }
        let nodes = &mut self.symbolic().nodes;
        let mut all = Gathered { rest, ..Gathered::default() };
        parts.into_iter().for_each(|part| nodes.gather(part, &mut all));
        (nodes.add_gathered(deps, all), deps)
    }

    /// What a word of private memory depends on: each byte by itself where they differ.
    fn deps_over(&mut self, spot: Spot, size: usize, addr: DepsId) -> DepsId {
        let symbolic = self.symbolic();
        let mut bytes = [DepsId::NONE; 8];
        for (begins, cover) in symbolic.shadow.over(spot, size) {
            let of = symbolic.sets.bytes(symbolic.deps_by_bytes(cover.tag));
            for n in 0..cover.size as isize {
                if (0..size as isize).contains(&(begins + n)) {
                    bytes[(begins + n) as usize] = of[cover.from as usize + n as usize];
                }
            }
        }
        bytes[..size].iter_mut().for_each(|byte| *byte = symbolic.sets.union(*byte, addr));
        match bytes[..size].iter().all(|byte| *byte == bytes[0]) {
            true => bytes[0],
            false => symbolic.sets.of_bytes(bytes),
        }
    }

    /// Puts values that have become known into the private memory that they lie over. Gives what the bytes depend on,
    /// and which parts of them are not known.
    pub(super) fn reveal(&mut self, spot: Spot, size: usize) -> (DepsId, SmallVec<[Part; 2]>) {
        let (mut deps, mut parts) = (DepsId::NONE, SmallVec::new());
        for (begins, cover) in self.symbolic().shadow.over(spot, size) {
            deps = self.symbolic().join(deps, cover.tag);
            let Tag::Node(node) = cover.tag else { continue };
            let symbolic = self.symbolic();
            match symbolic.nodes.value(node) {
                Some(value) => {
                    let (place, bytes) = (spot.moved(begins), (value >> (8 * cover.from as u32)).to_le_bytes());
                    let deps = symbolic.nodes.deps(node);
                    Rc::make_mut(&mut symbolic.shadow).settle(place, cover, deps);
                    Rc::make_mut(&mut self.thread.store).write(place, &bytes[..cover.size as usize]);
                }
                None => {
                    let skipped = (-begins).max(0);
                    let to = begins + skipped;
                    let bytes = (cover.size as isize - skipped).min(size as isize - to);
                    parts.push(Part { node, from: cover.from + skipped as u8, to: to as u8, bytes: bytes as u8 });
                }
            }
        }
        (deps, parts)
    }

    pub(super) fn private_store(&mut self, found: Located, size: u32, value: Datum, addr: DepsId) -> Fetch<()> {
        self.depend_on_address(addr);
        match found {
            Located::Private(spot) => {
                self.private_put(spot, size.min(8), value.words[0], value.deps);
                if size > 8 {
                    self.private_put(spot.after(8), size - 8, value.words[1], value.deps);
                }
                Ok(())
            }
            Located::Constant(..) => Self::fault(FaultKind::WildPointer, "write to a constant"),
            Located::Fault(fault) => Err(Halt::Fault(fault)),
            Located::Shared => unreachable!("the memory is private"),
        }
    }

    pub(super) fn private_put(&mut self, spot: Spot, size: u32, word: Operand, deps: DepsId) {
        let (word, tag) = match word {
            Operand::Known(word) if deps.is_none() => (word, Tag::Plain),
            Operand::Known(word) => (word, Tag::From(deps)),
            Operand::Node(node) => (0, Tag::Node(node)),
        };
        Rc::make_mut(&mut self.thread.store).set_word(spot, size as usize, word);
        let shadow = &mut self.symbolic().shadow;
        if tag != Tag::Plain || !shadow.is_empty() {
            Rc::make_mut(shadow).put(spot, size as usize, tag);
        }
    }

    /// Says what a word of private memory at an address depends on. Where it is not known yet, nothing is left of what
    /// a register had before.
    pub(super) fn cover(&mut self, address: Address, size: u32, tag: Tag) {
        if let Located::Private(spot) = self.locate(address, size as u64) {
            if let Tag::Node(_) = tag {
                Rc::make_mut(&mut self.thread.store).set_word(spot, size as usize, 0);
            }
            Rc::make_mut(&mut self.symbolic().shadow).put(spot, size as usize, tag);
        }
    }

    /// Forgets what lies over local variables that are gone.
    pub(super) fn cut_shadow(&mut self) {
        let ends = self.thread.store.stack_ends();
        let shadow = &mut self.symbolic().shadow;
        if !shadow.is_empty() {
            Rc::make_mut(shadow).cut(Spot::STACK, ends);
        }
    }

    /// For the library: the bytes are about to be read. Where they are not known the fetching stops.
    pub(super) fn reveal_for_library(&mut self, spot: Spot, size: usize) -> super::Run<()> {
        if self.symbolic.as_ref().is_none_or(|symbolic| symbolic.shadow.is_empty()) {
            return Ok(());
        }
        let (deps, parts) = self.reveal(spot, size);
        self.depend_on_branch(deps);
        let call = self.symbolic().call;
        self.symbolic().call = self.union(call, deps);
        if parts.is_empty() {
            return Ok(());
        }
        self.symbolic().awaited.extend(parts.iter().map(|part| part.node));
        Err(crate::history::Next::Unknown)
    }

    /// For the library: the bytes are about to be written, by what depends on all that the call has looked at.
    pub(super) fn uncover(&mut self, spot: Spot, size: usize) {
        let Some(symbolic) = self.symbolic.as_mut() else { return };
        if !symbolic.shadow.is_empty() {
            Rc::make_mut(&mut symbolic.shadow).clear(spot, size);
        }
        if !symbolic.call.is_none() {
            Rc::make_mut(&mut symbolic.shadow).put_long(spot, size, Tag::From(symbolic.call));
        }
    }

    /// Puts all values that have become known into the private memory that they lie over.
    pub(super) fn reveal_all(&mut self) {
        let symbolic = self.symbolic();
        let is_known = |node: NodeId| symbolic.nodes.value(node).is_some();
        let known: Vec<(Spot, usize)> =
            symbolic.shadow.unknown().filter(|found| is_known(found.2)).map(|found| (found.0, found.1)).collect();
        for (spot, size) in known {
            self.reveal(spot, size);
        }
    }

    // Read-modify-writes

    /// A read-modify-write or compare-exchange. It is a read and a write, whose addresses are the same and between
    /// which no other write comes in coherence. What comes after a compare-exchange depends by control on what it
    /// compares.
    pub(super) fn update(&mut self, instr: &Instr) -> Fetch<()> {
        match *instr {
            Instr::Rmw { to, op, address, operand, size, order } => {
                let (address, addr) = self.place_of(address.0)?;
                let operand = self.words(operand.0, size.0);
                let rmw = Rmw { op, operand: 0, expected: 0, guard: None };
                let found = self.locate(address, size.0 as u64);
                if found != Located::Shared {
                    self.look(address);
                    let old = self.private_load(found.clone(), size.0, order, addr)?;
                    let new = self.modified(rmw, size.0, &old, &operand);
                    self.private_store(found, size.0, new, addr)?;
                    self.give(to.0, size.0, old.words, old.deps);
                    return Ok(());
                }
                self.lead(order);
                let at = self.location(address, size.0, true)?;
                let event = self.emit_access(What::Read { guard: None, exclusive: true }, at, [addr, DepsId::NONE], order);
                self.receive(to.0, size.0, event);
                let old = self.words(to.0, size.0);
                let new = self.modified(rmw, size.0, &old, &operand);
                self.emit_access(What::Write { content: Content::Words(new.words), exclusive: Some(event) }, at, [addr, new.deps], order);
                self.trail(order, event);
                Ok(())
            }
            Instr::CompareExchange { to, done, address, expected, new, size, order, failure } => {
                self.compare(0, [to.0, done.0, address.0, expected.0, new.0], size.0, [order, failure])
            }
            Instr::CompareExchangeWeak { to, done, address, expected, new, size, order, failure } => {
                if !self.world.limits.spurious {
                    return self.compare(0, [to.0, done.0, address.0, expected.0, new.0], size.0, [order, failure]);
                }
                match self.thread.replies.first().cloned() {
                    None => Err(self.await_choice(2)),
                    Some(Reply::Chosen(1)) => {
                        self.thread.replies.clear();
                        self.access(&Instr::Load { to, address, size, order: failure })?;
                        self.assign(done.0, 0, DepsId::NONE);
                        Ok(())
                    }
                    Some(_) => self.compare(1, [to.0, done.0, address.0, expected.0, new.0], size.0, [order, failure]),
                }
            }
            _ => unreachable!("`{}` is no read-modify-write", instr.word()),
        }
    }

    fn await_choice(&mut self, n: u32) -> Halt {
        let event = self.emit(What::Choose { n }, None, DepsId::NONE, DepsId::NONE);
        Halt::Reply(Awaited { event, rmw: None, order: Order::Plain, failure: Order::Plain })
    }

    /// What an operation that always writes makes of a value.
    fn modified(&mut self, rmw: Rmw, size: u32, old: &Datum, operand: &Datum) -> Datum {
        let deps = if rmw.op == RmwOp::Exchange { operand.deps } else { self.union(old.deps, operand.deps) };
        if rmw.op == RmwOp::Exchange {
            return Datum { words: operand.words, deps };
        }
        let known = |words: [Operand; 2]| match words {
            [Operand::Known(low), Operand::Known(high)] => Some(low as u128 | (high as u128) << 64),
            _ => None,
        };
        if let (Some(a), Some(b)) = (known(old.words), known(operand.words)) {
            let new = Rmw { operand: b, ..rmw }.apply(a, size).expect("it always writes");
            return Datum { words: [Operand::Known(new as u64), Operand::Known((new >> 64) as u64)], deps };
        }
        let (old, operand) = (old.words, operand.words);
        let nodes = &mut self.symbolic().nodes;
        let low = Operand::Node(nodes.add(deps, How::Rmw { rmw, size, old, operand, upper: false }));
        let high = match size {
            0..=8 => Operand::Known(0),
            _ => Operand::Node(nodes.add(deps, How::Rmw { rmw, size, old, operand, upper: true })),
        };
        Datum { words: [low, high], deps }
    }

    /// A compare-exchange, whose answer is the reply number `nth`.
    fn compare(&mut self, nth: usize, [to, done, address, expected, new]: [Reg; 5], size: u32, [order, failure]: [Order; 2]) -> Fetch<()> {
        let (address, addr) = self.place_of(address)?;
        let pair: SmallVec<[Reg; 2]> =
            if size > 8 { SmallVec::from_slice(&[expected, Reg(expected.0 + 1)]) } else { SmallVec::from_slice(&[expected]) };
        let found = self.locate(address, size as u64);
        if found == Located::Shared && !self.world.mapping.compare_branches {
            return self.compare_at_once(nth, [to, done, expected, new], (address, size, addr), [order, failure]);
        }
        if found == Located::Shared && self.thread.replies.len() == nth {
            self.lead(order);
            let at = self.location(address, size, true)?;
            let event = self.emit_access(What::Read { guard: None, exclusive: true }, at, [addr, DepsId::NONE], both([order, failure]));
            self.symbolic().events[event as usize].orders = [order, failure];
            self.await_registers(&pair);
            return Err(Halt::Reply(Awaited { event, rmw: None, order: Order::Plain, failure: Order::Plain }));
        }
        let compared = self.words(expected, size);
        let value = self.words(new, size);
        let [Operand::Known(low), Operand::Known(high)] = compared.words else { return Err(self.await_registers(&pair)) };
        let compared_with = low as u128 | (high as u128) << 64;
        if found != Located::Shared {
            self.look(address);
            let old = self.private_load(found.clone(), size, order, addr)?;
            let [Operand::Known(low), Operand::Known(high)] = old.words else {
                self.give(to, size, old.words, old.deps);
                return Err(self.await_registers(&[to, Reg(to.0 + (size > 8) as u32)]));
            };
            let (same, deps) = (low as u128 | (high as u128) << 64 == compared_with, self.union(old.deps, compared.deps));
            if same {
                self.private_store(found, size, value, addr)?;
            }
            self.depend_on_branch(deps);
            self.give(to, size, old.words, old.deps);
            self.assign(done, same as u64, deps);
            return Ok(());
        }
        let Some(Reply::Value(old)) = self.thread.replies.get(nth).cloned() else { unreachable!("a read is answered by a value") };
        self.thread.replies.clear();
        let (old, at) = (old.to_u128(), self.location(address, size, true)?);
        let event = self.symbolic().last_at(at).expect("the read has been fetched");
        let read = self.symbolic().sets.one(event);
        let (same, deps) = (old == compared_with, self.union(read, compared.deps));
        self.depend_on_branch(deps);
        if same {
            let content = Content::Words(value.words);
            let store = self.emit_access(What::Write { content, exclusive: Some(event) }, at, [addr, value.deps], both([order, failure]));
            self.symbolic().events[store as usize].orders = [order, failure];
        }
        self.trail(if same { order } else { failure }, event);
        self.give(to, size, [Operand::Known(old as u64), Operand::Known((old >> 64) as u64)], read);
        self.assign(done, same as u64, deps);
        Ok(())
    }

    /// A compare-exchange that is one instruction. Whether it stores turns out when what it compares is known, or is
    /// guessed before that ([`crate::guesses`]): the store depends on that as on a branch, and what follows does not.
    fn compare_at_once(
        &mut self,
        nth: usize,
        [to, done, expected, new]: [Reg; 4],
        (address, size, addr): (Address, u32, DepsId),
        orders: [Order; 2],
    ) -> Fetch<()> {
        let order = both(orders);
        let (compared, value) = (self.words(expected, size), self.words(new, size));
        let guessable = self.may_guess(&compared, size);
        let guess = match (self.thread.replies.get(nth), guessable) {
            (None, Some(_)) => return Err(self.await_choice(2)),
            (Some(&Reply::Chosen(outcome)), Some(word)) => Some((outcome == 1, word)),
            _ => None,
        };
        self.thread.replies.clear();
        self.lead(order);
        let at = self.location(address, size, true)?;
        let guard = guess.map(|(succeeds, word)| if succeeds { Guard::Is(word) } else { Guard::Not(word) });
        let fails = matches!(guess, Some((false, _)));
        let annotation = (self.world.mapping.annotate)(order, Half::RmwLoad);
        let event = self.emit_annotated(What::Read { guard, exclusive: !fails }, Some(at), [addr, DepsId::NONE], (order, annotation));
        self.symbolic().events[event as usize].orders = orders;
        self.receive(to, size, event);
        let old = self.words(to, size);
        let deps = self.union(old.deps, compared.deps);
        let when = self.symbolic().nodes.add(deps, How::Same { one: old.words, other: compared.words });
        if !fails {
            let ctrl = self.symbolic().standing.ctrl;
            self.depend_on_branch(deps);
            let content = match guess {
                Some(_) => Content::Words(value.words),
                None => Content::When { when: Operand::Node(when), words: value.words },
            };
            let store = self.emit_access(What::Write { content, exclusive: Some(event) }, at, [addr, value.deps], order);
            self.symbolic().events[store as usize].orders = orders;
            self.symbolic().standing.ctrl = ctrl;
        }
        self.thread.set_tag(done, Tag::Node(when));
        Ok(())
    }

    /// The word that a compare-exchange compares with, where its success is guessed: where that is known to be needed,
    /// and the word is known whenever this is fetched.
    fn may_guess(&mut self, compared: &Datum, size: u32) -> Option<u64> {
        let (function, at) = self.place().0;
        if !self.world.sites.guesses(Site::Code(function, at)) {
            return None;
        }
        let symbolic = self.symbolic();
        symbolic.guessable(compared.words[0], size, compared.deps, symbolic.standing.ctrl)
    }

    /// A load that reserves, or a conditional store. That a conditional store succeeds is a free choice, which depends
    /// on nothing; where another write comes between, there is no place for it.
    pub(super) fn reserve(&mut self, instr: &Instr) -> Fetch<()> {
        match *instr {
            Instr::LoadReserve { to, address: from, size, order } => {
                let (address, addr) = self.place_of(from.0)?;
                if self.locate(address, size.0 as u64) != Located::Shared {
                    return self.access(&Instr::Load { to, address: from, size, order });
                }
                self.lead(order);
                let at = self.location(address, size.0, true)?;
                let annotation = (self.world.mapping.annotate)(order, Half::Reserve);
                let (what, deps) = (What::Read { guard: None, exclusive: true }, [addr, DepsId::NONE]);
                let event = self.emit_annotated(what, Some(at), deps, (order, annotation));
                self.symbolic().standing.reserved = Some((at, event));
                self.receive(to.0, size.0, event);
                self.trail(order, event);
            }
            Instr::StoreConditional { done, address, value, size, order } => {
                let (address, addr) = self.place_of(address.0)?;
                let value = self.words(value.0, size.0);
                let found = self.locate(address, size.0 as u64);
                if found != Located::Shared {
                    self.assign(done.0, 1, DepsId::NONE);
                    return self.private_store(found, size.0, value, addr);
                }
                let at = self.location(address, size.0, true)?;
                let reserved = self.symbolic().standing.reserved.filter(|(reserved, _)| *reserved == at);
                let stores = match (reserved, self.thread.replies.first()) {
                    (None, _) => false,
                    (Some(_), None) => return Err(self.await_choice(2)),
                    (Some(_), Some(reply)) => *reply == Reply::Chosen(1),
                };
                self.thread.replies.clear();
                self.symbolic().standing.reserved = None;
                if let (true, Some((_, read))) = (stores, reserved) {
                    self.lead(order);
                    let (annotation, content) = ((self.world.mapping.annotate)(order, Half::Conditional), Content::Words(value.words));
                    let what = What::Write { content, exclusive: Some(read) };
                    self.emit_annotated(what, Some(at), [addr, value.deps], (order, annotation));
                }
                self.assign(done.0, stores as u64, DepsId::NONE);
            }
            _ => unreachable!("`{}` does not reserve", instr.word()),
        }
        Ok(())
    }
}

/// The order of a compare-exchange that is one instruction, whichever way it ends: as strong as both, as compilers
/// merge them.
fn both([order, failure]: [Order; 2]) -> Order {
    match (order, failure) {
        (Order::SeqCst, _) | (_, Order::SeqCst) => Order::SeqCst,
        (Order::Release | Order::AcqRel, Order::Acquire) => Order::AcqRel,
        (_, Order::Acquire) => Order::Acquire,
        _ => order,
    }
}
