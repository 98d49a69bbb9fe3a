//! Runs the compiler: C and C++ to bitcode with debug information and without optimisation, unless flags ask for it.

use crate::{Checks, Error, Sources, child};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What is asked of the compiler before the user's own flags. The last but two is for the marks where local variables
/// of blocks come into being and cease to be, which are not made at -O0 otherwise.
const FLAGS: [&str; 10] = [
    "-g",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-discard-value-names",
    "-pthread",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-emit-llvm",
    "-c",
];

/// What makes the compiler put checks of its own into a program, each of which ends in a trap with a number. What the
/// machine sees itself is left to it: null pointers, divisions by zero, code that cannot be reached. Whether a function
/// has the type by which it is called would be looked up in front of its code, which is none of the program's memory.
const UNDEFINED: [&str; 3] = [
    "-fsanitize=undefined,float-cast-overflow",
    "-fsanitize-trap=all",
    "-fno-sanitize=function,vptr,null,integer-divide-by-zero,unreachable,object-size",
];

/// The same for overflows of signed numbers alone.
const OVERFLOW: [&str; 2] = ["-fsanitize=signed-integer-overflow", "-fsanitize-trap=all"];

/// What lets old C through: functions that are not declared, types that are left out, numbers for pointers.
const LENIENT: [&str; 9] = [
    "-Wno-unknown-warning-option",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-return-type",
    "-Wno-main-return-type",
];

/// What is read before a C++ file. The library of GCC promises with `extern template` that it defines the members of
/// `std::string` and of its allocator elsewhere, in a binary that cannot be checked; without the promise they are
/// compiled with the program. (-1 is the library's own value for "streams only".) `std::shared_ptr` reads its two
/// counts as one word, as a short cut, unless the library is made for a tool that looks at threads.
const BEFORE_CPP: &str = "\
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <bits/allocator.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#undef _GLIBCXX_TSAN
#define _GLIBCXX_TSAN 1
#endif
";

/// Headers of other checkers, for programs that were written for those and do not find them.
const HEADERS: [(&str, &str); 2] = [("genmc.h", include_str!("../include/genmc.h")), ("dat3m.h", include_str!("../include/dat3m.h"))];

/// The language of a file, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    /// LLVM's own, as text or bitcode.
    Llvm,
    /// An object file that has LLVM's code inside.
    Object,
    /// An archive of such files.
    Archive,
}

impl Language {
    /// The language of a file; `None` where the end of its name says nothing.
    pub fn of(file: &Path) -> Option<Language> {
        match file.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "C" | "c++" => Some(Language::Cpp),
            "ll" | "bc" => Some(Language::Llvm),
            "o" | "lo" => Some(Language::Object),
            "a" => Some(Language::Archive),
            _ => None,
        }
    }
}

/// Compiles a file into the folder and gives the path of the bitcode.
pub fn compile(sources: &Sources, file: &Path, language: Language, folder: &TempDir, number: usize) -> Result<PathBuf, Error> {
    let unreadable = |why: String| Error::Unreadable { file: file.to_path_buf(), why };
    let bitcode = folder.path().join(format!("{number}.bc"));
    let mut command = match language {
        Language::Cpp => Command::new(cpp_compiler(&sources.clang)),
        _ => Command::new(&sources.clang),
    };
    command.args(FLAGS);
    match sources.checks {
        Checks::None => {}
        Checks::Overflow => drop(command.args(OVERFLOW)),
        Checks::All => drop(command.args(UNDEFINED)),
    }
    if sources.is_lenient && language == Language::C {
        command.args(LENIENT);
    }
    if language == Language::Cpp {
        let before = folder.path().join("before.hpp");
        std::fs::write(&before, BEFORE_CPP).map_err(|why| unreadable(why.to_string()))?;
        command.arg("-include").arg(before);
    }
    match sources.file_flags.iter().find(|(of, ..)| of == file) {
        Some((_, folder, flags)) => {
            // The file is named from here, its flags from there.
            let whole = std::path::absolute(file).map_err(|why| unreadable(why.to_string()))?;
            command.current_dir(folder).args(flags).args(&sources.cflags).arg("-o").arg(&bitcode).arg(whole);
        }
        None => drop(command.args(&sources.cflags).arg("-o").arg(&bitcode).arg(file)),
    }
    let not_run = |command: &Command, why| unreadable(format!("{:?} does not run: {why}", command.get_program()));
    let (mut status, mut said) = child::run(&mut command).map_err(|why| not_run(&command, why))?;
    if !status.success() && lacks_header(&said) {
        let headers = folder.path().join("include");
        put_headers(&headers).map_err(|why| unreadable(why.to_string()))?;
        command.arg("-idirafter").arg(headers);
        (status, said) = child::run(&mut command).map_err(|why| not_run(&command, why))?;
    }
    match status.success() {
        true => Ok(bitcode),
        false => {
            let mut output = String::from_utf8_lossy(&said).into_owned();
            if language == Language::C && !sources.is_lenient && is_old(&output) {
                output.push_str("`--lenient` lets old C through\n");
            }
            Err(Error::Compiler { file: file.to_path_buf(), output })
        }
    }
}

/// Whether the compiler has not found one of the [`HEADERS`].
fn lacks_header(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    HEADERS.iter().any(|(name, _)| said.contains(&format!("'{name}' file not found")))
}

fn put_headers(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    HEADERS.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

/// Whether the compiler complains of what [`LENIENT`] lets through.
fn is_old(output: &str) -> bool {
    let complaints = LENIENT.iter().filter_map(|flag| flag.strip_prefix("-Wno-"));
    output
        .lines()
        .filter(|line| line.contains(" error: "))
        .any(|line| complaints.clone().any(|name| line.ends_with(&format!("[-W{name}]"))))
}

/// `clang++-22` for `clang-22`: the compiler beside the given one that links and includes for C++.
fn cpp_compiler(clang: &Path) -> PathBuf {
    let name = clang.file_name().unwrap_or_default().to_string_lossy();
    match name.strip_prefix("clang") {
        Some(rest) if !rest.starts_with("++") => clang.with_file_name(format!("clang++{rest}")),
        _ => clang.to_path_buf(),
    }
}
