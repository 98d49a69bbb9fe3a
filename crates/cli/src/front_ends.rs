//! Front ends: who reads the files that make a program.

use crate::arguments::Input;
use crate::failure::Failure;
use crate::internal::Internal;
use crate::words::words;
use crate::{build, exit, guard};
use raddle_llvm::{Checks, Error, Sources, Test};
use raddle_machine::link;
use raddle_program::Program;

/// Reads all files as one program. Where reads of what was never written are faults, local variables that may have no
/// value stay in memory.
type Read = fn(input: &Input, keeps_unset: bool) -> Result<Program, Failure>;

/// Every front end with the ends of names that it reads. The first file chooses; what nobody reads goes to the first
/// front end, which says what it can read.
const FRONT_ENDS: &[(&[&str], Read)] = &[(&["c", "i", "cc", "cpp", "cxx", "C", "c++", "ll", "bc", "o", "lo", "a"], llvm)];

/// Reads a program, or says what is wrong with it.
pub fn load(input: &Input, keeps_unset: bool, internal: &Internal) -> Result<Program, Failure> {
    let end = input.files.first().and_then(|file| file.extension()).unwrap_or_default();
    let read = FRONT_ENDS.iter().find(|(ends, _)| ends.iter().any(|known| end == *known)).unwrap_or(&FRONT_ENDS[0]).1;
    let linked = |mut program: Program| {
        link(&mut program);
        program
    };
    let loaded = internal.guarded(&input.files, || read(input, keeps_unset).map(linked));
    loaded.unwrap_or_else(|what| Err(Failure::internal(&what)))
}

/// The functions of a program that are tests.
pub fn tests(input: &Input, internal: &Internal) -> Result<Vec<Test>, Failure> {
    let found = internal.guarded(&input.files, || raddle_llvm::tests(&sources(input, false)?).map_err(|why| failure(input, &why)));
    found.unwrap_or_else(|what| Err(Failure::internal(&what)))
}

/// C, C++ and LLVM's own code.
fn llvm(input: &Input, keeps_unset: bool) -> Result<Program, Failure> {
    raddle_llvm::load(&sources(input, keeps_unset)?).map_err(|why| failure(input, &why))
}

/// What is to be read, and how.
fn sources(input: &Input, keeps_unset: bool) -> Result<Sources, Failure> {
    let file_flags = match &input.build {
        Some(build) => build::flags(build, &input.files).map_err(|why| Failure::new("usage", why, exit::USAGE))?,
        None => Vec::new(),
    };
    Ok(Sources {
        files: input.files.clone(),
        cflags: input.cflags.clone(),
        clang: input.clang.clone(),
        file_flags,
        arguments: words(&input.args),
        environment: input.env.clone(),
        entry: input.entry.clone(),
        keeps_unset,
        checks: if input.ub { Checks::All } else { input.checks },
        sv_comp: input.sv_comp,
        is_lenient: input.lenient,
    })
}

/// Why a program was not read, as the command says it.
fn failure(input: &Input, why: &Error) -> Failure {
    if let Some(limit) = guard::limit_of_compiler() {
        return Failure::cut(&limit);
    }
    let message = match why {
        Error::NoMain | Error::NoEntry(_) => format!("{}: {why}", input.names()),
        _ => why.to_string(),
    };
    let (kind, code) = match why {
        Error::Compiler { .. } | Error::BadBitcode { .. } | Error::NoMain | Error::NoEntry(_) => ("compiler", exit::COMPILER),
        Error::Unsupported { .. } => ("unsupported", exit::UNSUPPORTED),
        _ => ("input", exit::USAGE),
    };
    Failure::new(kind, message, code)
}
