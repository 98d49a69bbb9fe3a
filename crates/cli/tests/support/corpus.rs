//! What the tests of the command line have in common: they run the real binary.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Runs `raddle` with these arguments in the root of the repository.
#[allow(dead_code, reason = "not every test runs it this way")]
pub fn raddle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle")).args(arguments).current_dir(root()).output().expect("raddle starts")
}

/// Does something with every item on as many threads as there are cores; fails with everything that went wrong.
#[allow(dead_code, reason = "not every test has many items")]
#[track_caller]
pub fn check_all<T: Sync>(items: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = check(item) {
                wrong.lock().expect("nobody panics with it").push(what);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics with it");
    assert!(!items.is_empty(), "there is nothing to check");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), items.len(), wrong.join("\n"));
}
