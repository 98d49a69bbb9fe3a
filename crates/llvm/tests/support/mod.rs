//! Compiles snippets and shows what they became. The only place in these tests that knows the interface.
#![allow(dead_code)]

use raddle_llvm::{Error, Sources, load};
use raddle_program::{Function, Instr, Program, verify};

/// Reads files with the given names and contents.
pub fn load_files(files: &[(&str, &str)], flags: &[&str]) -> Result<Program, Error> {
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, text): &(&str, &str)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let sources = Sources { cflags: flags.iter().map(Into::into).collect(), ..Sources::new(files.iter().map(write)) };
    let program = load(&sources)?;
    assert_eq!(verify(&program), Ok(()));
    Ok(program)
}

/// Reads a C program, which has to be fine.
#[track_caller]
pub fn c(code: &str, flags: &[&str]) -> Program {
    load_files(&[("a.c", code)], flags).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a C++ program, which has to be fine.
#[track_caller]
pub fn cpp(code: &str, flags: &[&str]) -> Program {
    load_files(&[("a.cpp", code)], flags).unwrap_or_else(|error| panic!("{error}"))
}

/// The function of a name.
#[track_caller]
pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let id = program.function_named(name).unwrap_or_else(|| panic!("no function `{name}`"));
    &program.functions[id.index()]
}

/// The code of a function, one instruction on each line.
#[track_caller]
pub fn text(program: &Program, name: &str) -> String {
    let function = function(program, name);
    let mut out = String::new();
    for (at, instr) in function.code.iter().enumerate() {
        if at > 0 && function.blocks.contains(&(at as u32)) {
            out.push_str(&format!("b{}:\n", function.block_of(at).0));
        }
        instr.print(&mut out, function);
        out.push('\n');
    }
    out
}

/// The code of function `f` of a C program compiled without flags.
#[track_caller]
pub fn check(code: &str, expected: &str) {
    let program = c(&format!("{code}\nint main(void) {{ return 0; }}\n"), &[]);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_string()).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&text(&program, "f")), lines(expected), "update the expectation if the change is meant");
}

/// The words of a function's instructions.
#[track_caller]
pub fn words(program: &Program, name: &str) -> Vec<&'static str> {
    function(program, name).code.iter().map(|i| i.word()).collect()
}

/// What is not supported, in all functions.
pub fn unsupported(program: &Program) -> Vec<String> {
    let all = program.functions.iter().flat_map(|f| &f.code);
    let note = |i: &Instr| match i {
        Instr::Unsupported { what } => Some(program.notes[what.index()].text.clone()),
        _ => None,
    };
    all.filter_map(note).collect()
}
