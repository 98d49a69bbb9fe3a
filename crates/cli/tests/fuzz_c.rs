//! Random C programs through the command line, a few of them; `tools/fuzz-c` runs as many as one likes.

use assert_cmd::cargo::cargo_bin;
use raddle_fuzz_c::{Summary, Tools, Variant, draw, draw_flows, examine, misjudged, render, shrunk};

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

/// What goes through a structure depends on what the source says, and on nothing else that is in the structure.
#[test]
fn members_do_not_depend_on_one_another() {
    let tools = Tools::new(cargo_bin("raddle"), raddle_llvm::CLANG.into()).expect("a folder can be made");
    for seed in 1..=2 {
        let wrong = misjudged(&tools, &draw_flows(seed, BATCH)).expect("the compiler takes what was drawn");
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong[0]);
    }
}
