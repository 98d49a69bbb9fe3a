//! Who has a check explored by a cluster: keeps the job on the server, hands out units, enters answers.
//!
//! All that comes is in one stream, and what follows from it is in one order: the state is what comes of entering the
//! answers one after another. So whoever has an older state and the answers since then has the newest one, and a
//! coordinator may end at any moment. Units that may not have been handed out are handed out again; a unit that is
//! explored twice is entered once ([`Ledger`]).

mod inbox;
mod outbox;

use crate::job::{Asked, Head, JobId};
use crate::key::SecretKey;
use crate::ledger::Ledger;
use crate::message::{Answer, Call, JOB, Progress, State};
use crate::objects::{Body, ObjectName, pack_program, unpack_program};
use crate::server::{Cluster, Failure, PATIENCE, Server, in_time};
use crate::wire::{open, pack, seal, unpack};
use inbox::Inbox;
use outbox::Outbox;
use raddle_check::{Account, Afar, Count, Divided, Done, Gone, Options, Origin, Outcome, Plan, Resumed, Shares, check_afar};
use raddle_program::Program;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::runtime::Runtime;

/// How often the state is written, where it has changed.
const WRITTEN_EVERY: Duration = Duration::from_secs(2);
/// How often the number of workers is looked at, and those who work are told of those who wait.
const LOOKED_EVERY: Duration = Duration::from_millis(500);
/// How long nobody may be there before it is said.
const LONELY: Duration = Duration::from_secs(2);
/// How many parts a worker finds in the beginning, and the most that one worker divides off at once.
const PARTS_EACH: usize = 3;
const MOST_AT_ONCE: usize = 64;
/// The shortest time after which a worker hands in what it has done, where nobody waits for work.
const SHORTEST: Duration = Duration::from_secs(2);
/// How many answers a second a coordinator gets at most, where nobody waits for work.
const ANSWERS_A_SECOND: u64 = 1000;

/// How often the server is asked to keep a new job, or for an answer, before the check is given up, and how long one
/// waits in between.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(500);

/// What there is to say to a person while a check goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coordinated {
    /// The check is a job of this name.
    Began(JobId),
    /// Nobody works; so many workers of another version do.
    Nobody {
        /// Where workers would have to come to.
        server: String,
        /// How many of other versions are there.
        others: usize,
    },
    /// Somebody works again.
    Somebody,
    /// A worker says something.
    Note(String),
    /// The server does not answer, or does again.
    Away(String),
    /// It does again.
    Back,
}

impl fmt::Display for Coordinated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coordinated::Began(job) => {
                write!(f, "this is job {job}: where this command ends before its answer, --resume {job} in place of the files goes on")
            }
            Coordinated::Nobody { server, others: 0 } => {
                write!(f, "there is no worker: start some, by raddle worker --cluster {server}")
            }
            Coordinated::Nobody { server, others } => write!(
                f,
                "there is no worker of this version, and {others} of another one, which explore in another way: start some, by raddle \
                 worker --cluster {server}"
            ),
            Coordinated::Somebody => write!(f, "there are workers now"),
            Coordinated::Note(text) => write!(f, "a worker says: {text}"),
            Coordinated::Away(why) => write!(f, "the cluster does not answer: {why}; waiting for it"),
            Coordinated::Back => write!(f, "the cluster is back"),
        }
    }
}

/// Who coordinates a check.
pub struct Coordinator<'s> {
    runtime: Runtime,
    cluster: Cluster,
    key: Option<SecretKey>,
    say: Box<dyn FnMut(Coordinated) + 's>,
    head: Option<Head>,
    /// What a new job is made of.
    made_of: Option<(Asked, String, Vec<u8>)>,
    state: Option<State>,
    /// The object that the newest written state is in, where it is too large for a message.
    state_object: Option<ObjectName>,
    failure: Option<Failure>,
    is_lonely: Option<bool>,
}

/// A job that goes on.
pub struct Taken {
    /// Its program.
    pub program: Arc<Program>,
    /// Its plan.
    pub plan: Plan,
    /// What is asked.
    pub asked: Asked,
    /// The name of the first source.
    pub file: String,
    resumed: Resumed,
}

impl<'s> Coordinator<'s> {
    /// Somebody who is connected. What there is to say is said to `say`.
    pub fn connect(server: &Server, key: Option<SecretKey>, say: impl FnMut(Coordinated) + 's) -> Result<Coordinator<'s>, Failure> {
        let runtime = runtime()?;
        let cluster = runtime.block_on(server.connect())?;
        let say = Box::new(say);
        Ok(Coordinator {
            runtime,
            cluster,
            key,
            say,
            head: None,
            made_of: None,
            state: None,
            state_object: None,
            failure: None,
            is_lonely: None,
        })
    }

    /// Checks a program; `file` is the name of its first source.
    pub fn check(
        &mut self,
        program: &Program,
        (plan, file): (Plan, &str),
        options: &Options,
        progress: &mut dyn FnMut(&Count),
    ) -> Result<Outcome, Failure> {
        self.made_of = Some((Asked::of(plan, options), file.into(), pack_program(program)?));
        let outcome = check_afar(program, plan, options, progress, (self, None));
        self.failure.take().map_or(Ok(outcome), Err)
    }

    /// A job that somebody else has begun.
    pub fn take(&mut self, job: JobId) -> Result<Taken, Failure> {
        let Coordinator { runtime, cluster, .. } = self;
        let (taken, head, (state, object)) = runtime.block_on(async {
            let key = format!("head.{job}");
            let entry = cluster.jobs.get(key).await.map_err(|why| Failure::of("the jobs", why))?;
            let entry =
                entry.ok_or_else(|| Failure(format!("the cluster has no job {job}: raddle cluster status lists those that it has")))?;
            let head: Head = open(JOB, &entry, &[]).map_err(|why| Failure(format!("the cluster: job {job} is malformed: {why:?}")))?;
            if head.version != cluster.server.version {
                let (theirs, mine) = (&head.version, &cluster.server.version);
                return Err(Failure(format!("job {job} was begun by Raddle {theirs}, and this is {mine}: they explore in different ways")));
            }
            let program = Arc::new(unpack_program(&cluster.object(head.program).await?)?);
            let origin: Origin = unpack(&cluster.object(head.origin).await?)?;
            let start = match head.start {
                Some(hash) => Some(unpack(&cluster.object(hash).await?)?),
                None => None,
            };
            let state = match cluster.jobs.get(format!("state.{job}")).await {
                Ok(Some(bytes)) => Some(unpack::<Body>(&bytes)?),
                _ => None,
            };
            let object = state.as_ref().and_then(Body::object);
            let state = match state {
                Some(body) => Some(unpack::<State>(&cluster.bytes(body).await?)?),
                None => None,
            };
            let (plan, asked, file) = (head.asked.plan()?, head.asked.clone(), head.file.clone());
            let resumed = Resumed { origin, start };
            Ok((Taken { program, plan, asked, file, resumed }, head, (state, object)))
        })?;
        self.state = state.filter(|state| state.epoch == head.epoch);
        self.state_object = object;
        self.head = Some(head);
        Ok(taken)
    }

    /// Goes on with a job.
    pub fn resume(&mut self, taken: Taken, options: &Options, progress: &mut dyn FnMut(&Count)) -> Result<Outcome, Failure> {
        let Taken { program, plan, resumed, .. } = taken;
        if let Some(head) = &self.head {
            (self.say)(Coordinated::Began(head.job));
        }
        let outcome = check_afar(&program, plan, options, progress, (self, Some(resumed)));
        self.failure.take().map_or(Ok(outcome), Err)
    }

    /// Takes the job away, in whatever way the check has ended.
    pub fn end(&mut self) {
        if let Some(head) = self.head.take() {
            self.runtime.block_on(self.cluster.end(&head));
        }
    }

    /// Nobody needs to work any more on what has begun.
    async fn stop(&self) {
        if let Some(Head { job, epoch, .. }) = self.head {
            self.cluster.call(job, Call::Stop { job, epoch }).await;
            let _gone = self.cluster.units.purge().filter(self.cluster.server.units_of(job)).await;
        }
    }

    fn begun(&mut self, origin: &Origin) -> Result<(), Failure> {
        let Some(head) = &mut self.head else { return Ok(()) };
        let (cluster, ended) = (&self.cluster, Call::Stop { job: head.job, epoch: head.epoch });
        let outdated = [Some(head.origin), head.start, self.state_object.take()];
        self.state = None;
        (head.epoch, head.start) = (head.epoch + 1, None);
        self.runtime.block_on(async {
            head.origin = cluster.keep(head.job, &pack(origin)).await?;
            cluster.put_head(head, self.key.as_ref()).await?;
            cluster.call(head.job, ended).await;
            cluster.purge(head.job).await;
            for object in outdated.into_iter().flatten() {
                cluster.forget(object).await;
            }
            Ok(())
        })
    }

    /// The job with what all begin with, once the first answer is there. The server may be busy, or start again just
    /// now.
    async fn divided(&mut self, divided: &Divided, first: &Done) -> Result<(), Failure> {
        let job = self.head.as_ref().map_or_else(JobId::draw, |head| Ok(head.job))?;
        let is_new = self.head.is_none();
        let mut n_tried = 1;
        let head = loop {
            match self.keep_job(job, divided, first).await {
                Ok(head) => break head,
                Err(why) if n_tried == TRIES => return Err(why),
                Err(why) => (self.say)(Coordinated::Away(why.0)),
            }
            n_tried += 1;
            tokio::time::sleep(PAUSE).await;
        };
        if n_tried > 1 {
            (self.say)(Coordinated::Back);
        }
        if is_new {
            (self.say)(Coordinated::Began(job));
        }
        self.head = Some(head);
        Ok(())
    }

    /// The server keeps the job and its first answer. What it is asked for twice does no harm.
    async fn keep_job(&self, job: JobId, divided: &Divided, first: &Done) -> Result<Head, Failure> {
        let cluster = &self.cluster;
        let mut head = match (&self.head, &self.made_of) {
            (Some(head), _) => head.clone(),
            (None, None) => return Err("there is nothing to check".to_string().into()),
            (None, Some((asked, file, program))) => {
                let (program, origin) = (cluster.keep(job, program).await?, cluster.keep(job, &pack(&divided.origin)).await?);
                let (version, asked, file) = (cluster.server.version.clone(), asked.clone(), file.clone());
                Head { version, job, epoch: 0, asked, file, program, origin, start: None }
            }
        };
        head.start = Some(cluster.keep(job, &pack(&divided.start)).await?);
        let answer = Answer { epoch: head.epoch, task: Ledger::FIRST, body: cluster.body(job, pack(first)).await? };
        cluster.answer(job, &answer).await?;
        cluster.put_head(&head, self.key.as_ref()).await?;
        Ok(head)
    }
}

/// What drives the connection while this process explores.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(|why| Failure(format!("no thread can be started: {why}")))
}

impl Cluster {
    async fn put_head(&self, head: &Head, key: Option<&SecretKey>) -> Result<(), Failure> {
        let put = self.jobs.put(format!("head.{}", head.job), seal(JOB, head, key).into()).await;
        put.map(drop).map_err(|why| Failure::of("the jobs", why))
    }

    /// Hands in an answer.
    pub(crate) async fn answer(&self, job: JobId, answer: &Answer) -> Result<(), Failure> {
        let lost = |why: &dyn fmt::Display| Failure::of("an answer", why);
        let kept = self.context.publish(self.server.answers_of(job), pack(answer).into()).await.map_err(|why| lost(&why))?;
        kept.await.map(drop).map_err(|why| lost(&why))
    }

    async fn call(&self, job: JobId, call: Call) {
        let _unheard = in_time(PATIENCE, "a call", async {
            let lost = |why: &dyn fmt::Display| Failure::of("a call", why);
            self.client.publish(self.server.calls_of(job), pack(&call).into()).await.map_err(|why| lost(&why))?;
            self.client.flush().await.map_err(|why| lost(&why))
        })
        .await;
    }

    /// Throws away what is in the streams of a job.
    async fn purge(&self, job: JobId) {
        let _gone = self.units.purge().filter(self.server.units_of(job)).await;
        let _gone = self.answers.purge().filter(self.server.answers_of(job)).await;
    }

    /// Takes a job away.
    pub(crate) async fn end(&self, head: &Head) {
        let job = head.job;
        self.call(job, Call::Stop { job, epoch: u32::MAX }).await;
        for kind in ["head", "state", "now"] {
            let _gone = self.jobs.purge(format!("{kind}.{job}")).await;
        }
        self.purge(job).await;
        self.forget_all(job).await;
    }
}

impl Afar for Coordinator<'_> {
    fn n_wanted(&mut self) -> usize {
        let there = self.runtime.block_on(self.cluster.crowd());
        there.map_or(0, |crowd| (crowd.n_idle * PARTS_EACH).min(MOST_AT_ONCE))
    }

    fn begins(&mut self, origin: &Origin) {
        if let Err(why) = self.begun(origin) {
            (self.say)(Coordinated::Away(why.0));
        }
    }

    fn explore(&mut self, divided: Divided, account: &mut Account) -> Gone {
        let handle = self.runtime.handle().clone();
        handle.block_on(async {
            match self.coordinate(divided, account).await {
                Ok(gone) => {
                    self.stop().await;
                    gone
                }
                Err(failure) => {
                    self.failure = Some(failure);
                    Gone::Broken
                }
            }
        })
    }
}

/// Where an exploration under way stands.
struct Desk {
    ledger: Ledger,
    inbox: Inbox,
    outbox: Outbox,
    /// The last answer before this coordinator began: until then others may have handed out what follows.
    caught_up_at: u64,
    written: (Instant, u64),
    looked: Instant,
    shown: (Instant, u64, u64),
    since: Instant,
    n_workers: u64,
}

impl Coordinator<'_> {
    async fn coordinate(&mut self, mut divided: Divided, account: &mut Account<'_, '_, '_>) -> Result<Gone, Failure> {
        if let Some(first) = divided.first.take() {
            self.divided(&divided, &first).await?;
        }
        let head = self.head.clone().ok_or_else(|| "there is no job".to_string())?;
        let (ledger, sequence) = match self.state.take() {
            Some(State { sequence, ledger, balance, .. }) => {
                account.carry_forward(balance);
                (ledger, sequence)
            }
            None => (Ledger::new(), 0),
        };
        let caught_up_at = self.cluster.last_answer(head.job).await.unwrap_or(sequence);
        let (now, n) = (Instant::now(), account.count().executions);
        self.put_progress(&head, Progress { count: account.count(), ..Progress::default() }).await;
        let inbox = Inbox::open(&self.cluster, head.job, sequence).await?;
        let mut desk = Desk {
            ledger,
            inbox,
            outbox: Outbox::default(),
            caught_up_at,
            written: (now, sequence),
            looked: now,
            shown: (now, n, 0),
            since: now,
            n_workers: 0,
        };
        loop {
            if let Some((sequence, bytes)) = desk.inbox.next(&self.cluster, &mut self.say).await {
                self.enter(&head, &mut desk, (sequence, &bytes), account).await;
            }
            if let Some(gone) = account.ends() {
                return Ok(gone);
            }
            if desk.ledger.is_done() {
                return Ok(Gone::Whole);
            }
            if desk.inbox.sequence >= desk.caught_up_at {
                let longest = SHORTEST.max(Duration::from_millis(1000 * desk.n_workers / ANSWERS_A_SECOND));
                desk.outbox.send(&self.cluster, &head, longest, self.key.as_ref()).await;
            }
            self.look(&head, &mut desk, account).await;
        }
    }

    /// Enters an answer, and takes up what follows from it.
    async fn enter(&mut self, head: &Head, desk: &mut Desk, (sequence, bytes): (u64, &[u8]), account: &mut Account<'_, '_, '_>) {
        desk.inbox.sequence = sequence;
        let Ok(Answer { epoch, task, body }) = unpack(bytes) else {
            return (self.say)(Coordinated::Note("what has come as an answer is none".into()));
        };
        if epoch != head.epoch {
            return;
        }
        let done = match self.read(&body).await.map_err(|why| why.0).and_then(|bytes| unpack::<Done>(&bytes)) {
            Ok(done) => done,
            Err(why) => Done::failed(format!("the answer of a worker cannot be read: {why}")),
        };
        desk.inbox.read.extend(body.object());
        let Done { counted, given, rest, learned } = done;
        account.learn(learned);
        let is_broken = rest == raddle_check::Rest::Broken;
        if desk.ledger.enter(task, given, rest) {
            account.enter(counted);
            if is_broken && account.ends().is_none() {
                account.fail("a part was broken off for no reason".into());
            }
            let ledger = &desk.ledger;
            desk.outbox.keep(|task| ledger.is_at_work(task));
        }
        desk.outbox.extend(desk.ledger.hand_out());
    }

    /// The bytes of an answer. The server may not give an object just now.
    async fn read(&self, body: &Body) -> Result<Vec<u8>, Failure> {
        for _ in 1..TRIES {
            if let Ok(bytes) = self.cluster.bytes(body.clone()).await {
                return Ok(bytes);
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.cluster.bytes(body.clone()).await
    }

    /// Does what is to be done now and then.
    async fn look(&mut self, head: &Head, desk: &mut Desk, account: &mut Account<'_, '_, '_>) {
        if desk.looked.elapsed() >= LOOKED_EVERY {
            desk.looked = Instant::now();
            self.look_around(head, desk).await;
            let (n_open, n_done) = desk.ledger.n_open_and_done();
            account.show(Shares { workers: desk.n_workers, open: n_open, done: n_done });
            self.tell(head, desk, account).await;
        }
        let is_new = desk.inbox.sequence > desk.written.1 && desk.outbox.is_empty();
        if is_new && desk.written.0.elapsed() >= WRITTEN_EVERY {
            let (sequence, balance) = (desk.inbox.sequence, account.balance());
            let state = State { epoch: head.epoch, sequence, ledger: desk.ledger.clone(), balance };
            if self.write(head, &state).await.is_ok() {
                desk.written = (Instant::now(), sequence);
                let purged = self.cluster.answers.purge().filter(self.cluster.server.answers_of(head.job)).sequence(sequence + 1).await;
                if purged.is_ok() {
                    for object in std::mem::take(&mut desk.inbox.read) {
                        self.cluster.forget(object).await;
                    }
                }
            }
        }
    }

    async fn write(&mut self, head: &Head, state: &State) -> Result<(), Failure> {
        let body: Body = self.cluster.body(head.job, pack(state)).await?;
        let put = self.cluster.jobs.put(format!("state.{}", head.job), pack(&body).into()).await;
        put.map_err(|why| Failure::of("the state", why))?;
        if let Some(before) = std::mem::replace(&mut self.state_object, body.object()) {
            self.cluster.forget(before).await;
        }
        Ok(())
    }

    /// Looks who is there. Those who work are told of those who wait.
    async fn look_around(&mut self, head: &Head, desk: &mut Desk) {
        let Ok(crowd) = self.cluster.crowd().await else { return };
        desk.n_workers = (crowd.n_idle + crowd.n_working) as u64;
        let n_wanting = crowd.n_idle.saturating_sub(crowd.n_ready);
        if n_wanting > 0 && crowd.n_working > 0 {
            let call = Call::Wanted { job: head.job, n_idle: n_wanting as u32, n_working: crowd.n_working as u32 };
            self.cluster.call(head.job, call).await;
        }
        let is_lonely = desk.n_workers == 0;
        if !is_lonely {
            desk.since = Instant::now();
        }
        if is_lonely && self.is_lonely != Some(true) && desk.since.elapsed() >= LONELY {
            let (server, others) = (self.cluster.server.names(), self.cluster.others().await);
            (self.say)(Coordinated::Nobody { server, others });
            self.is_lonely = Some(true);
        }
        if !is_lonely && self.is_lonely == Some(true) {
            (self.say)(Coordinated::Somebody);
            self.is_lonely = Some(false);
        }
    }

    /// Tells people how the job stands.
    async fn tell(&self, head: &Head, desk: &mut Desk, account: &Account<'_, '_, '_>) {
        let (shown, before, rate) = desk.shown;
        let (count, elapsed) = (account.count(), shown.elapsed().as_millis() as u64);
        if elapsed < 1000 {
            return;
        }
        let now = 1000 * count.executions.saturating_sub(before) / elapsed;
        let rate = if rate == 0 { now } else { (rate * 3 + now) / 4 };
        desk.shown = (Instant::now(), count.executions, rate);
        let (n_open, n_done) = desk.ledger.n_open_and_done();
        self.put_progress(head, Progress { count, n_open, n_done, rate, at: 0 }).await;
    }

    async fn put_progress(&self, head: &Head, progress: Progress) {
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let _untold = self.cluster.jobs.put(format!("now.{}", head.job), pack(&Progress { at, ..progress }).into()).await;
    }
}
