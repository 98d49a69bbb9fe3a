//! No text makes the reader panic, overflow its stack or hang.

use proptest::prelude::*;
use raddle_litmus::read;
use raddle_program::verify;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// Tests of every kind, to be damaged.
static SEEDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/litmus");
    let mut files: Vec<_> = fs::read_dir(folder).expect("the folder is there").map(|file| file.expect("it is read").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("it is text")).collect()
});

/// Words and signs that mean something somewhere.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "|",
    ":",
    "=",
    "*",
    "&",
    "$",
    "#",
    "%",
    "!",
    "-",
    "~",
    "/\\",
    "\\/",
    "=>",
    "not",
    "exists",
    "(*",
    "*)",
    "\"",
    "0",
    "4294967296",
    "-9223372036854775808",
    "0x",
    "int",
    "P0",
    "P1",
    "x",
    "LOCK",
    "SXTW",
    "r0",
    "X0",
    "\r\n",
];

/// Reads it; what is read must be sound and printable.
fn check(text: &str) {
    if let Ok(test) = read("t.litmus", text) {
        verify(&test.program).unwrap();
        let values = vec![u64::MAX; test.observed.len()];
        test.state(&values);
        test.holds(&values);
        test.passes_filter(&values);
    }
}

#[test]
fn the_seeds_are_tests() {
    for seed in SEEDS.iter() {
        read("t.litmus", seed).unwrap_or_else(|error| panic!("{error}\n{seed}"));
    }
}

#[test]
fn every_beginning_is_safe() {
    for seed in SEEDS.iter() {
        for (end, _) in seed.char_indices() {
            check(&seed[..end]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_safe(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces_are_safe(arch in 0..5usize, pieces in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let body: Vec<&str> = pieces.into_iter().map(|n| PIECES[n]).collect();
        let arch = ["X86", "X86_64", "PPC", "AArch64", "C"][arch];
        check(&format!("{arch} a\n{{ {}", body.join(" ")));
    }

    #[test]
    fn damaged_tests_are_safe(seed in 0..SEEDS.len(), damage in proptest::collection::vec((any::<prop::sample::Index>(), 0..6usize, 0..PIECES.len()), 1..6)) {
        let mut text: Vec<char> = SEEDS[seed].chars().collect();
        for (at, length, piece) in damage {
            let start = at.index(text.len() + 1);
            let end = (start + length).min(text.len());
            text.splice(start..end, PIECES[piece].chars());
        }
        check(&text.into_iter().collect::<String>());
    }
}
