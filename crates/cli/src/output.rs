//! A file that a command writes in the end. It is tried before the work begins, so that nobody learns after hours that
//! there was no room for the answer, and is whole or not there: what is written goes to another file in the same
//! folder, which then takes the name.

use crate::terminal::{complain, named};
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A file to be written.
pub struct Output {
    path: PathBuf,
    to: To,
}

enum To {
    /// A new file in the folder, which takes this name and these permissions.
    Beside(PathBuf, Permissions),
    /// What is there already: no file, or one in a folder that takes no other.
    Itself(File),
}

impl Output {
    /// Opens the way to a file without changing what is there. Those that are read must not be written: this is said by
    /// [`is_input`].
    pub fn open(path: &Path) -> Result<Output, String> {
        let wrong = |why: std::io::Error| format!("{} cannot be written: {why}", named(path));
        let known = std::fs::metadata(path);
        let to = match &known {
            Ok(known) if known.is_dir() => return Err(format!("{} cannot be written: it is a folder", named(path))),
            Ok(known) if known.is_file() => {
                let target = path.canonicalize().map_err(wrong)?;
                let itself = OpenOptions::new().write(true).open(&target).map_err(wrong)?;
                match beside(&target, known.permissions()) {
                    Ok(_tried) => To::Beside(target, known.permissions()),
                    Err(_) => To::Itself(itself),
                }
            }
            // A pipe that nobody reads is no place for an answer, and would never open.
            Ok(_) => To::Itself(OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(wrong)?),
            Err(_) if path.is_symlink() => return Err(format!("{} cannot be written: the link leads nowhere", named(path))),
            Err(_) => {
                let permissions = Permissions::from_mode(0o666);
                beside(path, permissions.clone()).map(|_tried| To::Beside(path.into(), permissions)).map_err(wrong)?
            }
        };
        Ok(Output { path: path.into(), to })
    }

    /// Writes the file.
    pub fn write(self, text: &str) -> Result<(), String> {
        let path = self.path;
        let written = match self.to {
            To::Beside(target, permissions) => beside(&target, permissions).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.persist(target).map(drop).map_err(|why| why.error)
            }),
            To::Itself(mut file) => {
                let shortened = if file.metadata().is_ok_and(|known| known.is_file()) { file.set_len(0) } else { Ok(()) };
                shortened.and_then(|()| file.write_all(text.as_bytes())).and_then(|()| file.flush())
            }
        };
        written.map_err(|why| format!("{} cannot be written: {why}", named(&path)))
    }
}

/// The file where an answer is wanted, which is tried. One that cannot be written keeps nobody from the work; one that
/// would overwrite what is read does.
pub fn wanted(path: Option<&Path>, what: &str, inputs: &[PathBuf]) -> Result<Option<Output>, String> {
    let Some(path) = path else { return Ok(None) };
    match is_input(path, inputs) {
        Some(input) => Err(format!("the {what} would overwrite {}: choose another file", named(input))),
        None => Ok(Output::open(path).map_err(|why| complain(format!("the {what}: {why}"))).ok()),
    }
}

/// A file without a name of its own, in the folder of another.
fn beside(path: &Path, permissions: Permissions) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Builder::new().prefix(".raddle-").permissions(permissions).tempfile_in(folder)
}

/// The first of these files that an output would overwrite, under whatever name.
fn is_input<'i>(output: &Path, inputs: &'i [PathBuf]) -> Option<&'i Path> {
    let same = |known: &Metadata, other: &Metadata| (known.dev(), known.ino()) == (other.dev(), other.ino());
    let known = std::fs::metadata(output).ok().filter(Metadata::is_file)?;
    inputs.iter().find(|input| std::fs::metadata(input).is_ok_and(|other| same(&known, &other))).map(PathBuf::as_path)
}
