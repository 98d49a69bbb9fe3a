//! Inputs of every kind for command lines: C, LLVM text, bitcode, litmus tests and witnesses, as they are or changed at
//! random.

use crate::change::{changed_bytes, changed_text};
use crate::witness::{forged, taken_apart};
use raddle_fuzz_c::{Variant, render};
use raddle_sample::Random;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Programs in C that are right or wrong.
const SOURCES: [&str; 4] = [
    include_str!("../../../fuzz/seeds/c/kinds.c"),
    include_str!("../../../fuzz/seeds/c/locks.c"),
    include_str!("../../../fuzz/seeds/c/waits.c"),
    include_str!("../../../fuzz/seeds/c/heap.c"),
];
/// Litmus tests of every kind.
pub const TESTS: [&str; 6] = [
    include_str!("../../../fuzz/seeds/litmus/x86"),
    include_str!("../../../fuzz/seeds/litmus/x86_64"),
    include_str!("../../../fuzz/seeds/litmus/ppc"),
    include_str!("../../../fuzz/seeds/litmus/aarch64"),
    include_str!("../../../fuzz/seeds/litmus/c"),
    include_str!("../../../fuzz/seeds/litmus/c_loops"),
];
const MODELS: [&str; 6] = ["sc", "tso", "pso", "ra", "power", "aarch64"];

/// What inputs are made from.
pub struct Inputs {
    texts: Vec<String>,
    bitcode: Vec<Vec<u8>>,
    witnesses: Vec<Vec<u8>>,
}

impl Inputs {
    /// Compiles the programs, and has witnesses written of what is wrong with them.
    pub fn new(raddle: &Path) -> std::io::Result<Inputs> {
        let folder = TempDir::new()?;
        let mut inputs = Inputs { texts: Vec::new(), bitcode: Vec::new(), witnesses: Vec::new() };
        for (source, level) in SOURCES.iter().flat_map(|source| [(source, "-O0"), (source, "-O1")]) {
            std::fs::write(folder.path().join("a.c"), source)?;
            for (kind, made) in [("-S", "a.ll"), ("-c", "a.bc")] {
                let mut command = Command::new(raddle_llvm::CLANG);
                command.current_dir(&folder).args(["-w", "-g", "-emit-llvm", level, kind, "a.c", "-o", made]).status()?;
            }
            inputs.texts.push(std::fs::read_to_string(folder.path().join("a.ll"))?);
            inputs.bitcode.push(std::fs::read(folder.path().join("a.bc"))?);
        }
        for (source, model) in SOURCES.iter().flat_map(|source| MODELS.map(|model| (source, model))) {
            std::fs::write(folder.path().join("a.c"), source)?;
            let mut command = Command::new(raddle);
            command.current_dir(&folder).args(["check", "a.c", "--model", model, "--timeout", "5", "--witness", "w.json"]).output()?;
            inputs.witnesses.extend(std::fs::read(folder.path().join("w.json")));
            let _not_there = std::fs::remove_file(folder.path().join("w.json"));
        }
        Ok(inputs)
    }

    /// A program: the name of its file, and what is in it.
    pub fn program(&self, random: &mut Random) -> (&'static str, Vec<u8>) {
        match random.below(8) {
            0..=4 => ("a.c", source(random).into_bytes()),
            5 | 6 => {
                let text = &self.texts[random.below(self.texts.len() as u32) as usize];
                ("a.ll", if random.once_in(8) { changed_bytes(text.as_bytes(), random) } else { changed_text(text, random).into_bytes() })
            }
            _ => ("a.bc", changed_bytes(&self.bitcode[random.below(self.bitcode.len() as u32) as usize], random)),
        }
    }

    /// A litmus test.
    pub fn litmus(&self, random: &mut Random) -> Vec<u8> {
        let text = random.pick(&TESTS);
        match random.below(4) {
            0 => text.into(),
            1 => changed_bytes(text.as_bytes(), random),
            _ => changed_text(text, random).into_bytes(),
        }
    }

    /// A witness: as it is, with bytes changed, with entries changed, or with another program and the right hash for
    /// it.
    pub fn witness(&self, random: &mut Random) -> Vec<u8> {
        let witness = &self.witnesses[random.below(self.witnesses.len() as u32) as usize];
        let forge = |random: &mut Random| {
            let (line, text) = taken_apart(witness)?;
            let (line, text) = (String::from_utf8_lossy(&line).into_owned(), String::from_utf8_lossy(&text).into_owned());
            let line = if random.once_in(2) { changed_text(&line, random) } else { line };
            forged(line.as_bytes(), changed_text(&text, random).as_bytes())
        };
        match random.below(8) {
            0 => witness.clone(),
            1 => changed_bytes(witness, random),
            2 | 3 => changed_text(&String::from_utf8_lossy(witness), random).into_bytes(),
            _ => forge(random).unwrap_or_else(|| witness.clone()),
        }
    }
}

/// A program in C: a seed or one drawn at random, as it is or changed.
fn source(random: &mut Random) -> String {
    let text = match random.once_in(2) {
        true => random.pick(&SOURCES).to_string(),
        false => render(&raddle_fuzz_c::draw(u64::from(random.below(1 << 20)), 1 + random.below(2) as usize).1, Variant::Plain),
    };
    match random.below(8) {
        0..=3 => text,
        4 => String::from_utf8_lossy(&changed_bytes(text.as_bytes(), random)).into_owned(),
        _ => changed_text(&text, random),
    }
}
