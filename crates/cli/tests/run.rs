//! `raddle run` on corpus/run: at -O0 and at -O2 a program prints what its natively compiled twin printed (NAME.out)
//! and ends with its exit code (the last line of NAME.out). `tools/capture-run` makes these files.

use crate::support::{check_all, raddle, root};
use std::path::{Path, PathBuf};

#[test]
fn programs_print_what_they_print_natively() {
    let files = std::fs::read_dir(root().join("corpus/run")).expect("the corpus is there");
    let programs =
        files.map(|entry| entry.expect("the corpus is readable").path()).filter(|file| file.extension().is_none_or(|e| e != "out"));
    let runs: Vec<(PathBuf, &str)> = programs.flat_map(|file| ["-O0", "-O2"].map(|level| (file.clone(), level))).collect();
    check_all(&runs, |(file, level)| check(file, level));
}

fn check(file: &Path, level: &str) -> Result<(), String> {
    let name = file.display().to_string();
    let standard = if name.ends_with(".cpp") { "-std=c++17" } else { "-std=c11" };
    let output = raddle(&["run", &name, "--", standard, level, "-D_GNU_SOURCE"]);
    let code = output.status.code().map_or("a signal".into(), |code| code.to_string());
    let found = format!("{}exit code {code}\n", String::from_utf8_lossy(&output.stdout));
    let expected = std::fs::read(file.with_extension("out")).map_err(|why| format!("{name}: {why}"))?;
    if found == String::from_utf8_lossy(&expected) {
        return Ok(());
    }
    Err(format!("{name} {level}: exit code {code}, or another output\n{}", String::from_utf8_lossy(&output.stderr)))
}
