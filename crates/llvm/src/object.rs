//! LLVM code inside of object files (`-fembed-bitcode`, `-flto`, `-ffat-lto-objects`), and archives of such files.
//!
//! Of an archive those members are taken that define what is named and not defined so far, as linkers do.

use crate::ir::Module;
use crate::{Error, Sources, probe::probe, unreadable};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use std::collections::BTreeSet;
use std::path::Path;
use tempfile::TempDir;

/// The sections in which compilers put LLVM code.
const SECTIONS: [&str; 2] = [".llvm.lto", ".llvmbc"];
/// What bitcode begins with: by itself, and in a wrapper.
const MAGIC: [&[u8]; 2] = [b"BC\xC0\xDE", &[0xDE, 0xC0, 0x17, 0x0B]];
/// The most members that an archive may have.
const MOST_MEMBERS: usize = 100_000;

/// The LLVM code of an object file, which is tried first.
pub fn read(sources: &Sources, file: &Path, folder: &TempDir) -> Result<Vec<u8>, Error> {
    let bytes = std::fs::read(file).map_err(|why| unreadable(file, why))?;
    let code = code_of(&bytes).map_err(|why| wrong(file, why))?;
    tried(sources, file, folder, code)
}

/// Adds those members of an archive that define what the module names and does not define.
pub fn add_archive(module: &mut Module, sources: &Sources, file: &Path, folder: &TempDir) -> Result<(), Error> {
    let mut left = members(sources, file, folder)?;
    loop {
        let wanted: BTreeSet<String> = module.undefined().into_iter().collect();
        let Some(at) = left.iter().position(|member| member.defines.iter().any(|name| wanted.contains(name))) else { return Ok(()) };
        let Member { name, code, .. } = left.swap_remove(at);
        module.add(&code, &name).map_err(|why| Error::BadBitcode { file: file.to_path_buf(), why })?;
    }
}

/// A member of an archive.
struct Member {
    /// Its name behind that of the archive.
    name: String,
    code: Vec<u8>,
    /// The names of what it defines.
    defines: Vec<String>,
}

/// The members of an archive, all of which must have LLVM code.
fn members(sources: &Sources, file: &Path, folder: &TempDir) -> Result<Vec<Member>, Error> {
    let bytes = std::fs::read(file).map_err(|why| unreadable(file, why))?;
    let archive = ArchiveFile::parse(&*bytes).map_err(|why| wrong(file, format!("it is no archive: {why}")))?;
    if archive.is_thin() {
        return Err(wrong(file, "its members are elsewhere (a thin archive): name them instead".into()));
    }
    let mut members = Vec::new();
    for entry in archive.members().take(MOST_MEMBERS) {
        let entry = entry.map_err(|why| wrong(file, why.to_string()))?;
        let name = String::from_utf8_lossy(entry.name()).into_owned();
        let of_member = |why: String| wrong(file, format!("its member `{name}`: {why}"));
        let data = entry.data(&*bytes).map_err(|why| of_member(why.to_string()))?;
        let code = tried(sources, file, folder, code_of(data).map_err(of_member)?)?;
        let mut alone = Module::new();
        let name = format!("{}({name})", file.display());
        alone.add(&code, &name).map_err(|why| Error::BadBitcode { file: file.to_path_buf(), why })?;
        members.push(Member { defines: alone.defined(), name, code });
    }
    Ok(members)
}

/// The LLVM code in an object file, or the file itself where it is bitcode.
fn code_of(bytes: &[u8]) -> Result<&[u8], String> {
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return Ok(bytes);
    }
    let object = object::File::parse(bytes).map_err(|why| format!("it is no object file: {why}"))?;
    let code = SECTIONS.iter().find_map(|name| object.section_by_name(name)?.data().ok()).filter(|code| !code.is_empty());
    code.ok_or_else(|| "it has no LLVM code: compile it with -fembed-bitcode or -flto".into())
}

/// LLVM code that the compiler's reader survives.
fn tried(sources: &Sources, file: &Path, folder: &TempDir, code: &[u8]) -> Result<Vec<u8>, Error> {
    let trial = folder.path().join("member.bc");
    std::fs::write(&trial, code).map_err(|why| unreadable(file, why))?;
    probe(sources, file, &trial, folder)?;
    Ok(code.to_vec())
}

fn wrong(file: &Path, why: String) -> Error {
    Error::Unreadable { file: file.to_path_buf(), why }
}
