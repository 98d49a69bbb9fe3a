//! A cluster on this machine: a NATS server on a free port, workers, and commands that use them. What is started here
//! ends with the test.

use super::root;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A NATS server that keeps what it is given in files.
pub struct Server {
    folder: TempDir,
    port: u16,
    more: Vec<String>,
    child: Child,
    /// How long a unit is kept for a worker who says nothing, in seconds.
    pub lost_after: &'static str,
}

/// A process that is killed with what starts it.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

fn send(to: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &to.id().to_string()]).status();
    assert!(sent.expect("kill can be run").success(), "kill {signal}");
}

impl Process {
    /// Sends a signal to it.
    pub fn signal(&self, name: &str) {
        send(&self.0, name);
    }

    /// Whether it has ended.
    pub fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("it can be looked at").is_some()
    }

    /// What it has answered, once it has ended by itself.
    pub fn answer(mut self) -> Output {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        if let Some(mut out) = self.0.stdout.take() {
            out.read_to_end(&mut stdout).expect("it can be read");
        }
        if let Some(mut err) = self.0.stderr.take() {
            err.read_to_end(&mut stderr).expect("it can be read");
        }
        let status = self.0.wait().expect("it ends");
        Output { status, stdout, stderr }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

fn start(folder: &TempDir, port: u16, more: &[String]) -> Child {
    let port = port.to_string();
    let child = Command::new("nats-server")
        .args(["-js", "-a", "127.0.0.1", "-p", &port, "-sd"])
        .arg(folder.path())
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server, which ./test installs, starts");
    let began = Instant::now();
    while !is_ready(&port) {
        assert!(began.elapsed() < Duration::from_secs(20), "nats-server does not come up");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// A server says who it is.
fn is_ready(port: &str) -> bool {
    let Ok(stream) = TcpStream::connect(format!("127.0.0.1:{port}")) else { return false };
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).is_ok() && line.starts_with("INFO ")
}

impl Server {
    pub fn new() -> Server {
        Server::with(&[])
    }

    /// With more words on its command line.
    pub fn with(more: &[&str]) -> Server {
        let folder = TempDir::new().expect("a folder can be made");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port is free");
        let more: Vec<String> = more.iter().map(|word| word.to_string()).collect();
        let child = start(&folder, free.port(), &more);
        Server { folder, port: free.port(), more, child, lost_after: "0.8" }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Is killed, and starts again after a while with what is in its files.
    pub fn restart(&mut self, pause: Duration) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
        std::thread::sleep(pause);
        self.child = start(&self.folder, self.port, &self.more);
    }

    /// Stands still for a while, and goes on as if nothing had been.
    pub fn stand_still(&self, how_long: Duration) {
        send(&self.child, "-STOP");
        std::thread::sleep(how_long);
        send(&self.child, "-CONT");
    }

    /// A command that uses the server.
    pub fn command(&self, words: &[&str]) -> Process {
        let child = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(words)
            .args(["--cluster", &self.url(), "--lost-after", self.lost_after])
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Process(child.expect("raddle starts"))
    }

    /// A worker with one thread, where nothing else is said.
    pub fn worker(&self, more: &[&str]) -> Process {
        let one: &[&str] = if more.contains(&"--jobs") { &[] } else { &["--jobs", "1"] };
        self.command(&[&["worker"], one, more].concat())
    }

    /// Begins to check a program of the corpus.
    pub fn check(&self, program: &str, model: &str, more: &[&str]) -> Process {
        let file = format!("corpus/programs/{program}");
        let (options, flags) = more.split_at(more.iter().position(|word| *word == "--").unwrap_or(more.len()));
        let url = self.url();
        let words = ["check", &file, "--model", model, "--format", "json", "--cluster", &url, "--lost-after", self.lost_after];
        let child = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args([&words[..], options, flags].concat())
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Process(child.expect("raddle starts"))
    }

    /// What there is in the cluster.
    pub fn status(&self) -> Value {
        let output = self.command(&["cluster", "status", "--format", "json"]).answer();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{why}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Waits until something is so.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let status = self.status();
            if is_so(&status) {
                return status;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{what}: {status}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The job that is there, once workers explore it.
    #[track_caller]
    pub fn job_at_work(&self) -> String {
        let at_work = |status: &Value| sum(&status["workers"], "working") > 0 && !status["jobs"].as_array().is_none_or(Vec::is_empty);
        let status = self.wait_until("workers have begun", at_work);
        status["jobs"][0]["job"].as_str().expect("a job has a name").to_string()
    }

    /// Sends every message of these subjects once more, as it came, for as long as it lives.
    pub fn echo(&self, subjects: &[&str]) -> Echo {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).expect("the server is there");
        let handle = stream.try_clone().expect("it can be cloned");
        let subscriptions: Vec<String> = subjects.iter().enumerate().map(|(n, subject)| format!("SUB {subject} {n}\r\n")).collect();
        let hello = format!("CONNECT {{\"verbose\":false,\"echo\":false,\"headers\":true}}\r\n{}", subscriptions.concat());
        stream.write_all(hello.as_bytes()).expect("it listens");
        let thread = std::thread::spawn(move || echo(stream));
        Echo { handle, thread: Some(thread) }
    }
}

/// The sum of numbers in a list of objects.
pub fn sum(of: &Value, key: &str) -> u64 {
    of.as_array().map_or(0, |rows| rows.iter().filter_map(|row| row[key].as_u64()).sum())
}

/// Somebody who sends messages once more.
pub struct Echo {
    handle: TcpStream,
    thread: Option<std::thread::JoinHandle<u64>>,
}

impl Echo {
    /// Stops, and says how many messages were sent again.
    pub fn stop(mut self) -> u64 {
        let _gone = self.handle.shutdown(std::net::Shutdown::Both);
        self.thread.take().expect("it runs").join().expect("it ends")
    }
}

/// Speaks as much of the protocol of NATS as is needed. The server does not send this one what it has sent itself.
fn echo(mut stream: TcpStream) -> u64 {
    let mut reader = BufReader::new(stream.try_clone().expect("it can be cloned"));
    let (mut line, mut n_sent) = (String::new(), 0);
    loop {
        line.clear();
        match reader.read_line(&mut line) {
            Ok(n) if n > 0 => {}
            _ => return n_sent,
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let length = |at: usize| words[words.len() - at].parse::<usize>().expect("a length is a number");
        let (n_header, n_all) = match words.first() {
            Some(&"PING") => {
                let _gone = stream.write_all(b"PONG\r\n");
                continue;
            }
            Some(&"MSG") => (0, length(1)),
            Some(&"HMSG") => (length(2), length(1)),
            _ => continue,
        };
        let mut bytes = vec![0; n_all + 2];
        if reader.read_exact(&mut bytes).is_err() {
            return n_sent;
        }
        let payload = &bytes[n_header..n_all];
        let head = format!("PUB {} {}\r\n", words[1], payload.len());
        let _gone = stream.write_all(&[head.as_bytes(), payload, b"\r\n"].concat());
        n_sent += 1;
    }
}
