//! Values that are not known yet: a node for each, with what computes it from which others.
//!
//! A node is the answer of a fetched event, or a computation over nodes and known words. Nodes are made in program
//! order, so a node needs earlier ones only, and an answer is carried on by one pass over those that follow. What an
//! instruction does is asked of [`apply`].

use crate::apply::{Flow, Registers, apply};
use raddle_event::{DepsId, FaultKind, Rmw};
use raddle_program::{FunctionId, Program, Reg};
use smallvec::SmallVec;

/// The number of a node in its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A word that is known, or will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// It is known to be this.
    Known(u64),
    /// It is what this node will have.
    Node(NodeId),
}

/// A few bytes of a node, and where they go in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub node: NodeId,
    pub from: u8,
    pub to: u8,
    pub bytes: u8,
}

impl Part {
    /// The bits that its bytes have, at the bottom of a word.
    pub fn kept(&self) -> u64 {
        low(self.bytes)
    }
}

/// The bits of the lowest bytes of a word, one to eight.
fn low(bytes: u8) -> u64 {
    u64::MAX >> (64 - 8 * bytes as u32)
}

/// A word made of bytes of nodes; the rest of it is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    pub rest: u64,
    pub parts: SmallVec<[Part; 2]>,
}

impl Gathered {
    /// The bits of the bytes that are not known.
    fn unknown(&self) -> u64 {
        self.parts.iter().fold(0, |all, part| all | part.kept() << (8 * part.to))
    }

    /// The word that has the bytes of both, where no byte that is not known meets one that is not zero.
    pub fn beside(mut self, other: Gathered) -> Option<Gathered> {
        let (a, b) = (self.unknown(), other.unknown());
        if a & (b | other.rest) != 0 || b & self.rest != 0 {
            return None;
        }
        self.rest |= other.rest;
        self.parts.extend(other.parts);
        Some(self)
    }
}

/// What computes a node.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// The answer of an event.
    Answer,
    /// What an instruction puts into a register, or only whether it goes wrong.
    Instruction { function: FunctionId, at: u32, uses: SmallVec<[(Reg, Operand); 3]>, takes: Option<Reg> },
    /// One half of what a read-modify-write of `size` bytes writes.
    Rmw { rmw: Rmw, size: u32, old: [Operand; 2], operand: [Operand; 2], upper: bool },
    /// Whether two values are the same.
    Same { one: [Operand; 2], other: [Operand; 2] },
    /// Bytes of several values that lie side by side in private memory; the rest of the word is known.
    Gather { rest: u64, parts: SmallVec<[Part; 2]> },
}

struct Node {
    deps: DepsId,
    how: How,
    value: Option<u64>,
}

/// A computation that went wrong when its operands became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub node: NodeId,
    pub kind: FaultKind,
    pub function: FunctionId,
    pub at: u32,
}

/// All nodes of a thread.
#[derive(Default)]
pub(crate) struct Nodes {
    all: Vec<Node>,
    /// The nodes that got their value, in this order, for going back.
    known: Vec<NodeId>,
}

impl Nodes {
    /// A new node.
    pub fn add(&mut self, deps: DepsId, how: How) -> NodeId {
        self.all.push(Node { deps, how, value: None });
        NodeId(self.all.len() as u32 - 1)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// How many nodes have got a value, as a mark to go back to.
    pub fn n_known(&self) -> usize {
        self.known.len()
    }

    /// Forgets the values that came after the first `n_known`.
    pub fn forget_values(&mut self, n_known: usize) {
        for node in self.known.drain(n_known..) {
            self.all[node.index()].value = None;
        }
    }

    /// The nodes from `len` on, without their values.
    pub fn since(&self, len: usize) -> Vec<(DepsId, How)> {
        self.all[len..].iter().map(|node| (node.deps, node.how.clone())).collect()
    }

    /// Forgets the nodes from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }

    pub fn value(&self, node: NodeId) -> Option<u64> {
        self.all[node.index()].value
    }

    pub fn deps(&self, node: NodeId) -> DepsId {
        self.all[node.index()].deps
    }

    /// How the value of a node is found.
    pub fn how(&self, node: NodeId) -> &How {
        &self.all[node.index()].how
    }

    /// The word of an operand, once it is known.
    pub fn word(&self, operand: Operand) -> Option<u64> {
        match operand {
            Operand::Known(word) => Some(word),
            Operand::Node(node) => self.value(node),
        }
    }

    /// Adds bytes to a word that is gathered: where they were gathered themselves, from where they come, so that each
    /// is known as soon as that is.
    pub fn gather(&self, part: Part, into: &mut Gathered) {
        let placed = |word: u64| ((word >> (8 * part.from)) & part.kept()) << (8 * part.to);
        let node = &self.all[part.node.index()];
        match (node.value, &node.how) {
            (Some(value), _) => into.rest |= placed(value),
            (None, How::Gather { rest, parts }) => {
                into.rest |= placed(*rest);
                for inner in parts {
                    let start = inner.to.max(part.from);
                    let end = (inner.to + inner.bytes).min(part.from + part.bytes);
                    if start < end {
                        let (from, to) = (inner.from + (start - inner.to), part.to + (start - part.from));
                        self.gather(Part { node: inner.node, from, to, bytes: end - start }, into);
                    }
                }
            }
            (None, _) => into.parts.push(part),
        }
    }

    /// Bytes of a word, moved.
    pub fn gathered(&self, word: Operand, [from, to, bytes]: [u8; 3]) -> Gathered {
        let mut all = Gathered::default();
        match word {
            Operand::Known(word) => all.rest = ((word >> (8 * from)) & low(bytes)) << (8 * to),
            Operand::Node(node) => self.gather(Part { node, from, to, bytes }, &mut all),
        }
        all
    }

    /// The bytes of a word that are ones in a mask, where they are.
    pub fn gathered_bytes(&self, word: Operand, mask: u64) -> Gathered {
        let mask = mask.to_le_bytes();
        let one = |n: u8| self.gathered(word, [n, n, 1]);
        let mut all = Gathered::default();
        for bytes in (0..8).filter(|n| mask[*n as usize] != 0).map(one) {
            all.rest |= bytes.rest;
            all.parts.extend(bytes.parts);
        }
        all
    }

    /// A word that is gathered, which depends on these events.
    pub fn add_gathered(&mut self, deps: DepsId, Gathered { rest, parts }: Gathered) -> Operand {
        if parts.is_empty() { Operand::Known(rest) } else { Operand::Node(self.add(deps, How::Gather { rest, parts })) }
    }

    fn set(&mut self, node: NodeId, value: u64) {
        self.all[node.index()].value = Some(value);
        self.known.push(node);
    }

    /// Gives the node of an event its answer, and computes all that follows from it. Tells what went wrong, if anything
    /// did: the first in program order.
    pub fn answer(&mut self, node: NodeId, value: u64, program: &Program) -> Option<Wrong> {
        self.set(node, value);
        let mut wrong = None;
        for next in node.index() + 1..self.all.len() {
            if self.all[next].value.is_some() {
                continue;
            }
            match self.compute(NodeId(next as u32), program) {
                Some(Ok(value)) => self.set(NodeId(next as u32), value),
                // It never gets a value: nothing that needs it comes about.
                Some(Err(why)) => wrong = wrong.or(Some(why)),
                None => {}
            }
        }
        wrong
    }

    fn compute(&self, node: NodeId, program: &Program) -> Option<Result<u64, Wrong>> {
        let pair = |[low, high]: [Operand; 2]| Some(self.word(low)? as u128 | (self.word(high)? as u128) << 64);
        match &self.all[node.index()].how {
            How::Answer => None,
            How::Rmw { rmw, size, old, operand, upper } => {
                let rmw = Rmw { operand: pair(*operand)?, ..*rmw };
                let new = rmw.apply(pair(*old)?, *size).expect("only what always writes is computed late");
                Some(Ok(if *upper { (new >> 64) as u64 } else { new as u64 }))
            }
            How::Same { one, other } => Some(Ok((pair(*one)? == pair(*other)?) as u64)),
            How::Gather { rest, parts } => {
                let mut word = *rest;
                for part in parts {
                    word |= ((self.value(part.node)? >> (8 * part.from)) & part.kept()) << (8 * part.to);
                }
                Some(Ok(word))
            }
            How::Instruction { function, at, uses, takes } => {
                let mut few = Few::default();
                for &(reg, operand) in uses {
                    few.set(reg, self.word(operand)?);
                }
                let code = &program.functions[function.index()];
                Some(match apply(&code.code[*at as usize], code, &mut few) {
                    Flow::Fault(kind) => Err(Wrong { node, kind, function: *function, at: *at }),
                    _ => Ok(takes.map_or(0, |reg| few.get(reg))),
                })
            }
        }
    }
}

/// The few registers that one instruction touches.
#[derive(Default)]
struct Few(SmallVec<[(Reg, u64); 6]>);

impl Registers for Few {
    fn get(&self, reg: Reg) -> u64 {
        self.0.iter().rev().find(|(known, _)| *known == reg).map_or(0, |(_, word)| *word)
    }

    fn set(&mut self, reg: Reg, value: u64) {
        self.0.push((reg, value));
    }
}
