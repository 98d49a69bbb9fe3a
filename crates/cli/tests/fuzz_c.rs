//! Random C programs through the command line, a few of them; `tools/fuzz-c` runs as many as one likes.

use assert_cmd::cargo::cargo_bin;
use raddle_fuzz_c::{Summary, Tools, Variant, draw, examine, render, shrunk};

/// How many programs a batch has.
const BATCH: usize = 24;

#[test]
fn models_algorithms_and_variants_agree() {
    let tools = Tools::new(cargo_bin("raddle"), raddle_llvm::CLANG.into()).expect("a folder can be made");
    let mut summary = Summary::default();
    for seed in 1..=5 {
        let (flavour, programs) = draw(seed, BATCH);
        if let Some(difference) = examine(&tools, flavour, programs, seed == 1, &mut summary).into_iter().next() {
            let small = shrunk(&tools, difference);
            panic!("seed {seed}: {small}\n{}", render(&small.programs, Variant::Plain));
        }
    }
}
