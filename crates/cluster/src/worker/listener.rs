//! What coordinators call to those who work for them.

use crate::job::JobId;
use crate::message::Call;
use crate::server::{Cluster, Failure};
use crate::wire::unpack;
use futures_util::StreamExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// What one worker works on, and what was called to it.
#[derive(Clone, Default)]
pub struct Posting(Arc<Inner>);

#[derive(Default)]
pub struct Inner {
    /// The job and its epoch.
    at: Mutex<Option<(JobId, u32)>>,
    /// Whether what is being done is not wanted any more.
    pub is_stopped: AtomicBool,
    /// How often somebody has called for work, and how many waited for each who worked the last time, in thousandths.
    calls: AtomicU64,
    share: AtomicU64,
}

impl std::ops::Deref for Posting {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Inner {
    /// Work on a job begins.
    pub fn begin(&self, job: JobId, epoch: u32) {
        if let Ok(mut at) = self.at.lock() {
            *at = Some((job, epoch));
            self.is_stopped.store(false, Ordering::Relaxed);
        }
    }

    /// How often somebody has called for work.
    pub fn n_calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// How many wait for each who works, in thousandths, as far as is known.
    pub fn share(&self) -> u64 {
        self.share.load(Ordering::Relaxed)
    }

    fn hear(&self, call: Call) {
        let Ok(at) = self.at.lock() else { return };
        match (call, *at) {
            (Call::Stop { job, epoch }, Some((mine, my_epoch))) if job == mine && my_epoch <= epoch => {
                self.is_stopped.store(true, Ordering::Relaxed);
            }
            (Call::Wanted { job, n_idle, n_working }, Some((mine, _))) if job == mine => {
                self.share.store(1000 * n_idle as u64 / n_working.max(1) as u64, Ordering::Relaxed);
                self.calls.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

/// Who listens for all workers of a process.
pub struct Listener;

impl Listener {
    /// Listens for as long as the connection is there.
    pub async fn start(cluster: &Cluster, postings: &[Posting]) -> Result<(), Failure> {
        let mut calls = cluster.client.subscribe(cluster.server.calls()).await.map_err(|why| Failure::of("calls", why))?;
        let postings = postings.to_vec();
        tokio::spawn(async move {
            while let Some(message) = calls.next().await {
                if let Ok(call) = unpack::<Call>(&message.payload) {
                    postings.iter().for_each(|posting| posting.hear(call));
                }
            }
        });
        Ok(())
    }
}
