//! The files that a program may read: those below the folders of its sources and those that the user names. What it
//! writes stays in memory.

use crate::arguments::Input;
use raddle_machine::{FileContent, Files};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The largest file that is read, in bytes.
const MOST: u64 = 16 << 20;

/// The files for a program. Each is read once, so that all executions find the same.
pub fn readable(input: &Input) -> Files {
    let whole = |folder: &Path| std::path::absolute(folder).and_then(std::fs::canonicalize).ok();
    let of_sources = input.files.iter().map(|file| file.parent().filter(|folder| *folder != "").unwrap_or(Path::new(".")));
    let folders: Vec<PathBuf> = of_sources.chain(input.folders.iter().map(PathBuf::as_path)).filter_map(whole).collect();
    let (stdin, known) = (input.stdin.clone(), Mutex::new(BTreeMap::<Option<String>, FileContent>::new()));
    Files::new(move |name| {
        let mut known = known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let read = || match (name, &stdin) {
            (Some(name), _) => read(Path::new(name), Some(&folders)),
            (None, Some(file)) => read(file, None),
            (None, None) => FileContent::Bytes(Arc::default()),
        };
        known.entry(name.map(str::to_string)).or_insert_with(read).clone()
    })
}

/// Reads a file, where it lies below one of the folders.
fn read(file: &Path, below: Option<&[PathBuf]>) -> FileContent {
    let Ok(whole) = std::fs::canonicalize(file) else { return FileContent::Missing };
    let Ok(about) = std::fs::metadata(&whole) else { return FileContent::Missing };
    let refused = |why: &str| FileContent::Refused(format!("reading the file `{}`, {why}", file.display()));
    if below.is_some_and(|folders| !folders.iter().any(|folder| whole.starts_with(folder))) {
        return refused("which is not below the folder of a source (--files names others)");
    }
    if !about.is_file() || about.len() > MOST {
        return refused("which is no file of at most 16 MB");
    }
    std::fs::read(&whole).map_or(FileContent::Missing, |bytes| FileContent::Bytes(Arc::new(bytes)))
}
