//! Blocks that are one step for all other threads (`__VERIFIER_atomic_begin` and `_end`): what each of them may touch.
//!
//! An explorer must know what a block depends on before it runs, and that must not change with what the block finds. So
//! each block, known by its thread and the call that begins it, is taken to touch whatever it was seen to touch in any
//! execution. When it touches more, the exploration starts over (as for objects that turn out to be shared, see
//! [`crate::sharing`]).

use crate::library::Library;
use crate::limits::{AtomicBlocks, Limits};
use crate::machine::Machine;
use crate::sharing::{BlockKey, InBlock, Sites};
use crate::thread::Kept;
use raddle_event::{Action, AddressMap, LocationId, Locations, Range, ThreadId, Touched};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What blocks may touch, in one exploration.
pub(crate) struct Blocks {
    /// The word that a thread holds while it is in a block.
    pub word: Option<LocationId>,
    known: FxHashMap<BlockKey, Arc<Touched>>,
    /// What a block may touch that nothing is known of.
    unknown: Arc<Touched>,
}

impl Blocks {
    /// What was seen of them so far.
    pub fn new(library: &Library, limits: &Limits, sites: &Sites, map: &mut AddressMap, locations: &mut Locations) -> Blocks {
        let word = library.block.map(|start| locations.number(Range { start, size: 8 }));
        let is_ordered = limits.blocks == AtomicBlocks::Ordered;
        let unknown = Touched { reads: Vec::new(), writes: word.filter(|_| is_ordered).into_iter().collect() };
        let mut known = FxHashMap::default();
        for (&key, accesses) in sites.blocks() {
            let mut block = unknown.clone();
            for access in accesses {
                let Some(at) = location(access, map, locations) else { continue };
                if access.writes { block.writes.push(at) } else { block.reads.push(at) }
            }
            known.insert(key, Arc::new(block));
        }
        Blocks { word, known, unknown: Arc::new(unknown) }
    }
}

/// The location of an access.
fn location(access: &InBlock, map: &mut AddressMap, locations: &mut Locations) -> Option<LocationId> {
    let smallest = if access.is_large { AddressMap::MAX_OBJECT } else { 1 };
    let mut start = map.address(access.region, access.number, smallest)?;
    start.0 += access.offset;
    Some(locations.number(Range { start, size: access.size }))
}

/// The call that a kept state is at.
fn key(thread: ThreadId, kept: &Kept) -> Option<BlockKey> {
    kept.frames.as_ref().map(|top| (thread, top.frame.function, top.frame.at))
}

impl Machine<'_> {
    /// The block that a thread is about to begin: its name, and what it may touch.
    pub fn block_ahead(&self, thread: ThreadId) -> Option<(BlockKey, Arc<Touched>)> {
        let word = self.world.block_word()?;
        match self.action(thread) {
            Some(Action::Rmw { at, rmw, .. }) if *at == word && rmw.guard.is_some() => {
                let key = key(thread, self.kept(thread))?;
                Some((key, self.world.blocks.known.get(&key).unwrap_or(&self.world.blocks.unknown).clone()))
            }
            _ => None,
        }
    }

    /// Whether a location is the word that a thread holds while it is in a block.
    #[inline]
    pub fn is_block_word(&self, at: LocationId) -> bool {
        self.world.block_word() == Some(at)
    }

    /// A block has made an access that it was not known to make.
    pub fn learn_in_block(&mut self, key: BlockKey, at: LocationId, writes: bool) {
        let Range { start, size } = self.world.locations.range(at);
        if let (Some((region, number, offset)), Some(block)) = (self.world.map.find(start), self.world.map.block(start)) {
            let access = InBlock { region, number, is_large: block.is_large(), offset, size, writes };
            self.world.sites.learn_in_block(key, access);
        }
    }
}
