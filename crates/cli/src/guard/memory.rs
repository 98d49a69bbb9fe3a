//! How much memory there is, and how much is in use. Where the system does not say, there is no limit.

use std::fs::{File, read_to_string};
use std::os::unix::fs::FileExt;

/// Three quarters of what the machine has, or of what the group of processes may have that this one belongs to.
pub fn most_memory() -> u64 {
    let limits = [machine(), group("/sys/fs/cgroup", "memory.max", ""), group("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory")];
    limits.into_iter().flatten().min().map_or(u64::MAX / 2, |bytes| bytes / 4 * 3)
}

fn machine() -> Option<u64> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let kilobytes: u64 = text.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The limit of the control group of this process, in a hierarchy that is mounted somewhere.
fn group(mounted: &str, file: &str, controller: &str) -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|one| one == controller).then_some(path)
    })?;
    let limit = |path: &str| read_to_string(format!("{mounted}{path}/{file}")).ok()?.trim().parse().ok();
    limit(path.trim_end_matches('/')).or_else(|| limit(""))
}

/// What processes have in memory. The file of this process is kept open, so that a look costs next to nothing.
pub struct Gauge(Option<File>);

impl Gauge {
    /// For this process.
    pub fn new() -> Gauge {
        Gauge(File::open("/proc/self/statm").ok())
    }

    /// How many bytes this process and another one have in memory.
    pub fn used(&self, other: Option<u32>) -> u64 {
        let other = other.and_then(|pid| File::open(format!("/proc/{pid}/statm")).ok());
        self.0.iter().chain(&other).map(resident).sum()
    }
}

fn resident(file: &File) -> u64 {
    let mut text = [0; 128];
    let n = file.read_at(&mut text, 0).unwrap_or(0);
    let pages = text[..n].split(|&byte| byte == b' ').nth(1).unwrap_or(&[]);
    // Pages have 4096 bytes wherever this file is.
    pages.iter().fold(0, |number, digit| 10 * number + (digit - b'0') as u64) << 12
}
