//! Threads that do not seem to end.
//!
//! A thread that makes very many turns without a visible action may be waiting for another one to change what it holds as private: a queue lock whose nodes lie
//! on the stacks of the threads does. So it is watched for some more turns, and what it looks at is shared after all (see [`crate::Sites`]). Where that is nothing new it is
//! judged endless.

use super::{Run, Runner};
use crate::history::{Blocked, Next};
use raddle_event::Address;

/// How many turns a thread is watched.
const WATCHED_TURNS: u64 = 1000;

impl Runner<'_, '_> {
    /// The thread has made too many turns without a visible action. It is watched for some more.
    pub(super) fn watch(&mut self) -> Run<()> {
        let Some(looked_at) = self.looked_at.take() else {
            if !self.thread.store.is_published() {
                return Err(Next::Endless);
            }
            (self.looked_at, self.turns) = (Some(Vec::new()), WATCHED_TURNS);
            return Ok(());
        };
        let known = self.world.sites.len();
        for site in looked_at.into_iter().filter_map(|address| self.thread.store.site_at(&self.world.map, address)) {
            self.world.sites.share(site);
        }
        Err(if self.world.sites.len() > known { Next::Blocked(Blocked::Assume) } else { Next::Endless })
    }

    /// The thread reads private memory.
    pub(super) fn look(&mut self, address: Address) {
        if let Some(looked_at) = &mut self.looked_at {
            looked_at.push(address);
        }
    }
}
