//! Checks by a cluster, with a real NATS server: the counts of one worker, whatever breaks. `tools/cluster-kills`
//! repeats those where something is killed, at other times.

#![cfg(unix)]

use crate::support::nats::{Process, Server, sum};
use crate::support::{Folder, check_all, raddle, rare};
use raddle_event::Random;
use serde_json::Value;
use std::process::Output;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Readers of one variable: with N of them there are 2^N executions.
const READERS: &str = "structures/readers.c";

/// When things are killed: by the clock of the test, or by a number that somebody has drawn.
fn random() -> Random {
    let seed = std::env::var("RADDLE_KILL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    Random::new(seed)
}

fn pause(random: &mut Random, milliseconds: std::ops::RangeInclusive<u32>) {
    std::thread::sleep(Duration::from_millis(random.within(milliseconds) as u64));
}

#[track_caller]
fn said(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|why| {
        panic!("{why}: {:?} {} {}", output.status, String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

/// A second of work or less.
const SHORT: u32 = 19;

/// How many readers are ten seconds of work for one worker of this machine as it is now: long enough for what is killed
/// while they are counted.
fn long() -> u32 {
    static N_READERS: OnceLock<u32> = OnceLock::new();
    *N_READERS.get_or_init(|| {
        let file = format!("corpus/programs/{READERS}");
        let n = 17;
        let answer = said(&raddle(&["check", &file, "--model", "ra", "--format", "json", "-j", "1", "--", &format!("-DN={n}")]));
        let seconds = answer["seconds"].as_f64().expect("an answer has seconds");
        n + (10.0 / seconds.max(0.001)).log2().round().max(0.0) as u32
    })
}

fn readers(server: &Server, n: u32) -> Process {
    let flag = format!("-DN={n}");
    server.check(READERS, "ra", &["--", &flag])
}

/// The check of the readers has counted each execution once.
#[track_caller]
fn is_counted(check: Process, n: u32) {
    let output = check.answer();
    let answer = said(&output);
    let counts = ["executions", "blocked", "redundant"].map(|key| answer[key].as_u64());
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), counts), (Some(0), [Some(1 << n), Some(0), Some(0)]), "{answer} {err}");
}

/// Nothing of a job is left when it is over.
#[track_caller]
fn is_clean(server: &Server) {
    let is_over = |status: &Value| status["jobs"] == Value::Array(Vec::new()) && sum(&status["workers"], "units_waiting") == 0;
    server.wait_until("the job is taken away", is_over);
}

#[test]
fn a_cluster_counts_what_one_counts() {
    let programs = [
        (READERS, "ra", "-DN=13"),
        ("structures/lastzero.c", "ra", "-DN=9"),
        ("structures/pthread_demo.c", "ra", "-DN=6"),
        ("structures/readers.c", "rc11", "-DN=12"),
        ("structures/redundant_co.c", "rc11", "-DN=2"),
        ("structures/lastzero.c", "power", "-DN=6"),
        ("structures/readers.c", "aarch64", "-DN=11"),
    ];
    let server = Server::new();
    let _workers = [server.worker(&[]), server.worker(&[])];
    check_all(&programs, |&(program, model, flag)| {
        let file = format!("corpus/programs/{program}");
        let numbers = |answer: &Value| ["executions", "blocked", "redundant", "events"].map(|key| answer[key].as_u64());
        let one = raddle(&["check", &file, "--model", model, "--format", "json", "-j", "1", "--", flag]);
        let several = server.check(program, model, &["--", flag]).answer();
        let (one, several) = (said(&one), said(&several));
        if numbers(&one) != numbers(&several) || one["verdict"] != several["verdict"] {
            return Err(format!("{program} {model} {flag}: {several} in a cluster, {one} by one"));
        }
        Ok(())
    });
    is_clean(&server);
}

/// By graphs SC and TSO can be divided too. The second check is of the same program as the first, whose objects are
/// thrown away by then.
#[test]
fn graphs_of_sc_and_tso_are_divided() {
    let server = Server::new();
    let _worker = server.worker(&["--jobs", "2"]);
    for model in ["sc", "tso"] {
        is_counted(server.check(READERS, model, &["--algorithm", "graphs", "--", "-DN=16"]), 16);
    }
}

#[test]
fn ten_workers_are_killed_in_turn() {
    let (server, mut random, n) = (Server::new(), random(), long());
    let mut workers = [server.worker(&[]), server.worker(&[])];
    let mut check = readers(&server, n);
    server.job_at_work();
    for kill in 0..10 {
        pause(&mut random, 20..=250);
        assert!(!check.is_over(), "the check is over after {kill} kills");
        workers[kill % 2].signal("-KILL");
        workers[kill % 2] = server.worker(&[]);
    }
    is_counted(check, n);
    is_clean(&server);
}

#[test]
fn a_coordinator_is_killed_and_another_goes_on() {
    let (server, mut random, n) = (Server::new(), random(), long());
    let _workers = [server.worker(&[]), server.worker(&[])];
    let mut check = readers(&server, n);
    let job = server.job_at_work();
    for _ in 0..3 {
        pause(&mut random, 100..=800);
        assert!(!check.is_over(), "the check is over before it is killed");
        check.signal("-KILL");
        check = server.command(&["check", "--resume", &job, "--format", "json"]);
    }
    is_counted(check, n);
    is_clean(&server);
}

#[test]
fn a_server_is_killed_and_starts_again() {
    let (mut server, mut random, n) = (Server::new(), random(), long());
    let _workers = [server.worker(&[]), server.worker(&[])];
    let mut check = readers(&server, n);
    server.job_at_work();
    pause(&mut random, 100..=1500);
    assert!(!check.is_over(), "the check is over before the server is killed");
    server.restart(Duration::from_millis(300));
    is_counted(check, n);
    is_clean(&server);
}

/// For longer than anything is waited for: when the check begins, while it is under way, or when its workers are idle.
#[test]
fn a_server_stands_still() {
    let (server, mut random) = (Server::new(), random());
    let _workers = [server.worker(&[]), server.worker(&[])];
    server.wait_until("the workers are there", |status| sum(&status["workers"], "idle") == 2);
    for _ in 0..2 {
        let check = readers(&server, SHORT);
        pause(&mut random, 50..=400);
        server.stand_still(Duration::from_millis(6500));
        is_counted(check, SHORT);
    }
    is_clean(&server);
}

#[test]
fn messages_that_come_twice_count_once() {
    let server = Server::new();
    let _workers = [server.worker(&[]), server.worker(&[])];
    // The streams are there once a worker is.
    server.wait_until("the workers are there", |status| sum(&status["workers"], "idle") == 2);
    let echo = server.echo(&["raddle.units.>", "raddle.answers.>"]);
    is_counted(readers(&server, SHORT), SHORT);
    let n_sent = echo.stop();
    assert!(n_sent > 4, "only {n_sent} messages were sent twice");
}

/// A worker stands still for so long that its unit is given to another, and then answers all the same.
#[test]
fn a_slow_worker_answers_late() {
    let (server, mut random, n) = (Server::new(), random(), long());
    let workers = [server.worker(&[]), server.worker(&[])];
    let mut check = readers(&server, n);
    server.job_at_work();
    for worker in &workers {
        pause(&mut random, 50..=300);
        assert!(!check.is_over(), "the check is over before the worker stands still");
        worker.signal("-STOP");
        std::thread::sleep(Duration::from_millis(1300));
        worker.signal("-CONT");
    }
    is_counted(check, n);
}

/// Who leaves in good order puts down what it has, so that nobody waits for it.
#[test]
fn a_worker_leaves() {
    let mut server = Server::new();
    server.lost_after = "600";
    let (leaves, _stays) = (server.worker(&[]), server.worker(&[]));
    let check = readers(&server, SHORT);
    server.job_at_work();
    std::thread::sleep(Duration::from_millis(300));
    leaves.signal("-TERM");
    let answer = leaves.answer();
    assert_eq!(answer.status.code(), Some(0), "{}", String::from_utf8_lossy(&answer.stderr));
    is_counted(check, SHORT);
}

/// Of 2^N executions one is a fault; the others would take hours.
#[test]
fn a_fault_stops_all_workers() {
    let (server, folder) = (Server::new(), rare(26, &["(seen >> 7) == 0x25a5b"]));
    let _workers = [server.worker(&[]), server.worker(&["--jobs", "2"])];
    let file = folder.path().join("rare.c");
    let output = server.command(&["check", file.to_str().expect("a path is text"), "--model", "ra", "--format", "json"]).answer();
    let answered = Instant::now();
    let answer = said(&output);
    assert_eq!((output.status.code(), answer["fault"]["kind"].as_str()), (Some(42), Some("assertion")), "{answer}");
    server.wait_until("nobody works", |status| sum(&status["workers"], "idle") == 3);
    assert!(answered.elapsed() < Duration::from_secs(2), "workers worked on for {:?}", answered.elapsed());
    is_clean(&server);
}

/// Limits and interrupts end a check with what is known, and nothing of it is left.
#[test]
fn limits_and_interrupts_end_it() {
    let server = Server::new();
    let _worker = server.worker(&[]);
    let output = server.check(READERS, "ra", &["--timeout", "3", "--", "-DN=28"]).answer();
    let answer = said(&output);
    assert_eq!((output.status.code(), answer["verdict"].as_str()), (Some(3), Some("unknown")), "{answer}");
    is_clean(&server);
    let check = server.check(READERS, "ra", &["--", "-DN=28"]);
    server.job_at_work();
    std::thread::sleep(Duration::from_millis(2500));
    check.signal("-INT");
    let output = check.answer();
    let answer = said(&output);
    assert_eq!(output.status.code(), Some(130), "{answer}");
    assert!(answer["executions"].as_u64() > Some(0), "{answer}");
    is_clean(&server);
}

#[test]
fn workers_refuse_what_nobody_signed() {
    let (server, folder) = (Server::new(), Folder::new("unused.c", ""));
    let path = |name: &str| folder.path().join(name).to_str().expect("a path is text").to_string();
    let key = |name: &str| {
        let output = raddle(&["cluster", "key", &path(name)]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a key is text").trim().to_string()
    };
    let (mine, other) = (key("mine"), key("other"));
    assert!(!raddle(&["cluster", "key", &path("mine")]).status.success(), "a key is not overwritten");
    let refuses = server.worker(&["--trust", &other]);
    let unsigned = readers(&server, SHORT);
    std::thread::sleep(Duration::from_millis(1500));
    let signed = server.check(READERS, "ra", &["--sign", &path("mine"), "--", &format!("-DN={SHORT}")]);
    std::thread::sleep(Duration::from_millis(1500));
    let _trusts = server.worker(&["--trust", &other, "--trust", &mine]);
    let output = signed.answer();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said(&output)["executions"], 1 << SHORT, "{err}");
    assert!(err.contains("a worker says: ") && err.contains("it is signed by no key that is trusted here"), "{err}");
    drop(unsigned);
    refuses.signal("-TERM");
    let err = String::from_utf8_lossy(&refuses.answer().stderr).into_owned();
    assert!(err.contains("it is signed by no key that is trusted here (--trust)"), "{err}");
}

#[test]
fn who_is_there_is_asked_by_name_and_prefix() {
    let server = Server::with(&["--user", "me", "--pass", "secret"]);
    let url = server.url().replace("nats://", "nats://me:secret@");
    let command = |words: &[&str], url: &str| raddle(&[words, &["--cluster", url, "--nats-prefix", "our.checks"]].concat());
    let output = command(&["cluster", "status"], &server.url());
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && err.contains("there is no cluster at nats://127.0.0.1"), "{err}");
    let output = command(&["cluster", "status"], &url);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "no jobs\n", "{}", String::from_utf8_lossy(&output.stderr));
    let output = raddle(&["cluster", "status", "--cluster", &url, "--nats-prefix", "no prefix"]);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && err.contains("`no prefix` is no prefix of subjects"), "{err}");
}

#[test]
fn what_cannot_be_is_said() {
    let server = Server::new();
    let url = server.url();
    let refused = |words: &[&str], why: &str| {
        let output = raddle(&[words, &["--cluster", &url]].concat());
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && err.contains(why), "{words:?}: {err}");
    };
    let file = "corpus/programs/structures/readers.c";
    refused(
        &["check", file, "--model", "sc", "--algorithm", "optimal"],
        "which one worker does: choose --algorithm graphs, or leave out --cluster",
    );
    refused(&["check", file, "--model", "pso", "--algorithm", "optimal"], "choose --algorithm graphs, or leave out --cluster");
    refused(&["check", file, "--max-executions", "5"], "choose --timeout, or leave out --cluster");
    refused(&["check", "--resume", "0123456789"], "the cluster has no job 0123456789: raddle cluster status lists");
    refused(&["check", "--resume", "job"], "`job` names no job");
    let output = raddle(&["worker", "--cluster", "nats://127.0.0.1:1"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no cluster at nats://127.0.0.1:1: "));
    // Nobody works: that is said, and the check can be taken up by somebody later.
    let check = readers(&server, SHORT);
    std::thread::sleep(Duration::from_secs(4));
    check.signal("-KILL");
    let err = String::from_utf8_lossy(&check.answer().stderr).into_owned();
    assert!(err.contains("this is job ") && err.contains("there is no worker: start some, by raddle worker --cluster nats"), "{err}");
    let job = server.status()["jobs"][0]["job"].as_str().expect("a job has a name").to_string();
    let output = server.command(&["cluster", "end", &job]).answer();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    is_clean(&server);
}
