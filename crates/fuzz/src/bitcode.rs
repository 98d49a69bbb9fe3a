//! The front end: bitcode with some bytes changed is refused in good order, or gives a program that the verifier
//! accepts and that can be run.

use crate::execute::{execute, is_small};
use raddle_llvm::{Sources, load};
use raddle_program::verify;
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A program with most of what the front end knows in it.
const PROGRAM: &str = include_str!("../../../fuzz/seeds/c/kinds.c");

/// Its bitcode, compiled once.
static BITCODE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = TempDir::new().expect("there is room");
    let (source, target) = (folder.path().join("a.c"), folder.path().join("a.bc"));
    std::fs::write(&source, PROGRAM).expect("there is room");
    let status = Command::new(raddle_llvm::CLANG).args(["-c", "-g", "-O1", "-emit-llvm", "-o"]).args([&target, &source]).status();
    assert!(status.expect("clang is installed").success());
    std::fs::read(&target).expect("the compiler wrote it")
});

/// Whether bitcode is a program that was run. Three bytes each are a change: a place in the bitcode, low byte first,
/// and a byte for it.
pub fn bitcode(changes: &[u8]) -> bool {
    let mut code = BITCODE.clone();
    for change in changes.chunks_exact(3) {
        let at = u16::from_le_bytes([change[0], change[1]]) as usize % code.len();
        code[at] = change[2];
    }
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("changed.bc");
    std::fs::write(&file, code).expect("there is room");
    let Ok(program) = load(&Sources::new([file])) else { return false };
    assert_eq!(verify(&program), Ok(()));
    let is_run = is_small(&program);
    if is_run {
        execute(program);
    }
    is_run
}
