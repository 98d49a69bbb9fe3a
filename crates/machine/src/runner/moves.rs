//! Copies and fills of a thread that is fetched out of order: shared bytes in pieces that are events, private ones with
//! what they depend on.

use super::Runner;
use super::access::Datum;
use super::fetch::{Fetch, Halt};
use crate::store::Located;
use crate::symbolic::{Content, How, NodeId, Operand, Part, Tag, What};
use raddle_event::{Address, DepsId, Order, Range, Value};
use smallvec::SmallVec;
use std::rc::Rc;

impl Runner<'_, '_> {
    /// Copies bytes. Between private objects the dependencies go along; a copy from or to shared memory is loads and
    /// then stores.
    pub(super) fn fetch_copy(&mut self, to: Address, from: Address, length: u64, addr: DepsId) -> Fetch<()> {
        self.check_length(length)?;
        if length == 0 {
            return Ok(());
        }
        let (source, target) = (self.locate(from, length), self.locate(to, length));
        match (source, target) {
            (Located::Private(source), Located::Private(target)) => {
                self.depend_on_address(addr);
                let mut bytes = vec![0; length as usize];
                self.thread.store.read(source, &mut bytes);
                let store = Rc::make_mut(&mut self.thread.store);
                store.write(target, &bytes);
                store.copy_written(source, target, length as usize);
                let shadow = &mut self.symbolic().shadow;
                if !shadow.is_empty() {
                    Rc::make_mut(shadow).copy(source, target, length as usize);
                }
                Ok(())
            }
            (Located::Fault(fault), _) | (_, Located::Fault(fault)) => Err(Halt::Fault(fault)),
            _ => {
                let pieces = self.shared_pieces(to, from, length);
                let mut values = Vec::with_capacity(pieces.len());
                for &(offset, size) in &pieces {
                    values.push(self.fetch_piece(Range { start: Address(from.0 + offset), size }, length, addr)?);
                }
                for (&(offset, size), value) in pieces.iter().zip(values) {
                    self.put_piece(Range { start: Address(to.0 + offset), size }, length, value, addr)?;
                }
                Ok(())
            }
        }
    }

    /// The offsets and sizes of the pieces in which bytes are copied, cut where a shared side is.
    pub(super) fn shared_pieces(&self, to: Address, from: Address, length: u64) -> Vec<(u64, u32)> {
        let is_private = |start: &Address| self.locate(*start, length) != Located::Shared;
        let sides = match (is_private(&from), is_private(&to)) {
            (false, true) => vec![from],
            (false, false) => vec![from, to],
            (true, _) => vec![to],
        };
        let ends = |start: Address| self.cut(start, length, false).into_iter().map(move |piece| piece.end() - start.0);
        let mut all: Vec<u64> = sides.into_iter().flat_map(ends).collect();
        all.sort();
        all.dedup();
        let starts = std::iter::once(0).chain(all.clone());
        starts.zip(all).map(|(start, end)| (start, (end - start) as u32)).collect()
    }

    /// Values of more than eight bytes are two words, which are not put together of pieces.
    fn check_apart(size: u32) -> Fetch<()> {
        match size {
            0..=8 => Ok(()),
            _ => Err(Halt::Unsupported(format!("an access of {size} bytes piece by piece is not supported under POWER and AArch64"))),
        }
    }

    /// Reads a shared value piece by piece.
    pub(super) fn fetch_apart(&mut self, from: Address, size: u32, order: Order, addr: DepsId) -> Fetch<Datum> {
        Self::check_apart(size)?;
        let (mut bytes, mut parts) = ([DepsId::NONE; 8], SmallVec::<[Part; 2]>::new());
        for piece in self.pieces(from, size as u64) {
            let node = self.read_piece(piece, size as u64, order, addr)?;
            let to = (piece.start.0 - from.0) as usize;
            parts.push(Part { node, from: 0, to: to as u8, bytes: piece.size as u8 });
            bytes[to..to + piece.size as usize].fill(self.symbolic().nodes.deps(node));
        }
        let deps = self.symbolic().sets.of_bytes(bytes);
        let word = match parts[..] {
            [Part { node, .. }] => node,
            _ => self.symbolic().nodes.add(deps, How::Gather { rest: 0, parts }),
        };
        Ok(Datum { words: [Operand::Node(word), Operand::Known(0)], deps })
    }

    /// Writes a shared value piece by piece.
    pub(super) fn put_apart(&mut self, to: Address, size: u32, value: &Datum, addr: DepsId) -> Fetch<()> {
        Self::check_apart(size)?;
        for piece in self.pieces(to, size as u64) {
            let skipped = (piece.start.0 - to.0) as u8;
            let (symbolic, bytes) = (self.symbolic(), piece.size as u8);
            let deps = symbolic.sets.moved(value.deps, skipped as usize, 0, bytes as usize);
            let all = symbolic.nodes.gathered(value.words[0], [skipped, 0, bytes]);
            let word = symbolic.nodes.add_gathered(deps, all);
            self.put_piece(piece, size as u64, Datum { words: [word, Operand::Known(0)], deps }, addr)?;
        }
        Ok(())
    }

    /// Reads a shared piece of so many bytes; gives what its value is.
    pub(super) fn read_piece(&mut self, piece: Range, length: u64, order: Order, addr: DepsId) -> Fetch<NodeId> {
        let at = self.location_of_piece(piece, length, false)?;
        let event = self.emit(What::Read { guard: None, exclusive: false }, Some(at), addr, DepsId::NONE);
        let fetched = &mut self.symbolic().events[event as usize];
        fetched.moves = order == Order::Copy;
        Ok(fetched.node.expect("a read has a node"))
    }

    /// Reads a piece of the bytes that are copied, so many.
    pub(super) fn fetch_piece(&mut self, piece: Range, length: u64, addr: DepsId) -> Fetch<Datum> {
        let size = piece.size;
        match self.locate(piece.start, size as u64) {
            _ if size > 8 => Err(Halt::Unsupported(format!("a copy of {size} bytes to or from shared memory under POWER"))),
            Located::Shared => {
                let node = self.read_piece(piece, length, Order::Copy, addr)?;
                Ok(Datum { words: [Operand::Node(node), Operand::Known(0)], deps: self.symbolic().nodes.deps(node) })
            }
            Located::Private(spot) => {
                self.depend_on_address(addr);
                let (word, deps) = self.private_word(spot, size, addr);
                Ok(Datum { words: [word, Operand::Known(0)], deps })
            }
            source => self.private_load(source, size, Order::Copy, addr),
        }
    }

    /// Writes a piece of the bytes that are copied, so many.
    pub(super) fn put_piece(&mut self, piece: Range, length: u64, value: Datum, addr: DepsId) -> Fetch<()> {
        match self.locate(piece.start, piece.size as u64) {
            Located::Shared => {
                self.cut_between_dependencies(piece, value.deps);
                let at = self.location_of_piece(piece, length, true)?;
                self.emit(What::Write { content: Content::Words(value.words), exclusive: None }, Some(at), addr, value.deps);
                Ok(())
            }
            target => self.private_store(target, piece.size, value, addr),
        }
    }

    /// Cuts a piece where bytes meet that depend on different events: whoever copies byte by byte makes none of them
    /// wait for what another one depends on.
    fn cut_between_dependencies(&mut self, piece: Range, deps: DepsId) {
        let sets = &self.symbolic().sets;
        if sets.has_bytes(deps) {
            let bytes = sets.bytes(deps).map(|byte| sets.get(byte));
            let differ = (1..piece.size as usize).filter(|&n| bytes[n - 1] != bytes[n]);
            let cuts: SmallVec<[u64; 7]> = differ.map(|n| piece.start.0 + n as u64).collect();
            cuts.into_iter().for_each(|cut| self.world.sites.cut(cut));
        }
    }

    /// Writes a byte, known or not, `length` times.
    pub(super) fn fetch_fill(&mut self, to: Address, length: u64, (byte, deps): (Operand, DepsId), addr: DepsId) -> Fetch<()> {
        if length == 0 {
            return Ok(());
        }
        match (self.locate(to, length), byte) {
            (Located::Shared, _) => {
                for piece in self.pieces(to, length) {
                    let (content, at) = (self.filled(byte, deps, piece.size)?, self.location_of_piece(piece, length, true)?);
                    self.emit(What::Write { content, exclusive: None }, Some(at), addr, deps);
                }
            }
            (Located::Private(spot), Operand::Node(_)) => {
                self.depend_on_address(addr);
                (0..length as usize).for_each(|n| self.private_put(spot.after(n), 1, byte, deps));
            }
            (found, Operand::Known(byte)) => {
                self.depend_on_address(addr);
                self.write_bytes(to, &vec![byte as u8; length as usize])?;
                if let (Located::Private(spot), false) = (found, deps.is_none()) {
                    Rc::make_mut(&mut self.symbolic().shadow).put_long(spot, length as usize, Tag::From(deps));
                }
            }
            (found, _) => self.private_store(found, 1, Datum { words: [byte, Operand::Known(0)], deps }, addr)?,
        }
        Ok(())
    }

    /// What a store of `size` bytes writes that are all the same.
    pub(super) fn filled(&mut self, byte: Operand, deps: DepsId, size: u32) -> Fetch<Content> {
        match byte {
            Operand::Known(byte) => Ok(Content::Value(Value::from_bytes(&vec![byte as u8; size as usize]))),
            Operand::Node(_) if size > 8 => {
                Err(Halt::Unsupported(format!("{size} bytes of shared memory that are filled with what is not known yet under POWER")))
            }
            Operand::Node(node) => {
                let parts = (0..size as u8).map(|to| Part { node, from: 0, to, bytes: 1 }).collect();
                let word = self.symbolic().nodes.add(deps, How::Gather { rest: 0, parts });
                Ok(Content::Words([Operand::Node(word), Operand::Known(0)]))
            }
        }
    }
}
