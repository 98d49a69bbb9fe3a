//! Lists in the documents are those of the code: commands, options, models, algorithms, faults, exit codes,
//! dependencies.

use crate::support::{raddle, root};
use raddle_check::{Algorithm, MemoryModel};
use raddle_event::FaultKind;
use std::collections::BTreeSet;

type Names = BTreeSet<String>;

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
}

fn names<'t>(of: impl IntoIterator<Item = &'t str>) -> Names {
    of.into_iter().map(str::to_string).collect()
}

/// The cells of the rows of the table that follows a line with this text.
fn table<'t>(text: &'t str, after: &str) -> Vec<Vec<&'t str>> {
    let (_, rest) = text.split_once(after).unwrap_or_else(|| panic!("there is no `{after}`"));
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2).map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// What stands between backquotes.
fn quoted(text: &str) -> Names {
    text.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// The first column of the table that follows.
fn first_column(text: &str, after: &str) -> Names {
    table(text, after).iter().flat_map(|row| quoted(row[0])).collect()
}

/// The long options that the help of a command lists.
fn helped(command: &str) -> Names {
    let text = String::from_utf8(raddle(&[command, "--help"]).stdout).expect("help is text");
    let listed = text.lines().filter(|line| line.trim_start().starts_with('-')).filter_map(|line| Some(&line[line.find("--")?..]));
    listed.filter_map(|line| line.split(' ').next()).filter(|name| *name != "--help").map(str::to_string).collect()
}

/// The commands that the help lists.
fn commands() -> Names {
    let help = String::from_utf8(raddle(&["--help"]).stdout).expect("help is text");
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_string).collect()
}

#[test]
fn every_option_of_every_command_is_documented() {
    let text = read("docs/commands.md");
    let rows = table(&text, "## Options");
    for command in commands() {
        let documented: Names =
            rows.iter().filter(|row| row[1].split(", ").any(|name| name == command)).flat_map(|row| quoted(row[0])).collect();
        assert_eq!(documented, helped(&command), "options of `raddle {command}` in docs/commands.md");
    }
}

#[test]
fn every_command_is_documented() {
    let commands = commands();
    assert_eq!(first_column(&read("docs/commands.md"), "compares this page with the code"), commands);
    let readme = read("README.md");
    let missing: Vec<&String> = commands.iter().filter(|command| !readme.contains(&format!("raddle {command}"))).collect();
    assert!(missing.is_empty(), "the README does not name {missing:?}");
}

#[test]
fn every_kind_of_fault_is_documented() {
    assert_eq!(first_column(&read("docs/commands.md"), "## Faults"), names(FaultKind::ALL.iter().map(|kind| kind.word())));
}

#[test]
fn every_model_and_algorithm_is_documented() {
    let readme = read("README.md");
    let row =
        |name: &str| readme.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect("the README has such a row").to_string();
    let (models, algorithms) = (row("models"), row("algorithms"));
    let said: Names = quoted(&models).iter().map(|word| word.trim_start_matches("--model ").to_string()).collect();
    let missing: Vec<&str> = MemoryModel::ALL.iter().map(|(_, name)| *name).filter(|name| !said.contains(*name)).collect();
    assert!(missing.is_empty(), "the row of models in the README lacks {missing:?}");
    let page = |name: &str| root().join(format!("docs/models/{name}.md"));
    let missing: Vec<&str> = MemoryModel::ALL.iter().map(|(_, name)| *name).filter(|name| !page(name).exists()).collect();
    assert!(missing.is_empty(), "there is no page in docs/models for {missing:?}");
    // The plain twin tries everything, and needs no page.
    let page = |name: &str| name == "naive" || root().join(format!("docs/algorithms/{}.md", name.replace('-', "_"))).exists();
    let missing: Vec<&str> = Algorithm::ALL.iter().map(|(_, name)| *name).filter(|name| !page(name)).collect();
    assert!(missing.is_empty(), "there is no page in docs/algorithms for {missing:?}");
    assert_eq!(quoted(&algorithms), names(Algorithm::ALL.iter().map(|(_, name)| *name)), "the row of algorithms in the README");
}

/// The help of `--model` and `--algorithm` names all of them.
#[test]
fn help_names_every_model_and_algorithm() {
    for command in ["check", "sample", "litmus"] {
        let help = String::from_utf8(raddle(&[command, "--help"]).stdout).expect("help is text");
        let words: BTreeSet<&str> = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
        let all = MemoryModel::ALL.iter().map(|(_, name)| *name).chain(Algorithm::ALL.iter().map(|(_, name)| *name));
        let missing: Vec<&str> = all.filter(|name| !words.contains(name)).collect();
        assert!(missing.is_empty(), "`raddle {command} --help` lacks {missing:?}");
    }
}

/// A test of each machine is answered under the models that the page lists.
#[test]
fn models_of_litmus_tests_are_documented() {
    let text = read("docs/litmus.md");
    let rows = table(&text, "## What is read");
    for (arch, file) in
        [("X86", "X86/SB+mfences.litmus"), ("PPC", "PPC/SB.litmus"), ("AArch64", "AArch64/SB.litmus"), ("C", "C/SB+porlxacqs.litmus")]
    {
        let output = raddle(&["litmus", &format!("corpus/litmus/{file}"), "--model", "all", "--format", "json"]);
        let answers = String::from_utf8(output.stdout).expect("answers are text");
        let model = |line: &str| Some(serde_json::from_str::<serde_json::Value>(line).ok()?["model"].as_str()?.to_string());
        let row = rows.iter().find(|row| row[0].split(", ").any(|name| name == arch)).expect("the machine has a row");
        assert_eq!(names(row[1].split(", ")), answers.lines().filter_map(model).collect::<Names>(), "models for {arch} in docs/litmus.md");
    }
}

#[test]
fn exit_codes_are_documented() {
    let code = read("crates/cli/src/exit.rs");
    let constants = code.lines().filter_map(|line| line.strip_prefix("pub const ")?.split_once(": u8 = ")?.1.strip_suffix(';'));
    let expected: Names = constants.chain(["0"]).map(str::to_string).collect();
    for (file, after) in [("README.md", "Exit codes ("), ("docs/endings.md", "## Exit codes")] {
        let text = read(file);
        let documented: Names = table(&text, after).iter().map(|row| row[0].to_string()).collect();
        assert_eq!(documented, expected, "exit codes in {file}");
    }
}

#[test]
fn dependencies_have_their_reason() {
    let (manifest, fuzz) = (read("Cargo.toml"), read("fuzz/Cargo.toml"));
    let section = |text: &str, title: &str| -> Names {
        let lines = text.lines().skip_while(|line| *line != title).skip(1).take_while(|line| !line.starts_with('['));
        lines
            .filter_map(|line| line.split_once(" = "))
            .map(|(name, _)| name.to_string())
            .filter(|name| !name.starts_with("raddle-"))
            .collect()
    };
    let used = section(&manifest, "[workspace.dependencies]").union(&section(&fuzz, "[dependencies]")).cloned().collect::<Names>();
    assert_eq!(first_column(&read("docs/decisions/0008-dependencies.md"), "# 8. Dependencies"), used);
}

/// The oldest Rust is stated once; every package refers to it.
#[test]
fn the_oldest_rust_is_stated_once() {
    let manifest = read("Cargo.toml");
    let stated = manifest.lines().filter_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"')).collect::<Vec<_>>();
    let [version] = stated[..] else { panic!("Cargo.toml states {stated:?}") };
    let folders = std::fs::read_dir(root().join("crates")).expect("the folder is there");
    let packages = folders.map(|folder| folder.expect("the folder is readable").path()).chain([root().join("bench")]);
    for manifest in packages.map(|folder| folder.join("Cargo.toml")) {
        let text = std::fs::read_to_string(&manifest).expect("a package has a manifest");
        assert!(text.contains("rust-version.workspace = true"), "{}", manifest.display());
    }
    for file in ["README.md", "CONTRIBUTING.md", "tools/setup"] {
        assert!(read(file).contains(version), "{file} names another Rust than {version}");
    }
}

/// In docs/library.md each section is a header with two lists of functions: those that there are, and others.
#[test]
fn the_lists_of_the_library_are_those_of_the_code() {
    let compiled: Names = raddle_llvm::runtime_functions().expect("the run-time library can be read").into_iter().collect();
    let is_known = |name: &String| compiled.contains(name) || raddle_machine::knows(name);
    for section in read("docs/library.md").split("\n## ").skip(1) {
        let (header, lists) = section.split_once('\n').expect("a section has a heading");
        let (there, missing) = lists.split_once("Not there:").unwrap_or((lists, ""));
        let unknown: Vec<String> = quoted(there).into_iter().filter(|name| !is_known(name)).collect();
        let known: Vec<String> = quoted(missing).into_iter().filter(is_known).collect();
        assert!(unknown.is_empty() && known.is_empty(), "{header}: not there are {unknown:?}, there are {known:?}");
    }
}
