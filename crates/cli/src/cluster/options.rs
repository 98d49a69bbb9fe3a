//! What can be said of a cluster.

use crate::arguments::{CheckOptions, TableFormat, seconds, workers};
use clap::{Args, ValueEnum};
use raddle_cluster::{JobId, PublicKey, Server};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Who one is on a NATS server, and what is ours there.
#[derive(Args)]
pub struct ServerOptions {
    /// A file with the credentials for the NATS server.
    #[arg(long, value_name = "FILE")]
    pub nats_creds: Option<PathBuf>,
    /// A file with the certificates of those who vouch for the NATS server, where the system does not know them.
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
    /// A file with a certificate, for NATS servers that ask for one.
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub nats_cert: Option<PathBuf>,
    /// The file with its key.
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    pub nats_key: Option<PathBuf>,
    /// What all subjects, streams and buckets on the NATS server begin with.
    #[arg(long, value_name = "PREFIX", default_value = "raddle")]
    pub nats_prefix: String,
    /// How long a worker may say nothing before its unit is given to another, in seconds. The first one who comes to a
    /// server says it for all.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub lost_after: Duration,
}

impl ServerOptions {
    /// The way to the cluster at a URL.
    pub fn to(&self, url: &str) -> Server {
        Server {
            credentials: self.nats_creds.clone(),
            roots: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
            prefix: self.nats_prefix.clone(),
            lost_after: self.lost_after.clamp(Duration::from_millis(200), Duration::from_secs(3600)),
            ..Server::new(url)
        }
    }
}

/// A check, here or in a cluster. What is changed comes last, and the flags of the compiler have to.
#[derive(Args)]
#[command(mut_arg("files", |files| files.required(false).required_unless_present("resume")), mut_arg("cflags", |cflags| cflags))]
pub struct ClusterCheck {
    #[command(flatten)]
    pub check: CheckOptions,
    /// Has the check explored by the workers of a cluster: the URL of its NATS server (nats://HOST:PORT,
    /// nats://USER:PASSWORD@HOST:PORT, tls://HOST:PORT; several with commas between).
    #[arg(long, value_name = "URL")]
    pub cluster: Option<String>,
    /// Goes on with a job of the cluster whose command has ended before its answer. What it checks, and how, is as it
    /// was asked for then.
    #[arg(long, value_name = "JOB", requires = "cluster", conflicts_with_all = ["files", "iterative"])]
    pub resume: Option<JobId>,
    /// Signs what workers get with the key in this file (raddle cluster key FILE makes one).
    #[arg(long, value_name = "FILE", requires = "cluster")]
    pub sign: Option<PathBuf>,
    #[command(flatten)]
    pub server: ServerOptions,
}

/// A worker of a cluster.
#[derive(Args)]
pub struct WorkerOptions {
    /// The URL of the NATS server of the cluster.
    #[arg(long, value_name = "URL")]
    pub cluster: String,
    /// How many units of work are explored side by side; as many as there are processors where nothing is said.
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Works only on what is signed with this key; may be given several times.
    #[arg(long, value_name = "KEY")]
    pub trust: Vec<PublicKey>,
    /// The most megabytes of memory that are in use; three quarters of what the machine has where nothing is said.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub server: ServerOptions,
}

impl WorkerOptions {
    /// How many units are explored side by side.
    pub fn jobs(&self) -> usize {
        workers(self.jobs)
    }
}

/// What is to be done with a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Action {
    /// Shows jobs and workers.
    Status,
    /// Takes a job away whose command has ended before its answer.
    End,
    /// Makes a key to sign with.
    Key,
}

/// Something about clusters.
#[derive(Args)]
pub struct ClusterOptions {
    /// Shows jobs and workers; takes away a job that nobody goes on with; makes a key to sign with.
    #[arg(value_enum)]
    pub action: Action,
    /// The job that is taken away, or the file that the key is written to.
    #[arg(value_name = "JOB or FILE", required_if_eq_any = [("action", "end"), ("action", "key")])]
    pub what: Option<String>,
    /// The URL of the NATS server of the cluster.
    #[arg(long, value_name = "URL", required_if_eq_any = [("action", "end"), ("action", "status")])]
    pub cluster: Option<String>,
    /// How jobs and workers are printed.
    #[arg(long, value_enum, default_value = "human")]
    pub format: TableFormat,
    #[command(flatten)]
    pub server: ServerOptions,
}
