//! Random command lines on random and damaged inputs, a few of them; `tools/fuzz` runs as many as one likes.

use assert_cmd::cargo::cargo_bin;
use raddle_fuzz::Trial;

#[test]
fn every_command_line_ends_as_it_may() {
    let trial = Trial::new(&cargo_bin("raddle")).expect("a folder can be made");
    for seed in 1..=60 {
        if let Err(finding) = trial.run(seed).expect("a process can be started") {
            panic!("seed {seed}: {finding}");
        }
    }
}
