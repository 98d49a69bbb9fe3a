//! The front end for C, C++ and LLVM's own code: the only crate that knows LLVM.
//!
//! Sources are compiled by `clang`, linked, and put into registers where they have no address; nothing else is
//! optimised, so the dependencies of the source stay. Then every function is lowered to the program form. What the form
//! has no words for becomes an instruction that stops the run when it is reached, so that a program is refused only for
//! what it does.
//!
//! ```no_run
//! let sources = raddle_llvm::Sources::new(["queue.c"]);
//! let program = raddle_llvm::load(&sources)?;
//! assert!(program.function_named("main").is_some());
//! # Ok::<(), raddle_llvm::Error>(())
//! ```

#![warn(missing_docs, clippy::too_many_lines)]

mod child;
mod coalesce;
mod compile;
mod constants;
mod error;
mod globals;
mod ir;
mod layouts;
mod lower;
mod object;
mod places;
mod probe;
mod runtime;
mod shape;
mod stand_in;
mod start;
mod straighten;
mod tests;
mod unit;
mod unset;
mod unsupported;

pub use child::{compiler, end_compiler};
pub use error::Error;
pub use runtime::functions as runtime_functions;
pub use tests::{Test, tests};

use compile::{Language, compile};
use ir::{Module, Value};
use probe::probe;
use raddle_program::{Function, FunctionId, Program, verify};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use unit::Unit;

/// The compiler whose LLVM is linked. An older one will do as well; what a newer one makes cannot be read.
pub const CLANG: &str = concat!("clang-", env!("RADDLE_LLVM_VERSION"));

/// What to read and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Files of C, C++, LLVM text or bitcode, object files and archives with bitcode, which make one program together.
    pub files: Vec<PathBuf>,
    /// Flags for the compiler, after our own.
    pub cflags: Vec<OsString>,
    /// The compiler of C; the one of C++ stands beside it.
    pub clang: PathBuf,
    /// Flags of single files, which come before those for all: the file, the folder in which it is compiled, and the
    /// flags.
    pub file_flags: Vec<(PathBuf, PathBuf, Vec<OsString>)>,
    /// The arguments that `main` gets after the name of the program.
    pub arguments: Vec<String>,
    /// The environment, each as `NAME=VALUE`.
    pub environment: Vec<String>,
    /// The function that the program begins with.
    pub entry: String,
    /// Whether variables that may be read before they have a value stay in memory, where the machine sees such a read.
    pub keeps_unset: bool,
    /// Which checks for undefined behaviour the compiler puts into the program.
    pub checks: Checks,
    /// Whether the names mean what they mean in SV-COMP: only `reach_error` is an error, and `abort` an end.
    pub sv_comp: bool,
    /// Whether old C is let through.
    pub is_lenient: bool,
}

/// Checks for undefined behaviour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// There are none.
    #[default]
    None,
    /// Those for overflows of signed numbers.
    Overflow,
    /// All of them.
    All,
}

impl Sources {
    /// Files compiled by [`CLANG`] without further flags.
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Sources {
        let files = files.into_iter().map(Into::into).collect();
        let (arguments, environment) = (Vec::new(), Vec::new());
        let (file_flags, entry) = (Vec::new(), "main".into());
        Sources {
            files,
            cflags: Vec::new(),
            clang: CLANG.into(),
            file_flags,
            arguments,
            environment,
            entry,
            keeps_unset: false,
            checks: Checks::None,
            sv_comp: false,
            is_lenient: false,
        }
    }
}

/// Whether a file is read by LLVM's own reader, by the end of its name.
pub fn is_llvm_code(file: &Path) -> bool {
    matches!(Language::of(file), Some(Language::Llvm | Language::Object | Language::Archive))
}

/// Reads a program.
pub fn load(sources: &Sources) -> Result<Program, Error> {
    let mut module = module_of(sources)?;
    let whole = |why: String| Error::BadBitcode { file: sources.files.first().cloned().unwrap_or_default(), why };
    if module.pointer_size() != Some(8) {
        let what = "a target other than one of 64 bits with the low byte first".into();
        return Err(Error::Unsupported { what, place: sources.files.first().map(|f| f.display().to_string()).unwrap_or_default() });
    }
    runtime::add(&mut module)?;
    if sources.keeps_unset {
        unset::keep_in_memory(&module);
    }
    module.promote_registers().map_err(whole)?;
    let program = lower_module(&module, sources)?;
    verify(&program).map_err(|wrong| whole(wrong.to_string()))?;
    Ok(program)
}

/// All files as one module.
fn module_of(sources: &Sources) -> Result<Module, Error> {
    let folder = tempfile::tempdir().map_err(|why| unreadable(Path::new(""), why))?;
    let mut module = Module::new();
    let (archives, files): (Vec<_>, Vec<_>) =
        sources.files.iter().enumerate().partition(|(_, file)| Language::of(file) == Some(Language::Archive));
    for (number, file) in files {
        let code = read(sources, file, &folder, number)?;
        module.add(&code, &file.display().to_string()).map_err(|why| Error::BadBitcode { file: file.clone(), why })?;
    }
    for (_, archive) in archives {
        check_kind(archive)?;
        object::add_archive(&mut module, sources, archive, &folder)?;
    }
    Ok(module)
}

/// The LLVM code of all files, which are compiled where they are sources. The folder in which they are compiled is gone
/// when they have been read.
pub fn bitcode(sources: &Sources) -> Result<Vec<Vec<u8>>, Error> {
    let folder = tempfile::tempdir().map_err(|why| unreadable(Path::new(""), why))?;
    sources.files.iter().enumerate().map(|(number, file)| read(sources, file, &folder, number)).collect()
}

/// The LLVM code of a file, which is compiled first where it is a source.
fn read(sources: &Sources, file: &Path, folder: &tempfile::TempDir, number: usize) -> Result<Vec<u8>, Error> {
    let Some(language) = Language::of(file) else {
        return Err(Error::Unreadable {
            file: file.to_path_buf(),
            why: "its name does not end in .c, .cc, .cpp, .cxx, .C, .ll, .bc, .o or .a".into(),
        });
    };
    check_kind(file)?;
    let code = match language {
        Language::Llvm => probe(sources, file, file, folder).map(|()| file.to_path_buf())?,
        Language::Object | Language::Archive => return object::read(sources, file, folder),
        Language::C | Language::Cpp => compile(sources, file, language, folder, number)?,
    };
    std::fs::read(&code).map_err(|why| unreadable(file, why))
}

/// Refuses what is no file: a pipe or a device would never end.
fn check_kind(file: &Path) -> Result<(), Error> {
    match std::fs::metadata(file) {
        Ok(known) if known.is_dir() => Err(not_a_file(file, "a folder")),
        Ok(known) if !known.is_file() => Err(not_a_file(file, "a pipe or a device")),
        _ => std::fs::File::open(file).map(drop).map_err(|why| unreadable(file, why)),
    }
}

fn not_a_file(file: &Path, what: &str) -> Error {
    Error::Unreadable { file: file.to_path_buf(), why: format!("it is {what}, not a file") }
}

fn unreadable(file: &Path, why: std::io::Error) -> Error {
    Error::Unreadable { file: file.to_path_buf(), why: why.to_string() }
}

fn lower_module(module: &Module, sources: &Sources) -> Result<Program, Error> {
    let mut unit = Unit::new(module);
    unit.sv_comp = sources.sv_comp;
    let defined: Vec<Value<'_>> = module.functions().into_iter().filter(|f| !f.is_declaration()).collect();
    // Numbers come first, so that constants can refer to functions that are not lowered yet.
    for &function in &defined {
        let id = FunctionId(unit.program.functions.len() as u32);
        unit.program.functions.push(Function::default());
        unit.functions.insert(function, id);
    }
    unit.add_globals()?;
    for &function in &defined {
        let lowered = lower::lower(&mut unit, function);
        let id = unit.functions[&function];
        unit.program.functions[id.index()] = lowered;
    }
    unit.add_start(sources)?;
    Ok(unit.program)
}
