//! `raddle worker`, `raddle cluster`, and what `raddle check` needs of a cluster.

pub mod options;

use crate::arguments::TableFormat;
use crate::failure::Failure;
use crate::guard::{self, LastWords};
use crate::terminal::{complain, say, say_object};
use crate::{INTERRUPTED, exit, input};
use options::{Action, ClusterCheck, ClusterOptions, WorkerOptions};
use raddle_cluster::{Coordinated, Coordinator, JobStatus, SecretKey, Server, Status, Work, end_job, status, work};
use raddle_report::versioned;
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// No file with a key is larger.
const MOST_KEY: u64 = 4096;

/// A cluster that cannot be used.
pub fn no_cluster(why: raddle_cluster::Failure) -> Failure {
    Failure::new("cluster", why.0, exit::USAGE)
}

/// Whoever coordinates a check in a cluster.
pub fn coordinator(options: &ClusterCheck) -> Result<Coordinator<'static>, Failure> {
    let url = options.cluster.as_deref().unwrap_or_default();
    let wrong = |why: String| Failure::new("usage", why, exit::USAGE);
    let key = options.sign.as_deref().map(secret).transpose().map_err(wrong)?;
    Coordinator::connect(&options.server.to(url), key, note).map_err(no_cluster)
}

/// Says something while a check goes on.
fn note(what: Coordinated) {
    if std::io::stderr().is_terminal() {
        let _gone = write!(std::io::stderr(), "\r\x1b[K");
    }
    complain(what);
}

fn secret(file: &Path) -> Result<SecretKey, String> {
    let said = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
    let bytes = input::read(file, MOST_KEY).map_err(|why| said(&why))?;
    String::from_utf8_lossy(&bytes).parse().map_err(|why: String| said(&why))
}

/// Works for a cluster until the user wants to stop.
pub fn worker(options: &WorkerOptions) -> u8 {
    guard::set_last_words(|cause| match cause {
        guard::Cause::Limit(raddle_check::Limit::Interrupted) => LastWords { out: String::new(), err: String::new(), code: 0 },
        cause => Failure::ended(&cause).last_words(String::new()),
    });
    let (out_of_memory, _) = guard::out_of_memory();
    let said = |what: &str| complain(what);
    let how = Work {
        jobs: options.jobs(),
        trusted: options.trust.clone(),
        leaves: &INTERRUPTED,
        out_of_memory,
        give_back: guard::give_back,
        say: &said,
    };
    match work(&options.server.to(&options.cluster), &how) {
        Ok(()) => {
            guard::answer(0);
            0
        }
        Err(why) => no_cluster(why).say(),
    }
}

/// Looks at a cluster, or makes a key for one.
pub fn cluster(options: &ClusterOptions) -> u8 {
    let done = match (options.action, &options.cluster, &options.what) {
        (Action::Status, Some(url), _) => show(&options.server.to(url), options.format),
        (Action::End, Some(url), Some(job)) => end(&options.server.to(url), job),
        (Action::Key, _, Some(file)) => make_key(Path::new(file)),
        _ => unreachable!("these arguments are required"),
    };
    done.map_or_else(|failure| failure.say(), |()| 0)
}

fn end(server: &Server, job: &str) -> Result<(), Failure> {
    let job = job.parse().map_err(|why: String| Failure::new("usage", why, exit::USAGE))?;
    end_job(server, job).map_err(no_cluster)
}

/// Writes a new key to a file that nobody else reads, and says what others have to trust.
fn make_key(file: &Path) -> Result<(), Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::new("input", format!("{}: {why}", file.display()), exit::USAGE);
    let key = SecretKey::generate().map_err(|why| wrong(&why))?;
    let mut how = OpenOptions::new();
    how.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    let written = how.open(file).and_then(|mut file| writeln!(file, "{}", key.words()));
    written.map_err(|why| wrong(&why))?;
    say(key.public());
    Ok(())
}

fn show(server: &Server, format: TableFormat) -> Result<(), Failure> {
    let status = status(server).map_err(no_cluster)?;
    match format {
        TableFormat::Json => say_object(&status_json(&status)),
        TableFormat::Human => say(status_text(&status)),
    }
    Ok(())
}

fn status_json(Status { jobs, workers }: &Status) -> serde_json::Value {
    let job = |job: &JobStatus| {
        json!({
            "job": job.job.to_string(), "file": job.file, "version": job.version, "executions": job.count.executions,
            "blocked": job.count.blocked, "executions_a_second": job.rate, "units_open": job.n_open, "units_done": job.n_done,
            "abandoned": job.is_abandoned,
        })
    };
    let worker = |(version, idle, working, waiting): &(String, usize, usize, usize)| json!({ "version": version, "idle": idle, "working": working, "units_waiting": waiting });
    let (jobs, workers): (Vec<_>, Vec<_>) = (jobs.iter().map(job).collect(), workers.iter().map(worker).collect());
    versioned("raddle-cluster", 1, json!({ "jobs": jobs, "workers": workers }))
}

fn status_text(Status { jobs, workers }: &Status) -> String {
    let mut lines = Vec::new();
    for JobStatus { job, file, count, rate, n_open, n_done, is_abandoned, .. } in jobs {
        let n = count.executions + count.blocked;
        let left = if *is_abandoned { "; nobody coordinates it: raddle check --resume goes on" } else { "" };
        lines.push(format!("job {job} ({file}): {n} executions, {rate} a second; {n_open} units open, {n_done} done{left}"));
    }
    for (version, idle, working, waiting) in workers {
        lines.push(format!("workers of version {version}: {working} at work, {idle} idle; {waiting} units wait"));
    }
    if jobs.is_empty() {
        lines.insert(0, "no jobs".into());
    }
    lines.join("\n")
}
