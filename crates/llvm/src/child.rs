//! The compiler as a process of its own, which others can look at and end.
//!
//! It leads a group of processes, so that what it starts ends with it. It reads no input but the files that it is
//! given, and what it says is read up to a bound.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The most bytes of messages that are kept.
const MOST_SAID: u64 = 1 << 20;

/// The process that runs now; zero for none.
static RUNNING: AtomicU32 = AtomicU32::new(0);

/// The compiler that runs now.
pub fn compiler() -> Option<u32> {
    Some(RUNNING.load(Ordering::Relaxed)).filter(|&pid| pid != 0)
}

/// Ends the compiler that runs now, with all that it has started.
#[allow(unsafe_code, reason = "the standard library ends single processes only")]
pub fn end_compiler() {
    if let Some(pid) = compiler() {
        // SAFETY: it has no preconditions; the group is that of the compiler.
        unsafe { libc::kill(-(pid as i32), libc::SIGKILL) };
    }
}

/// Runs the compiler to its end; gives how it ended and what it said.
pub(crate) fn run(command: &mut Command) -> io::Result<(ExitStatus, Vec<u8>)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0).spawn()?;
    RUNNING.store(child.id(), Ordering::Relaxed);
    let (mut said, mut stderr) = (Vec::new(), child.stderr.take().expect("it is piped"));
    let heard = stderr.by_ref().take(MOST_SAID).read_to_end(&mut said).and_then(|_| io::copy(&mut stderr, &mut io::sink()));
    let ended = child.wait();
    RUNNING.store(0, Ordering::Relaxed);
    heard.and(ended).map(|status| (status, said))
}
