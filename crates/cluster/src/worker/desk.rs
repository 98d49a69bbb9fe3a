//! Where a worker gets units from, and hands in what it has done.

use super::{Worker, said};
use crate::job::JobId;
use crate::message::{Answer, UNIT, Unit};
use crate::wire::{open, pack, unpack};
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use raddle_check::{Desk, Done, Task};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How long one waits for a unit before one asks again.
const WAIT: Duration = Duration::from_secs(5);
/// How long one waits after the server did not answer.
const PAUSE: Duration = Duration::from_millis(500);
/// How often one who waits looks whether there are jobs whose units do not come.
const LOOKED_EVERY: Duration = Duration::from_secs(60);
/// How long a unit that one does not work on is kept from coming again.
const LATER: Duration = Duration::from_secs(3);
/// What others want is given after this time at the earliest.
const EARLIEST: Duration = Duration::from_millis(500);
/// A unit that has come more often than this is looked at: if it was begun so many times since, and never finished,
/// it ends those who begin it.
const OFTEN: i64 = 5;
const MOST_TIMES: u32 = 25;
/// Unpacking and waiting may take this long at most, in milliseconds, whatever a unit says.
const LONGEST: u32 = 600_000;
/// The most parts that are given away at once.
const MOST_PARTS: u64 = 32;

/// A unit that was taken, and is kept by telling the server that it is at work.
pub struct Errand {
    pub unit: Unit,
    message: Message,
    beating: JoinHandle<()>,
    began: Instant,
    /// Whether this process stood still for so long that the unit may have been given to another.
    stood_still: Arc<AtomicBool>,
}

impl Drop for Errand {
    fn drop(&mut self) {
        self.beating.abort();
    }
}

impl Errand {
    fn new(worker: &Worker, message: Message, unit: Unit) -> Errand {
        let (context, reply) = (worker.cluster.context.clone(), message.reply.clone());
        let every = worker.cluster.server.lost_after / 4;
        let stood_still = Arc::new(AtomicBool::new(false));
        let stands = stood_still.clone();
        let beating = worker.handle.spawn(async move {
            let acker = Acker::new(context, reply);
            loop {
                let slept = Instant::now();
                tokio::time::sleep(every).await;
                stands.fetch_or(slept.elapsed() > 2 * every, Ordering::Relaxed);
                let _unheard = acker.ack_with(AckKind::Progress).await;
            }
        });
        Errand { unit, message, beating, began: Instant::now(), stood_still }
    }

    /// Leaves the unit to others, after a while. Whoever coordinates the job is told.
    pub async fn give_back(self, worker: &Worker<'_>, why: &str, is_new: bool) {
        if is_new {
            let subject = worker.cluster.server.notes_of(self.unit.job);
            let _unheard = worker.cluster.client.publish(subject, why.to_string().into()).await;
        }
        let _unheard = self.message.ack_with(AckKind::Nak(Some(LATER))).await;
    }

    /// Nobody wants the unit any more.
    pub async fn throw_away(self) {
        let _unheard = self.message.ack_with(AckKind::Term).await;
    }

    /// Whether those who begin the unit are gone before its end. Who begins one that has often come again notes that:
    /// it may have come again since others refused it.
    async fn is_deadly(&self, worker: &Worker<'_>) -> bool {
        if self.message.info().is_ok_and(|info| info.delivered <= OFTEN) {
            return false;
        }
        let key = self.begun();
        let n = worker.cluster.jobs.get(&key).await.ok().flatten().and_then(|bytes| unpack::<u32>(&bytes).ok()).unwrap_or(0);
        let _unheard = worker.cluster.jobs.put(&key, pack(&(n + 1)).into()).await;
        n >= MOST_TIMES
    }

    /// Where it is noted how often the unit was begun.
    fn begun(&self) -> String {
        let Unit { job, epoch, task, .. } = &self.unit;
        format!("begun.{job}.{epoch}.{}.{}", task.part.0, task.turn)
    }

    /// What there is to do.
    async fn task(&self, worker: &Worker<'_>) -> Result<Task, String> {
        unpack(&worker.cluster.bytes(self.unit.body.clone()).await.map_err(|why| why.0)?)
    }

    /// Hands in what was done, until the server has it.
    async fn hand_in(self, worker: &Worker<'_>, done: Done) -> bool {
        let bytes = pack(&done);
        loop {
            let body = worker.cluster.body(self.unit.job, bytes.clone()).await;
            let answered = match body {
                Ok(body) => worker.cluster.answer(self.unit.job, &Answer { epoch: self.unit.epoch, task: self.unit.task, body }).await,
                Err(why) => Err(why),
            };
            if answered.is_ok() {
                let _again = self.message.double_ack().await;
                if self.message.info().is_ok_and(|info| info.delivered > OFTEN) {
                    let _gone = worker.cluster.jobs.purge(self.begun()).await;
                }
                return true;
            }
            if worker.work.leaves.load(Ordering::Relaxed) || worker.posting.is_stopped.load(Ordering::Relaxed) {
                return false;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// The next unit of any job; nothing when one is to leave.
pub async fn take(worker: &Worker<'_>) -> Option<Errand> {
    let mut looked: Option<Instant> = None;
    loop {
        if worker.work.leaves.load(Ordering::Relaxed) {
            return None;
        }
        match next(worker).await {
            Ok(Some(errand)) => return Some(errand),
            Ok(None) if looked.is_none_or(|looked| looked.elapsed() >= LOOKED_EVERY) => {
                looked = Some(Instant::now());
                worker.say_others().await;
            }
            Ok(None) => {}
            Err(_) => {
                worker.set_queue(None);
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn next(worker: &Worker<'_>) -> Result<Option<Errand>, String> {
    let consumer = worker.queue().await?;
    let mut messages = consumer.batch().max_messages(1).expires(WAIT).messages().await.map_err(|why| why.to_string())?;
    let began = Instant::now();
    let message = loop {
        match tokio::time::timeout(PAUSE, messages.next()).await {
            Ok(message) => break message,
            // A server that has begun anew knows nothing of those who wait.
            Err(_) if began.elapsed() > WAIT + PAUSE => return Ok(None),
            Err(_) if worker.work.leaves.load(Ordering::Relaxed) => return Ok(None),
            Err(_) => {}
        }
    };
    let Some(message) = message else { return Ok(None) };
    let message = message.map_err(|why| why.to_string())?;
    let unit = match open::<Unit>(UNIT, &message.payload, &worker.work.trusted) {
        Ok(unit) => unit,
        Err(why) => {
            refuse(worker, &message, &said(why)).await;
            return Ok(None);
        }
    };
    if worker.cluster.server.units_of(unit.job) != message.subject.as_str() {
        refuse(worker, &message, "it is not where its job is").await;
        return Ok(None);
    }
    Ok(Some(Errand::new(worker, message, unit)))
}

/// Leaves what is no unit for this worker to others.
async fn refuse(worker: &Worker<'_>, message: &Message, why: &str) {
    let job = message.subject.rsplit('.').next().and_then(|word| word.parse::<JobId>().ok());
    if let Some(job) = job {
        let what = format!("job {job} is not worked on: {why}");
        if worker.say_once(job, &what) {
            let _unheard = worker.cluster.client.publish(worker.cluster.server.notes_of(job), what.into()).await;
        }
    }
    let _unheard = message.ack_with(AckKind::Nak(Some(LATER))).await;
}

/// Units of one job, one after another.
pub struct WorkerDesk<'d, 'w> {
    worker: &'d Worker<'w>,
    at: (JobId, u32),
    next: Option<Errand>,
    now: Option<Errand>,
    calls: u64,
    draws: u64,
    /// Whether what is at work is to be divided, since others have nothing to do.
    is_wanted: bool,
    /// Whether there was hardly any memory left: the machine's has to go.
    is_full: bool,
}

impl<'d, 'w> WorkerDesk<'d, 'w> {
    pub fn new(worker: &'d Worker<'w>, first: Errand) -> WorkerDesk<'d, 'w> {
        let at = (first.unit.job, first.unit.epoch);
        let draws = RandomState::new().hash_one(at);
        WorkerDesk { worker, at, next: Some(first), now: None, calls: worker.posting.n_calls(), draws, is_wanted: false, is_full: false }
    }

    /// Nothing more is done here. Gives the unit of another job that came, if one did.
    pub fn leave(mut self) -> Option<Errand> {
        let is_stopped = self.worker.posting.is_stopped.load(Ordering::Relaxed);
        if let Some(errand) = self.now.take().filter(|_| is_stopped) {
            self.worker.handle.block_on(errand.throw_away());
        }
        self.next
    }

    /// Whether it is this one's turn to give something away, when somebody calls: as many should as wait, or a few
    /// more.
    fn draws(&mut self, share: u64) -> bool {
        self.draws = self.draws.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.draws >> 33) % 1000 < share + share / 2
    }
}

impl Desk for WorkerDesk<'_, '_> {
    fn next(&mut self) -> Option<Task> {
        let Worker { handle, work, .. } = self.worker;
        loop {
            if self.is_full || work.leaves.load(Ordering::Relaxed) {
                return None;
            }
            let errand = match self.next.take() {
                Some(errand) => errand,
                None => handle.block_on(take(self.worker))?,
            };
            if (errand.unit.job, errand.unit.epoch) != self.at {
                self.next = Some(errand);
                return None;
            }
            if handle.block_on(errand.is_deadly(self.worker)) {
                let what = format!("a unit of work was begun {MOST_TIMES} times, and whoever began it was gone before its end");
                handle.block_on(errand.hand_in(self.worker, Done::failed(what)));
                continue;
            }
            match handle.block_on(errand.task(self.worker)) {
                Ok(task) => {
                    self.is_wanted = false;
                    self.now = Some(errand);
                    return Some(task);
                }
                Err(why) => self.worker.refuse(errand, why),
            }
        }
    }

    fn is_due(&mut self) -> bool {
        let (Worker { work, posting, .. }, Some(errand)) = (self.worker, &self.now) else { return true };
        let elapsed = errand.began.elapsed();
        if work.out_of_memory.load(Ordering::Relaxed) {
            self.is_full = true;
            return true;
        }
        if work.leaves.load(Ordering::Relaxed) || elapsed >= Duration::from_millis(errand.unit.longest.min(LONGEST) as u64) {
            return true;
        }
        let calls = posting.n_calls();
        if calls == self.calls || elapsed < EARLIEST {
            return false;
        }
        self.calls = calls;
        self.is_wanted = self.draws(posting.share());
        self.is_wanted
    }

    fn n_wanted(&self) -> usize {
        if self.is_wanted { (1 + self.worker.posting.share().div_ceil(1000)).min(MOST_PARTS) as usize } else { 0 }
    }

    fn hand_in(&mut self, done: Done) -> bool {
        let Some(errand) = self.now.take() else { return false };
        // Who stands still does not know how long a thread has run on.
        if done.counted.is_endless() && errand.stood_still.load(Ordering::Relaxed) {
            self.worker.handle.block_on(errand.give_back(self.worker, "", false));
            return false;
        }
        self.worker.handle.block_on(errand.hand_in(self.worker, done))
    }
}
