//! A trial of LLVM code in another process.
//!
//! LLVM's reader of bitcode, and its upgrade of old debug information, end the process on some broken input. So the
//! compiler reads such a file first; what it survives can be read here. What it refuses in good order is refused here
//! again, with a message. Whether the code is sound is decided here only, because clang 19 ends on unsound code as it
//! ends on a crash.

use crate::{Error, Sources, child};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Refuses LLVM code that LLVM's reader does not survive: the code of a file, and where it stands.
pub fn probe(sources: &Sources, file: &Path, code: &Path, folder: &TempDir) -> Result<(), Error> {
    let mut command = Command::new(&sources.clang);
    let flags = ["-cc1", "-emit-llvm-bc", "-disable-llvm-passes", "-disable-llvm-verifier", "-w", "-x", "ir", "-o"];
    command.args(flags).arg(folder.path().join("probe.bc")).arg(code);
    match child::run(&mut command) {
        Ok((status, _)) if !matches!(status.code(), Some(0 | 1)) => {
            Err(Error::BadBitcode { file: file.to_path_buf(), why: "LLVM's reader crashes on it".into() })
        }
        // Without a compiler there is no trial; LLVM code needs none.
        Ok(_) | Err(_) => Ok(()),
    }
}
