//! A worker: takes units of whichever job there are, explores, and hands in what it has done.
//!
//! It executes nothing that it receives: programs are interpreted, as everywhere in Raddle. A unit that it cannot use
//! is refused with a sentence, and left to others.

mod desk;
mod listener;

use crate::coordinator::runtime;
use crate::job::{Head, JobId};
use crate::key::PublicKey;
use crate::message::JOB;
use crate::objects::unpack_program;
use crate::server::{Cluster, Failure, Server};
use crate::wire::{Refused, open, unpack};
use async_nats::jetstream::consumer::{Consumer, pull};
use desk::{Errand, WorkerDesk};
use listener::{Listener, Posting};
use raddle_check::{Options, Plan, Start, guarded, help};
use raddle_program::Program;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use tokio::runtime::Handle;

/// How much room the stack of a worker has.
const STACK: usize = 256 << 20;

/// How one works for a cluster.
pub struct Work<'w> {
    /// How many units are explored side by side.
    pub jobs: usize,
    /// Whose jobs are worked on, where not everybody's are.
    pub trusted: Vec<PublicKey>,
    /// Set when one is to leave: what is at work is put down first.
    pub leaves: &'w AtomicBool,
    /// Set while there is hardly any memory left.
    pub out_of_memory: &'w AtomicBool,
    /// Gives memory that is not in use back to the machine.
    pub give_back: fn(),
    /// What there is to say to a person.
    pub say: &'w (dyn Fn(&str) + Sync),
}

/// Works until one is to leave.
pub fn work(server: &Server, work: &Work) -> Result<(), Failure> {
    let runtime = runtime()?;
    let cluster = runtime.block_on(server.connect())?;
    runtime.block_on(cluster.workers())?;
    (work.say)(&format!("working for {} with {} at once; version {}", server.names(), work.jobs, server.version));
    let postings: Vec<Posting> = (0..work.jobs).map(|_| Posting::default()).collect();
    let refused = Refusals::default();
    runtime.block_on(Listener::start(&cluster, &postings))?;
    std::thread::scope(|scope| {
        let spawn = |posting| {
            let worker = Worker {
                handle: runtime.handle().clone(),
                cluster: cluster.clone(),
                work,
                posting,
                refused: &refused,
                queue: Mutex::default(),
            };
            Builder::new().stack_size(STACK).spawn_scoped(scope, move || worker.run())
        };
        let workers: Vec<_> = postings.iter().map(spawn).collect();
        match workers.iter().all(|worker| worker.is_err()) {
            true => Err(Failure("no thread can be started".into())),
            false => Ok(()),
        }
    })
}

/// What was said of jobs that are not worked on: it is said once.
#[derive(Default)]
struct Refusals(Mutex<BTreeMap<JobId, String>>);

/// One of the workers of a process.
struct Worker<'w> {
    handle: Handle,
    cluster: Cluster,
    work: &'w Work<'w>,
    posting: &'w Posting,
    refused: &'w Refusals,
    queue: Mutex<Option<Consumer<pull::Config>>>,
}

/// All that is needed to work on a job.
struct Assignment {
    program: Arc<Program>,
    plan: Plan,
    options: Options<'static>,
    start: Start,
}

impl Worker<'_> {
    fn run(&self) {
        let mut errand = None;
        let mut known: Option<(Head, Arc<Program>)> = None;
        loop {
            let Some(next) = errand.take().or_else(|| self.handle.block_on(desk::take(self))) else { return };
            let assignment = self.handle.block_on(self.assignment(&next, &mut known));
            let Assignment { program, plan, options, start } = match assignment {
                Ok(assignment) => assignment,
                Err(Unused::Over) => {
                    self.handle.block_on(next.throw_away());
                    continue;
                }
                Err(Unused::Refused(why)) => {
                    self.refuse(next, why);
                    continue;
                }
            };
            self.posting.begin(next.unit.job, next.unit.epoch);
            let options = Options { interrupted: Some(&self.posting.is_stopped), ..options };
            let mut desk = WorkerDesk::new(self, next);
            if let Err(what) = guarded(|| help(&program, plan, &options, &start, &mut desk)) {
                (self.work.say)(&format!("internal error: {what}"));
            }
            errand = desk.leave();
            (self.work.give_back)();
        }
    }

    /// What there is to know of the job of a unit.
    async fn assignment(&self, errand: &Errand, known: &mut Option<(Head, Arc<Program>)>) -> Result<Assignment, Unused> {
        let (cluster, job) = (&self.cluster, errand.unit.job);
        let bytes = cluster.jobs.get(format!("head.{job}")).await.map_err(|why| why.to_string())?;
        let head: Head = open(JOB, &bytes.ok_or(Unused::Over)?, &self.work.trusted).map_err(said)?;
        if head.job != job || head.version != cluster.server.version {
            return Err(other_version(&head, &cluster.server.version).into());
        }
        if head.epoch > errand.unit.epoch {
            return Err(Unused::Over);
        }
        if head.epoch < errand.unit.epoch {
            return Err("its beginning is not known here yet".to_string().into());
        }
        let plan = head.asked.plan()?;
        let start = head.start.ok_or_else(|| "it is not divided".to_string())?;
        let start = unpack(&cluster.object(start).await.map_err(|why| why.0)?)?;
        let program = match known.take() {
            Some((other, program)) if other.program == head.program => program,
            _ => Arc::new(unpack_program(&cluster.object(head.program).await.map_err(|why| why.0)?)?),
        };
        let options = head.asked.options();
        *known = Some((head, program.clone()));
        Ok(Assignment { program, plan, options, start })
    }

    /// The queue of units.
    async fn queue(&self) -> Result<Consumer<pull::Config>, String> {
        let known = self.queue.lock().ok().and_then(|queue| queue.clone());
        match known {
            Some(queue) => Ok(queue),
            None => {
                let queue = self.cluster.workers().await.map_err(|why| why.0)?;
                self.set_queue(Some(queue.clone()));
                Ok(queue)
            }
        }
    }

    fn set_queue(&self, queue: Option<Consumer<pull::Config>>) {
        if let Ok(mut known) = self.queue.lock() {
            *known = queue;
        }
    }

    /// Says something of a job, once. Tells whether it was not said before.
    fn say_once(&self, job: JobId, what: &str) -> bool {
        let is_new = self.refused.0.lock().is_ok_and(|mut said| said.insert(job, what.into()).as_deref() != Some(what));
        if is_new {
            (self.work.say)(what);
        }
        is_new
    }

    /// Says of which jobs the units do not come here, since they are of another version.
    async fn say_others(&self) {
        for head in self.cluster.heads().await.unwrap_or_default() {
            let mine = &self.cluster.server.version;
            if head.version != *mine {
                self.say_once(head.job, &format!("job {} is not worked on: {}", head.job, other_version(&head, mine)));
            }
        }
    }

    /// Leaves a unit to others, and says why, once for each job.
    fn refuse(&self, errand: Errand, why: String) {
        let what = format!("job {} is not worked on: {why}", errand.unit.job);
        let is_new = self.say_once(errand.unit.job, &what);
        self.handle.block_on(errand.give_back(self, &what, is_new));
    }
}

/// Why a unit is not worked on.
enum Unused {
    /// Nobody wants it any more.
    Over,
    /// Not here.
    Refused(String),
}

impl From<String> for Unused {
    fn from(why: String) -> Unused {
        Unused::Refused(why)
    }
}

/// A job is of another version, in words.
fn other_version(head: &Head, mine: &str) -> String {
    format!("it was begun by Raddle {}, and this is {mine}: they explore in different ways", head.version)
}

/// Why something is refused, in words.
fn said(refused: Refused) -> String {
    match refused {
        Refused::NotTrusted => "it is signed by no key that is trusted here (--trust)".into(),
        Refused::Malformed(why) => why,
    }
}
