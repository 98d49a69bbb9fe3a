//! Units that are to be handed out: they stay here until the server has them.

use crate::job::Head;
use crate::key::SecretKey;
use crate::ledger::TaskId;
use crate::message::{UNIT, Unit};
use crate::server::{Cluster, Failure};
use crate::wire::{pack, seal};
use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use futures_util::future::join_all;
use raddle_check::Task;
use std::collections::BTreeMap;
use std::time::Duration;

/// How many are under way at once.
const MOST: usize = 256;

/// Units that are to be handed out.
#[derive(Default)]
pub struct Outbox(BTreeMap<TaskId, Task>);

impl Outbox {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn extend(&mut self, tasks: Vec<(TaskId, Task)>) {
        self.0.extend(tasks);
    }

    /// Those that are not at work any more need not be handed out.
    pub fn keep(&mut self, is_at_work: impl Fn(TaskId) -> bool) {
        self.0.retain(|&task, _| is_at_work(task));
    }

    /// Hands them out, as far as the server takes them.
    pub async fn send(&mut self, cluster: &Cluster, head: &Head, longest: Duration, key: Option<&SecretKey>) {
        while !self.0.is_empty() {
            let some = self.0.iter().take(MOST);
            let sent = some.map(async |(&id, task)| send(cluster, head, (id, task, longest), key).await.map(|()| id));
            let sent = join_all(sent).await;
            let n_lost = sent.iter().filter(|sent| sent.is_err()).count();
            sent.into_iter().flatten().for_each(|id| drop(self.0.remove(&id)));
            if n_lost > 0 {
                return;
            }
        }
    }
}

async fn send(
    cluster: &Cluster,
    head: &Head,
    (task, what, longest): (TaskId, &Task, Duration),
    key: Option<&SecretKey>,
) -> Result<(), Failure> {
    let lost = |why: &dyn std::fmt::Display| Failure::of("a unit", why);
    let &Head { job, epoch, .. } = head;
    let body = cluster.body(job, pack(what)).await?;
    let unit = Unit { job, epoch, task, longest: longest.as_millis() as u32, body };
    let mut headers = HeaderMap::new();
    headers.insert(NATS_MESSAGE_ID, format!("{job}.{epoch}.{}.{}", task.part.0, task.turn).as_str());
    let (subject, bytes) = (cluster.server.units_of(job), seal(UNIT, &unit, key));
    let kept = cluster.context.publish_with_headers(subject, headers, bytes.into()).await.map_err(|why| lost(&why))?;
    kept.await.map(drop).map_err(|why| lost(&why))
}
