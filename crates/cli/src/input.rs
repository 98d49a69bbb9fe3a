//! Files that are read: only what is a file, and no more of it than makes sense. Pipes, devices and folders would never
//! end or never begin.

use std::fs::{File, FileType};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The most bytes of a source that a report quotes.
pub const MOST_SOURCE: u64 = 64 << 20;

/// What is in a file of at most this many bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    check_kind(path)?;
    let file = File::open(path).map_err(|why| why.to_string())?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    match bytes.len() as u64 > most {
        true => Err(format!("it has more than {} MB", most >> 20)),
        false => Ok(bytes),
    }
}

/// Says why something is no file.
pub fn check_kind(path: &Path) -> Result<(), String> {
    let kind = std::fs::metadata(path).map_err(|why| why.to_string())?.file_type();
    if kind.is_file() { Ok(()) } else { Err(format!("it is {}, not a file", word(kind))) }
}

fn word(kind: FileType) -> &'static str {
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}
