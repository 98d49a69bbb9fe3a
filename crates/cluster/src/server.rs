//! The way to a cluster: the server, who one is there, and the names of what is kept on it.

use crate::job::JobId;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, ServerAddr};
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

/// The version of Raddle and of its sources: only equal ones work together.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("RADDLE_SOURCES"));

/// How long a server may take to answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How long an object of any size may take.
pub(crate) const LONG_PATIENCE: Duration = Duration::from_secs(60);
/// How long a message is known by its name, so that it is not kept twice.
const KNOWN_FOR: Duration = Duration::from_secs(120);
/// How many workers may wait, and how many units may be at work.
const MOST_WORKERS: i64 = 100_000;

/// How to reach a cluster.
#[derive(Clone, Debug)]
pub struct Server {
    /// `nats://HOST:PORT`, `nats://USER:PASSWORD@HOST:PORT` or `tls://HOST:PORT`; several with commas between.
    pub url: String,
    /// A file with the credentials of NATS.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of those who vouch for the server.
    pub roots: Option<PathBuf>,
    /// Files with a certificate and its key, for servers that ask for them.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// What all subjects, streams and buckets begin with.
    pub prefix: String,
    /// How long a worker may say nothing before its unit is given to another. What the first one says who comes to a
    /// server holds for all.
    pub lost_after: Duration,
    /// The version; [`VERSION`] but in tests.
    pub version: String,
}

/// Why a cluster cannot be used, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl Failure {
    pub(crate) fn of(what: &str, why: impl Display) -> Failure {
        Failure(format!("the cluster: {what}: {why}"))
    }
}

impl From<String> for Failure {
    fn from(what: String) -> Failure {
        Failure(format!("the cluster: {what}"))
    }
}

/// A connection to a cluster.
#[derive(Clone)]
pub(crate) struct Cluster {
    pub server: Server,
    pub client: Client,
    pub context: Context,
    /// Heads, states and progress of jobs.
    pub jobs: Store,
    pub objects: ObjectStore,
    /// The units that wait for a worker or are at work.
    pub units: Stream,
    /// What workers have done.
    pub answers: Stream,
}

impl Server {
    /// What is on the other side of a URL, with the usual settings.
    pub fn new(url: &str) -> Server {
        Server {
            url: url.into(),
            credentials: None,
            roots: None,
            certificate: None,
            prefix: "raddle".into(),
            lost_after: Duration::from_secs(10),
            version: VERSION.into(),
        }
    }

    /// The names of servers, without who one is there.
    pub fn names(&self) -> String {
        let bare = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            _ => url.to_string(),
        };
        self.url.split(',').map(bare).collect::<Vec<_>>().join(",")
    }

    fn checked_prefix(&self) -> Result<(), Failure> {
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        match self.prefix.len() <= 64 && self.prefix.split('.').all(is_word) {
            true => Ok(()),
            false => {
                Err(Failure(format!("`{}` is no prefix of subjects: words of letters, digits, - and _, with dots between", self.prefix)))
            }
        }
    }

    /// The name of a stream or bucket.
    fn named(&self, what: &str) -> String {
        format!("{}-{what}", self.prefix.replace('.', "-"))
    }

    /// The version as part of a subject.
    pub(crate) fn version_word(&self) -> String {
        self.version.replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    }

    /// The subject of the units of a job.
    pub(crate) fn units_of(&self, job: JobId) -> String {
        format!("{}.units.{}.{job}", self.prefix, self.version_word())
    }

    /// The subject of what is done for a job.
    pub(crate) fn answers_of(&self, job: JobId) -> String {
        format!("{}.answers.{job}", self.prefix)
    }

    /// The subject on which a coordinator calls to workers of a job.
    pub(crate) fn calls_of(&self, job: JobId) -> String {
        format!("{}.calls.{job}", self.prefix)
    }

    /// The subject of all calls.
    pub(crate) fn calls(&self) -> String {
        format!("{}.calls.*", self.prefix)
    }

    /// The subject of what workers have to say to a person.
    pub(crate) fn notes_of(&self, job: JobId) -> String {
        format!("{}.notes.{job}", self.prefix)
    }

    async fn options(&self) -> Result<ConnectOptions, Failure> {
        let mut options = ConnectOptions::new().name("raddle").connection_timeout(PATIENCE);
        if let Some(file) = &self.credentials {
            let wrong = |why| Failure(format!("{}: {why}", file.display()));
            options = options.credentials_file(file).await.map_err(wrong)?;
        }
        let named = self.url.split(',').find_map(|url| {
            let server: ServerAddr = url.parse().ok()?;
            Some((server.username()?.to_string(), server.password()?.to_string()))
        });
        if let Some((user, password)) = named {
            options = options.user_and_password(user, password);
        }
        if let Some(file) = &self.roots {
            options = options.add_root_certificates(file.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }

    pub(crate) async fn connect(&self) -> Result<Cluster, Failure> {
        self.checked_prefix()?;
        let urls: Vec<&str> = self.url.split(',').collect();
        let there = |why: &dyn Display| Failure(format!("there is no cluster at {}: {why}", self.names()));
        let client = self.options().await?.connect(&urls[..]).await.map_err(|why| there(&why))?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(PATIENCE);
        let no_store = |why: &dyn Display| there(&format!("it keeps nothing (is nats-server started with --jetstream?): {why}"));
        let units = stream::Config {
            name: self.named("units"),
            subjects: vec![format!("{}.units.>", self.prefix)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            duplicate_window: KNOWN_FOR,
            ..stream::Config::default()
        };
        let units = context.get_or_create_stream(units).await.map_err(|why| no_store(&why))?;
        let answers = stream::Config {
            name: self.named("answers"),
            subjects: vec![format!("{}.answers.>", self.prefix)],
            storage: StorageType::File,
            ..stream::Config::default()
        };
        let answers = context.get_or_create_stream(answers).await.map_err(|why| no_store(&why))?;
        let bucket = self.named("jobs");
        let jobs = match context.get_key_value(&bucket).await {
            Ok(jobs) => jobs,
            Err(_) => {
                context.create_stream(bucket_of(&bucket)).await.map_err(|why| no_store(&why))?;
                context.get_key_value(&bucket).await.map_err(|why| no_store(&why))?
            }
        };
        let bucket = self.named("objects");
        let objects = match context.get_object_store(&bucket).await {
            Ok(objects) => objects,
            Err(_) => {
                let config = object_store::Config { bucket, storage: StorageType::File, ..object_store::Config::default() };
                context.create_object_store(config).await.map_err(|why| no_store(&why))?
            }
        };
        Ok(Cluster { server: self.clone(), client, context, jobs, objects, units, answers })
    }
}

/// The stream of a new bucket of keys and values. The library's own way to make one asks what the account may do in
/// words that servers before 2.10 do not have.
fn bucket_of(bucket: &str) -> stream::Config {
    stream::Config {
        name: format!("KV_{bucket}"),
        subjects: vec![format!("$KV.{bucket}.>")],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: 1,
        ..stream::Config::default()
    }
}

/// What a server answers by many messages, where the last one comes in time. The library waits for single messages as
/// long as it was told; for these it waits without end where the server stands still in between.
pub(crate) async fn in_time<T>(longest: Duration, what: &str, answer: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::time::timeout(longest, answer).await.unwrap_or_else(|_| Err(Failure::of(what, "the server does not answer in time")))
}

impl Cluster {
    /// Those who wait for units, and have them: one consumer for all workers of a version.
    pub async fn workers(&self) -> Result<Consumer<pull::Config>, Failure> {
        let name = format!("workers-{}", self.server.version_word());
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.server.lost_after,
            max_ack_pending: MOST_WORKERS,
            max_waiting: MOST_WORKERS,
            filter_subject: format!("{}.units.{}.>", self.server.prefix, self.server.version_word()),
            ..pull::Config::default()
        };
        self.units.get_or_create_consumer(&name, config).await.map_err(|why| Failure::of("the queue of units", why))
    }
}
