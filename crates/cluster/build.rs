//! Names the build by what it is made of: workers and coordinators work together only where they explore in the same
//! way, which the version of a release alone does not say of what is built between releases.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The crates that say what is explored, and in which order.
const CRATES: [&str; 10] = ["check", "cluster", "event", "explore", "join", "judge", "machine", "memory", "program", "story"];

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in CRATES {
        let sources = crates.join(name).join("src");
        if sources.is_dir() {
            println!("cargo:rerun-if-changed={}", sources.display());
            find(&sources, &mut files);
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.strip_prefix(&crates).unwrap_or(&file).to_string_lossy().as_bytes());
        hash.update([0]);
        hash.update(std::fs::read(&file).unwrap_or_default());
        hash.update([0]);
    }
    let digits: String = hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rustc-env=RADDLE_SOURCES={digits}");
}

fn entries(of: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(of).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        match path.is_dir() {
            true => find(&path, files),
            false => files.push(path),
        }
    }
}
