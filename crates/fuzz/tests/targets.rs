//! Each fuzz target on its seeds, and for a few seconds on seeds that were changed at random. `tools/fuzz` does so for
//! as long as one likes.

use raddle_fuzz::{bitcode, changed_bytes, changed_text, litmus, program_text, witness};
use raddle_sample::Random;
use std::path::Path;

/// The seeds of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("there are seeds").map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a seed can be read")).collect()
}

/// Tries the seeds, all of which must be accepted, and some changed ones, of which one in so many must be.
#[track_caller]
fn check(name: &str, target: fn(&[u8]) -> bool, n_texts: u32, one_in: u32) {
    let seeds = seeds(name);
    for (number, seed) in seeds.iter().enumerate() {
        assert!(target(seed), "seed {number} of {name} is refused");
    }
    let (mut random, mut n_run) = (Random::new(1), 0);
    let n_texts = std::env::var("RADDLE_TEXTS").map_or(n_texts, |text| text.parse().expect("it is a number"));
    for _ in 0..n_texts {
        let seed = &seeds[random.below(seeds.len() as u32) as usize];
        let changed = match std::str::from_utf8(seed) {
            Ok(text) if !random.once_in(8) => changed_text(text, &mut random).into_bytes(),
            _ => changed_bytes(seed, &mut random),
        };
        n_run += target(&changed) as u32;
    }
    assert!(n_run >= n_texts / one_in, "only {n_run} of {n_texts} are run");
}

#[test]
fn what_the_verifier_accepts_can_be_run() {
    check("program_text", program_text, 1500, 8);
}

#[test]
fn litmus_tests_are_read_or_refused() {
    check("litmus", litmus, 1000, 8);
}

#[test]
fn witnesses_are_replayed_or_refused() {
    check("witness", witness, 800, 8);
}

/// Each change of bitcode starts a compiler to try it.
#[test]
fn bitcode_is_read_or_refused() {
    assert!(bitcode(&[]), "bitcode as it is");
    let mut random = Random::new(1);
    for _ in 0..60 {
        let changes: Vec<u8> = (0..3 * random.within(1..=4)).map(|_| random.below(256) as u8).collect();
        bitcode(&changes);
    }
}
