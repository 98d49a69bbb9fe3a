//! A process with a watch on its time and memory.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; `None` where a signal ended it.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub took: Duration,
    /// The most bytes that it had in memory, its children not counted.
    pub peak: u64,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
}

/// More output is not kept.
const MOST_OUTPUT: u64 = 64 << 20;

/// Runs a command to its end; it is killed after `most`.
pub fn watch(command: &mut Command, most: Duration) -> std::io::Result<Ended> {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let mut peak = 0;
    let status = loop {
        peak = peak.max(resident(child.id()));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > most {
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let took = started.elapsed();
    let whole = |reader: std::thread::JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    Ok(Ended { code: status.code(), signal: status.signal(), took, peak, out: whole(out), err: whole(err) })
}

/// Reads a stream on a thread of its own, so that a full one holds nobody up.
fn collect(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            let _torn = stream.take(MOST_OUTPUT).read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The most bytes that a process has had in memory so far.
fn resident(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}
