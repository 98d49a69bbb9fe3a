//! The run-time library: what C and C++ have in a binary that cannot be checked, and what is better written in C than
//! in the machine.
//!
//! It is compiled when Raddle is built. A part is put into a program that names something of it without defining it;
//! whoever defines such a thing gets their own. It has no places in the source, so that what goes wrong in it is shown
//! where the program calls it.

use crate::Error;
use crate::ir::Module;
use std::cmp::Ordering;

/// A part, with the name of its source.
struct Part {
    source: &'static str,
    code: &'static [u8],
    /// What it may define, sorted, one name a line: reading the code takes much longer than to look there.
    names: &'static str,
    /// Where there are any, it is put only into programs that name one of these.
    only_with: &'static [&'static str],
}

/// What opens files. A program that names none of these writes to the standard streams alone, which the machine prints.
const OPENERS: [&str; 15] = [
    "fopen",
    "fopen64",
    "fdopen",
    "freopen",
    "freopen64",
    "tmpfile",
    "tmpfile64",
    "open",
    "open64",
    "openat",
    "creat",
    "mkstemp",
    "pipe",
    "pipe2",
    "dup",
];

macro_rules! part {
    ($name:literal, $extension:literal) => {
        Part {
            source: concat!($name, $extension),
            code: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bc")),
            names: include_str!(concat!(env!("OUT_DIR"), "/", $name, ".names")),
            only_with: &[],
        }
    };
}

/// The parts. One may need those that come after it.
const PARTS: [Part; 11] = [
    part!("streams", ".cpp"),
    part!("memory_resource", ".cpp"),
    part!("exceptions", ".cpp"),
    part!("complex", ".c"),
    part!("calendar", ".c"),
    part!("wide", ".c"),
    part!("environment", ".c"),
    part!("posix", ".c"),
    Part { only_with: &OPENERS, ..part!("writing", ".c") },
    part!("files", ".c"),
    part!("library", ".c"),
];

impl Part {
    /// Whether it may define one of some names.
    fn may_define(&self, wanted: &[String]) -> bool {
        let is_there = |name: &&str| wanted.iter().any(|wanted| wanted == name);
        let is_fit = self.only_with.is_empty() || self.only_with.iter().any(is_there);
        is_fit && wanted.iter().any(|name| has_line(self.names, name))
    }
}

/// Whether a text of sorted lines has this line: found by bisection in the text as it is.
fn has_line(mut lines: &str, wanted: &str) -> bool {
    while !lines.is_empty() {
        let middle = lines.len() / 2;
        let start = lines.as_bytes()[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let (before, rest) = lines.split_at(start);
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        lines = match wanted.cmp(line) {
            Ordering::Equal => return true,
            Ordering::Less => before,
            Ordering::Greater => after,
        };
    }
    false
}

/// Puts the parts that a program needs into it.
pub fn add(module: &mut Module) -> Result<(), Error> {
    let mut wanted = module.undefined();
    let mut is_any = false;
    for part in PARTS {
        if part.may_define(&wanted)
            && module.add_if_needed(part.code, part.source).map_err(|why| Error::BadBitcode { file: part.source.into(), why })?
        {
            is_any = true;
            wanted = module.undefined();
        }
    }
    if is_any {
        module.drop_unused().map_err(|why| Error::BadBitcode { file: "the run-time library".into(), why })?;
    }
    Ok(())
}

/// The names of all functions that the run-time library defines.
pub fn functions() -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for Part { source, code, .. } in PARTS {
        let mut part = Module::new();
        part.add(code, source).map_err(|why| Error::BadBitcode { file: source.into(), why })?;
        names.extend(part.functions().into_iter().filter(|function| !function.is_declaration()).map(|function| function.name()));
    }
    Ok(names)
}
