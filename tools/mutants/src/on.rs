//! Becomes a crate of the mutated copy: whether a mutant is chosen.
//!
//! `MUTANT` has the number of the mutant that is chosen. Where `MUTANTS_REACHED` names a folder instead, none is, and
//! each that could have made a difference leaves a file with its number there.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

const NOTE: usize = usize::MAX;
const NONE: usize = usize::MAX - 1;

static FOLDER: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("MUTANTS_REACHED").ok());

static CHOSEN: LazyLock<usize> = LazyLock::new(|| match (&*FOLDER, std::env::var("MUTANT")) {
    (Some(_), _) => NOTE,
    (None, Ok(number)) => number.parse().expect("MUTANT is a number"),
    (None, Err(_)) => NONE,
});

static REACHED: [AtomicBool; 8192] = [const { AtomicBool::new(false) }; 8192];

#[inline]
pub fn on(mutant: usize) -> bool {
    let chosen = *CHOSEN;
    if chosen == NOTE {
        note(mutant);
    }
    chosen == mutant
}

#[cold]
fn note(mutant: usize) {
    if REACHED[mutant].swap(true, Ordering::Relaxed) {
        return;
    }
    if let Some(folder) = &*FOLDER {
        std::fs::write(format!("{folder}/{mutant}"), "").expect("the folder is there");
    }
}
