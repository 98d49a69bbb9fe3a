//! What there is in a cluster: jobs, and who works.

use crate::coordinator::runtime;
use crate::job::{Head, JobId};
use crate::message::{JOB, Progress};
use crate::server::{Cluster, Failure, PATIENCE, Server, in_time};
use crate::wire::{open, unpack};
use async_nats::jetstream::consumer::Info;
use futures_util::TryStreamExt;
use raddle_check::Count;
use std::time::SystemTime;

/// After so many seconds without a word of its coordinator a job has none.
const ABANDONED: u64 = 10;

/// What there is in a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The jobs, by name.
    pub jobs: Vec<JobStatus>,
    /// How many workers of each version there are, those who wait for work and those who have some; and how many units
    /// wait for a worker.
    pub workers: Vec<(String, usize, usize, usize)>,
}

/// How a job stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStatus {
    /// Its name.
    pub job: JobId,
    /// The name of the first source.
    pub file: String,
    /// The version of Raddle that began it.
    pub version: String,
    /// What was counted.
    pub count: Count,
    /// Executions a second.
    pub rate: u64,
    /// How many parts are not over.
    pub n_open: u64,
    /// How many parts are over.
    pub n_done: u64,
    /// Whether nobody coordinates it any more.
    pub is_abandoned: bool,
}

/// Who is there: workers who wait for units, units that are at work, and units that wait for workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crowd {
    pub n_idle: usize,
    pub n_working: usize,
    pub n_ready: usize,
}

impl Crowd {
    fn of(info: &Info) -> Crowd {
        Crowd { n_idle: info.num_waiting, n_working: info.num_ack_pending, n_ready: info.num_pending as usize }
    }
}

impl Cluster {
    /// Who is there of this version.
    pub(crate) async fn crowd(&self) -> Result<Crowd, Failure> {
        let mut workers = self.workers().await?;
        workers.info().await.map(Crowd::of).map_err(|why| Failure::of("the workers", why))
    }

    async fn consumers(&self) -> Result<Vec<Info>, Failure> {
        let all = self.units.consumers().try_collect();
        in_time(PATIENCE, "the workers", async { all.await.map_err(|why| Failure::of("the workers", why)) }).await
    }

    /// How many workers there are of other versions.
    pub(crate) async fn others(&self) -> usize {
        let mine = format!("workers-{}", self.server.version_word());
        let all = self.consumers().await.unwrap_or_default();
        all.iter().filter(|info| info.name != mine).map(Crowd::of).map(|crowd| crowd.n_idle + crowd.n_working).sum()
    }

    /// All jobs.
    pub(crate) async fn heads(&self) -> Result<Vec<Head>, Failure> {
        let keys = in_time(PATIENCE, "the jobs", async {
            let keys = self.jobs.keys().await.map_err(|why| Failure::of("the jobs", why))?;
            keys.try_collect::<Vec<String>>().await.map_err(|why| Failure::of("the jobs", why))
        });
        let keys = keys.await?;
        let mut heads = Vec::new();
        for key in keys.iter().filter(|key| key.starts_with("head.")) {
            if let Ok(Some(bytes)) = self.jobs.get(key).await
                && let Ok(head) = open::<Head>(JOB, &bytes, &[])
            {
                heads.push(head);
            }
        }
        heads.sort_by_key(|head| head.job);
        Ok(heads)
    }

    /// The last answer of a job, by its number in the stream.
    pub(crate) async fn last_answer(&self, job: JobId) -> Option<u64> {
        self.answers.get_last_raw_message_by_subject(&self.server.answers_of(job)).await.ok().map(|message| message.sequence)
    }
}

/// Looks at a cluster.
pub fn status(server: &Server) -> Result<Status, Failure> {
    runtime()?.block_on(async {
        let cluster = server.connect().await?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mut jobs = Vec::new();
        for Head { job, file, version, .. } in cluster.heads().await? {
            let progress = cluster.jobs.get(format!("now.{job}")).await.ok().flatten();
            let progress: Progress = progress.and_then(|bytes| unpack(&bytes).ok()).unwrap_or_default();
            let Progress { count, n_open, n_done, rate, at } = progress;
            jobs.push(JobStatus { job, file, version, count, rate, n_open, n_done, is_abandoned: now.saturating_sub(at) > ABANDONED });
        }
        let workers = cluster.consumers().await?.into_iter().map(|info| {
            let Crowd { n_idle, n_working, n_ready } = Crowd::of(&info);
            (info.name.trim_start_matches("workers-").to_string(), n_idle, n_working, n_ready)
        });
        Ok(Status { jobs, workers: workers.collect() })
    })
}

/// Takes a job away that nobody coordinates any more.
pub fn end_job(server: &Server, job: JobId) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let cluster = server.connect().await?;
        let head = cluster.heads().await?.into_iter().find(|head| head.job == job);
        let head = head.ok_or_else(|| Failure(format!("the cluster has no job {job}")))?;
        cluster.end(&head).await;
        Ok(())
    })
}
