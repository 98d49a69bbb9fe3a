//! A thread at work, and the states of it that are kept.
//!
//! Frames lie one after the other in a row of words. A kept state ([`Kept`]) shares everything that did not change:
//! frames form a list from the innermost outwards, private memory is copied page by page when it is written. So keeping
//! a state costs the innermost frame, and going back to one costs the same.

use crate::apply::Registers;
use crate::library::Notes;
use crate::output::Piece;
use crate::spin::Live;
use crate::store::Store;
use crate::symbolic::Tag;
use raddle_event::{Address, Range, Reply, ThreadId};
use raddle_program::{Function, FunctionId, LoopId, Program, Reg, Regs};
use smallvec::SmallVec;
use std::rc::Rc;

/// A call that has not returned.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FunctionId,
    /// The instruction to run next, or the call that is under way.
    pub at: u32,
    /// Where the caller wants the results.
    pub results: Regs,
    /// How many local variables there were before the call.
    pub depth: u32,
    /// Where the arguments beyond the parameters are, for a variadic function.
    pub more: Address,
    /// Where its registers begin.
    base: usize,
    /// The kept copy, while the frame has not run since it was made.
    kept: Option<Rc<KeptFrame>>,
}

impl Frame {
    /// Whether another frame is at the same point of the same call, registers aside.
    pub fn is_same(&self, other: &Frame) -> bool {
        let of = |frame: &Frame| (frame.function, frame.at, frame.results, frame.depth, frame.more);
        of(self) == of(other)
    }
}

/// Where a frame stands, and how many local variables there were before its call.
pub struct Outward {
    pub function: FunctionId,
    pub at: u32,
    pub depth: u32,
}

/// A kept frame and those below it.
#[derive(Debug)]
pub struct KeptFrame {
    pub frame: Frame,
    pub registers: Box<[u64]>,
    /// What the registers depend on; empty where nobody asks.
    pub tags: Box<[Tag]>,
    pub below: Option<Rc<KeptFrame>>,
}

impl Drop for KeptFrame {
    /// A list as long as a deep recursion must not be dropped by recursion.
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(mut frame) = below.and_then(Rc::into_inner) {
            below = frame.below.take();
        }
    }
}

/// The small parts of a thread's state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// How many threads it has spawned.
    pub spawned: u32,
    /// The frames in all, for the stack limit.
    pub frames: u32,
    /// What the library remembers for the thread.
    pub notes: Rc<Notes>,
    /// Whether it has stored something that may wait in a buffer; only where there are buffers.
    pub stored: bool,
    /// How often it has woken up for no reason, or because a time limit was over, since it last did more than a round
    /// in vain does.
    pub wakes: u32,
    /// How often it has found a lock taken that it did not wait for; only where something may end for no reason.
    pub found_taken: u32,
    /// How often it has failed to take a lock for no reason ([`crate::backoff`]).
    pub supposed: u32,
    /// How often each loop under way has gone round, with the depth of its frame; only with a loop bound.
    pub rounds: SmallVec<[(u32, LoopId, u32); 2]>,
    /// What it has reserved by its last load that reserves, until its next conditional store.
    pub reserved: Option<Range>,
}

/// A state of a thread that can be gone back to.
#[derive(Clone, Debug)]
pub struct Kept {
    pub frames: Option<Rc<KeptFrame>>,
    pub store: Rc<Store>,
    pub replies: SmallVec<[Reply; 1]>,
    pub counts: Counts,
}

/// A thread at work.
pub struct Thread {
    pub id: ThreadId,
    frames: Vec<Frame>,
    words: Vec<u64>,
    /// For each of the words what it depends on; empty where nobody asks.
    tags: Vec<Tag>,
    is_tagged: bool,
    /// The frames below the first of `frames`.
    below: Option<Rc<KeptFrame>>,
    pub store: Rc<Store>,
    /// What the instruction under way has been answered so far.
    pub replies: SmallVec<[Reply; 1]>,
    pub counts: Counts,
    /// What the thread printed since it was last taken.
    pub output: Vec<Piece>,
}

/// The registers of the innermost frame.
///
/// Invariant: they are those of a frame of the function whose instructions are run over them. The verifier has found
/// that these name only registers that exist, so they are not checked again: it is a quarter of what an instruction
/// costs (docs/performance.md).
pub struct FrameRegisters<'w>(&'w mut [u64]);

#[allow(unsafe_code, reason = "measured: the inner loop of the interpreter")]
impl Registers for FrameRegisters<'_> {
    #[inline(always)]
    fn get(&self, reg: Reg) -> u64 {
        debug_assert!(reg.index() < self.0.len());
        // SAFETY: the program was verified when the machine was made and is borrowed since (see the invariant).
        unsafe { *self.0.get_unchecked(reg.index()) }
    }
    #[inline(always)]
    fn set(&mut self, reg: Reg, value: u64) {
        debug_assert!(reg.index() < self.0.len());
        // SAFETY: as for `get`.
        unsafe { *self.0.get_unchecked_mut(reg.index()) = value }
    }
}

impl Thread {
    /// A thread that has not begun.
    pub fn new(id: ThreadId, store: Store) -> Thread {
        Thread {
            id,
            frames: Vec::new(),
            words: Vec::new(),
            tags: Vec::new(),
            is_tagged: false,
            below: None,
            store: Rc::new(store),
            replies: SmallVec::new(),
            counts: Counts::default(),
            output: Vec::new(),
        }
    }

    /// Enters a function: its arguments first, zeros, then its constants.
    pub fn push(&mut self, id: FunctionId, function: &Function, arguments: &[u64], results: Regs, more: Address) {
        let base = self.words.len();
        self.words.extend_from_slice(&arguments[..function.parameters as usize]);
        self.words.resize(base + function.registers as usize, 0);
        self.words.extend_from_slice(&function.constants);
        self.fit_tags();
        let depth = self.store.depth() as u32;
        self.frames.push(Frame { function: id, at: 0, results, depth, more, base, kept: None });
        self.counts.frames += 1;
    }

    /// Leaves the innermost function and goes on in its caller, if there is one.
    pub fn pop(&mut self, program: &Program) -> Option<&mut Frame> {
        let frame = self.frames.pop().expect("a function that returns has a frame");
        self.words.truncate(frame.base);
        self.fit_tags();
        self.counts.frames -= 1;
        if self.frames.is_empty() {
            let below = self.below.take()?;
            self.load(program, &below);
        }
        let top = self.frames.last_mut()?;
        top.kept = None;
        Some(top)
    }

    /// Says that what registers depend on is asked from now on.
    pub fn tag_registers(&mut self) {
        self.is_tagged = true;
        self.fit_tags();
    }

    fn fit_tags(&mut self) {
        if self.is_tagged {
            self.tags.resize(self.words.len(), Tag::Plain);
        }
    }

    /// What a register of the innermost frame depends on.
    #[inline]
    pub fn tag(&self, reg: Reg) -> Tag {
        let base = self.frames.last().expect("the thread runs").base;
        self.tags[base + reg.index()]
    }

    /// Says what a register of the innermost frame depends on.
    #[inline]
    pub fn set_tag(&mut self, reg: Reg, tag: Tag) {
        let base = self.frames.last().expect("the thread runs").base;
        self.tags[base + reg.index()] = tag;
    }

    fn load(&mut self, program: &Program, kept: &Rc<KeptFrame>) {
        let base = self.words.len();
        self.words.extend_from_slice(&kept.registers);
        self.words.extend_from_slice(&program.functions[kept.frame.function.index()].constants);
        if self.is_tagged {
            self.tags.extend_from_slice(&kept.tags);
            self.fit_tags();
        }
        self.frames.push(Frame { base, kept: None, ..kept.frame.clone() });
        self.below = kept.below.clone();
    }

    /// The innermost frame.
    pub fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the thread runs")
    }

    /// A register of the innermost frame.
    pub fn register(&self, reg: Reg) -> u64 {
        let base = self.frames.last().expect("the thread runs").base;
        self.words[base + reg.index()]
    }

    /// The registers of the innermost frame.
    #[inline(always)]
    pub fn registers(&mut self) -> FrameRegisters<'_> {
        let base = self.frames.last().expect("the thread runs").base;
        FrameRegisters(&mut self.words[base..])
    }

    /// The registers of the innermost frame, and the private memory beside them.
    #[inline(always)]
    pub fn split(&mut self) -> (FrameRegisters<'_>, &mut Rc<Store>) {
        let base = self.frames.last().expect("the thread runs").base;
        (FrameRegisters(&mut self.words[base..]), &mut self.store)
    }

    /// The state now, to go back to later.
    pub fn keep(&mut self, program: &Program) -> Kept {
        self.keep_registers(program, |_, registers| registers.into())
    }

    /// The same, with zeros where registers are not live: so that states are equal that lead to the same.
    pub fn keep_live(&mut self, program: &Program, live: &mut Live) -> Kept {
        self.keep_registers(program, |frame, registers| {
            let mut kept: Box<[u64]> = vec![0; registers.len()].into();
            for reg in live.before(program, frame.function, frame.at).iter() {
                kept[reg.index()] = registers[reg.index()];
            }
            kept
        })
    }

    fn keep_registers(&mut self, program: &Program, mut copy: impl FnMut(&Frame, &[u64]) -> Box<[u64]>) -> Kept {
        let mut below = self.below.clone();
        for frame in &mut self.frames {
            if frame.kept.is_none() {
                let n = program.functions[frame.function.index()].registers as usize;
                let registers = copy(frame, &self.words[frame.base..frame.base + n]);
                let tags = if self.is_tagged { self.tags[frame.base..frame.base + n].into() } else { Box::default() };
                frame.kept = Some(Rc::new(KeptFrame { frame: frame.clone(), registers, tags, below }));
            }
            below = frame.kept.clone();
        }
        Kept { frames: below, store: self.store.clone(), replies: self.replies.clone(), counts: self.counts.clone() }
    }

    /// Goes back to a state.
    pub fn restore(&mut self, program: &Program, kept: &Kept) {
        self.frames.clear();
        self.words.clear();
        self.tags.clear();
        self.below = None;
        if let Some(top) = &kept.frames {
            self.load(program, top);
        }
        self.store = kept.store.clone();
        self.replies = kept.replies.clone();
        self.counts = kept.counts.clone();
        self.output.clear();
    }

    /// The function and instruction of every frame but the innermost, from there outwards.
    pub fn callers(&self) -> Vec<(FunctionId, u32)> {
        let mut stack: Vec<(FunctionId, u32)> = self.frames.iter().rev().skip(1).map(|frame| (frame.function, frame.at)).collect();
        let mut below = self.below.as_ref();
        while let Some(kept) = below {
            stack.push((kept.frame.function, kept.frame.at));
            below = kept.below.as_ref();
        }
        stack
    }

    /// Every frame, from the innermost outwards.
    pub fn outwards(&self) -> Vec<Outward> {
        let of = |frame: &Frame| Outward { function: frame.function, at: frame.at, depth: frame.depth };
        let mut all: Vec<Outward> = self.frames.iter().rev().map(of).collect();
        let mut below = self.below.as_ref();
        while let Some(kept) = below {
            all.push(of(&kept.frame));
            below = kept.below.as_ref();
        }
        all
    }

    /// Says that the innermost frame is about to run.
    pub fn wake(&mut self) {
        if let Some(top) = self.frames.last_mut() {
            top.kept = None;
        }
    }
}

impl Kept {
    /// Whether another state stands in the same call of the same function. Loop counters, the registers of the
    /// innermost frame and private memory are to be compared besides.
    pub fn is_back(&self, other: &Kept) -> bool {
        let (Some(a), Some(b)) = (&self.frames, &other.frames) else { return false };
        let below = match (&a.below, &b.below) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        below
            && a.frame.function == b.frame.function
            && a.frame.depth == b.frame.depth
            && (self.counts.spawned, self.counts.frames) == (other.counts.spawned, other.counts.frames)
            && self.counts.notes == other.counts.notes
    }

    /// Whether another state is the same in everything but how often loops have gone round.
    pub fn is_same(&self, other: &Kept) -> bool {
        let (mut a, mut b) = (self.frames.as_ref(), other.frames.as_ref());
        while let (Some(x), Some(y)) = (a, b) {
            if Rc::ptr_eq(x, y) {
                (a, b) = (None, None);
                break;
            }
            if !x.frame.is_same(&y.frame) || x.registers != y.registers || x.tags != y.tags {
                return false;
            }
            (a, b) = (x.below.as_ref(), y.below.as_ref());
        }
        let store = || Rc::ptr_eq(&self.store, &other.store) || self.store == other.store;
        let counts = |of: &Counts| (of.spawned, of.frames, of.reserved);
        let same_counts = || counts(&self.counts) == counts(&other.counts) && self.counts.notes == other.counts.notes;
        a.is_none() && b.is_none() && same_counts() && self.replies == other.replies && store()
    }

    /// The function and instruction of every frame, innermost first.
    pub fn stack(&self) -> Vec<(FunctionId, u32)> {
        let mut stack = Vec::new();
        let mut frame = self.frames.as_ref();
        while let Some(kept) = frame {
            stack.push((kept.frame.function, kept.frame.at));
            frame = kept.below.as_ref();
        }
        stack
    }
}
