//! Rules of the house that a compiler does not check: layers, sizes, heads of modules, words that must not stay.

use crate::support::root;
use std::path::{Path, PathBuf};

/// What each crate may depend on, besides crates from outside. `explore` and `memory` do not know each other; only
/// `llvm` knows LLVM.
const LAYERS: &[(&str, &[&str])] = &[
    ("event", &[]),
    ("program", &["event"]),
    ("llvm", &["event", "program"]),
    ("litmus", &["event", "program"]),
    ("sample", &["event", "program"]),
    ("fuzz-c", &["sample"]),
    ("fuzz", &["check", "fuzz-c", "join", "litmus", "llvm", "machine", "program", "report", "sample", "story"]),
    ("machine", &["event", "program"]),
    ("memory", &["event"]),
    ("explore", &["event"]),
    ("judge", &["event", "machine", "program"]),
    ("join", &["event", "explore", "machine", "memory", "program"]),
    ("story", &["event", "judge", "machine", "program"]),
    ("check", &["event", "explore", "join", "judge", "machine", "memory", "program", "story"]),
    ("cluster", &["check", "event", "machine", "program"]),
    ("report", &["check", "event", "join", "litmus", "machine", "program", "story"]),
    ("cli", &["check", "cluster", "event", "explore", "join", "litmus", "llvm", "machine", "program", "report", "story"]),
];

/// Words that must not be in the code of the first, except in the folders of the second.
const WORDS: &[(&str, &[&str])] = &[
    (concat!("to", "do!"), &[]),
    (concat!("unimpl", "emented!"), &[]),
    (concat!("TO", "DO"), &[]),
    (concat!("FIX", "ME"), &[]),
    (concat!("llvm", "_sys"), &["crates/llvm/"]),
    (
        concat!("unsafe", " {"),
        &["crates/llvm/", "crates/cli/src/guard/", "crates/machine/src/thread.rs", "crates/machine/src/runner/private.rs"],
    ),
    (
        concat!("print", "ln!("),
        &[
            "bench/src/main.rs",
            "crates/cli/",
            "crates/cluster/build.rs",
            "crates/cluster/examples/",
            "crates/fuzz-c/src/main.rs",
            "crates/fuzz/src/main.rs",
            "crates/llvm/build.rs",
            "crates/llvm/examples/",
            "/tests/",
            "/benches/",
        ],
    ),
    (
        concat!("std::", "env::"),
        &["crates/cli/", "crates/cluster/examples/", "crates/llvm/build.rs", "crates/llvm/examples/", "/tests/", "/benches/"],
    ),
    (concat!("process::", "exit"), &["crates/cli/", "crates/llvm/examples/"]),
];

/// The longest file.
const MOST_LINES: usize = 700;

/// The longest line of a comment or document. What stands in a table or is code may be longer.
const MOST_COLUMNS: usize = 120;

/// The longest function, and the most parameters of one beside `self`.
const MOST_OF_A_FUNCTION: (usize, usize) = (60, 5);

/// Functions that are one flat match.
const LARGE_FUNCTIONS: &[(&str, &str)] = &[
    ("crates/event/src/rmw.rs", "apply"),
    ("crates/llvm/src/lower/instruction.rs", "instruction"),
    ("crates/llvm/src/lower/intrinsics.rs", "intrinsic"),
    ("crates/machine/src/apply.rs", "apply"),
    ("crates/machine/src/runner.rs", "effect"),
    ("crates/sample/src/lower.rs", "statement"),
];

#[test]
fn crates_keep_to_their_layers() {
    let mut wrong = Vec::new();
    for folder in folders(&root().join("crates")) {
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let Some((_, allowed)) = LAYERS.iter().find(|(of, _)| *of == name) else {
            wrong.push(format!("crates/{name} has no line in LAYERS"));
            continue;
        };
        let manifest = read(&folder.join("Cargo.toml"));
        let used = section(&manifest, "[dependencies]").filter_map(|line| line.strip_prefix("raddle-")?.split(['.', ' ', '=']).next());
        wrong.extend(used.filter(|used| !allowed.contains(used)).map(|used| format!("crates/{name} must not depend on crates/{used}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a package depends on stands in its code.
#[test]
fn dependencies_are_used() {
    let mut wrong = Vec::new();
    for folder in folders(&root().join("crates")).into_iter().chain([root().join("bench")]) {
        let (manifest, code) = (read(&folder.join("Cargo.toml")), code(&folder));
        let sections = ["[dependencies]", "[dev-dependencies]", "[build-dependencies]"];
        let all = sections.iter().flat_map(|title| section(&manifest, title)).filter_map(|line| line.split(['.', ' ', '=']).next());
        let unused = all.filter(|name| !name.is_empty() && !name.starts_with('#') && !code.contains(&name.replace('-', "_")));
        wrong.extend(unused.map(|name| format!("{}: {name}", folder.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The code of a package, with what it takes from others by its path.
fn code(folder: &Path) -> String {
    let mut code = String::new();
    for file in files(folder, "rs") {
        let text = read(&file);
        let paths = text.split("#[path = \"").skip(1).filter_map(|rest| rest.split('"').next());
        code.extend(paths.map(|path| read(&file.parent().expect("a file is in a folder").join(path))));
        code += &text;
    }
    code
}

#[test]
fn files_are_tidy() {
    let mut wrong = Vec::new();
    for file in sources(&root()) {
        let (text, name) = (read(&file), file.strip_prefix(root()).expect("it is in the repository").display().to_string());
        if !text.starts_with("//! ") {
            wrong.push(format!("{name}: does not open with what it is (`//!`)"));
        }
        if text.lines().count() > MOST_LINES {
            wrong.push(format!("{name}: more than {MOST_LINES} lines"));
        }
        let is_found = |(word, except): &&(&str, &[&str])| text.contains(word) && !except.iter().any(|folder| name.contains(folder));
        wrong.extend(WORDS.iter().filter(is_found).map(|(word, _)| format!("{name}: `{word}`")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn comments_and_documents_wrap() {
    let mut wrong = Vec::new();
    for file in sources(&root()).into_iter().chain(documents(&root())) {
        let (text, name) = (read(&file), file.strip_prefix(root()).expect("it is in the repository").display().to_string());
        let is_document = name.ends_with(".md");
        let mut is_code = !is_document;
        for (number, line) in text.lines().enumerate() {
            let said = line.trim_start();
            if is_document && said.starts_with("```") {
                is_code = !is_code;
            }
            let comment = said.starts_with("//").then(|| said.trim_start_matches(['/', '!', ' ']));
            let is_text = if is_code { comment.is_some_and(|text| !text.starts_with('|')) } else { !line.starts_with(['|', ' ', '\t']) };
            if is_text && line.chars().count() > MOST_COLUMNS {
                wrong.push(format!("{name}:{}: more than {MOST_COLUMNS} columns", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_are_short() {
    let mut wrong = Vec::new();
    for file in sources(&root()) {
        let name = file.strip_prefix(root()).expect("it is in the repository").display().to_string();
        for (function, n_lines, n_parameters) in functions(&read(&file)) {
            let is_large = n_lines > MOST_OF_A_FUNCTION.0 || n_parameters > MOST_OF_A_FUNCTION.1;
            if is_large && !LARGE_FUNCTIONS.contains(&(&name, &function)) {
                wrong.push(format!("{name}: `{function}` has {n_lines} lines and {n_parameters} parameters"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The functions of a file that is formatted, with their numbers of lines and of parameters.
fn functions(text: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "unsafe "];
        let mut said = line.trim_start();
        while let Some(rest) = words.iter().find_map(|word| said.strip_prefix(word)) {
            said = rest;
        }
        let Some(named) = said.strip_prefix("fn ") else { continue };
        let function = named.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string();
        let end = lines[at..].iter().position(|line| line.strip_prefix(indent) == Some("}"));
        let is_on_one_line = line.ends_with('}') || line.ends_with(';');
        let n_lines = if is_on_one_line { 1 } else { end.map_or(1, |end| end + 1) };
        found.push((function, n_lines, parameters(&lines[at..].join(" "))));
    }
    found
}

/// How many parameters a function has beside `self`, from where its declaration begins.
fn parameters(declaration: &str) -> usize {
    // What stands between the brackets of the name is not in another pair of brackets, nor between < and > of types.
    let (mut depth, mut within, mut list) = (0, false, String::new());
    let mut before = ' ';
    for c in declaration.chars() {
        match c {
            '(' if depth == 0 => (depth, within) = (1, true),
            ')' if depth == 1 && within => break,
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if before != '-' => depth -= 1,
            _ if within && (depth > 1 && c == ',') => {}
            _ if within => list.push(c),
            _ => {}
        }
        before = c;
    }
    list.split(',').filter(|one| !one.trim().is_empty() && one.trim().split([' ', '&']).next_back() != Some("self")).count()
}

/// What is found in functions is what stands there.
#[test]
fn functions_are_found() {
    let text = "impl A {\n    pub fn f<T: Fn(u8) -> u8>(&mut self, a: (u8, u8), b: Vec<(u8, T)>) -> u8 {\n        1\n    }\n}\nfn g() {}\n";
    assert_eq!(functions(text), [("f".to_string(), 3, 2), ("g".to_string(), 1, 0)]);
}

/// Documents refer to files that are there.
#[test]
fn links_in_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    for file in documents(&root()) {
        let text = read(&file);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let outside = link.contains("://") || link.is_empty();
            if !outside && !file.parent().expect("a file is in a folder").join(link).exists() {
                wrong.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files of the repository that documents name are there. Words in capitals stand for others, `crates/text` for a new
/// one.
#[test]
fn files_that_documents_name_are_there() {
    let mut wrong = Vec::new();
    for file in documents(&root()) {
        let text = read(&file);
        for named in text.split('`').skip(1).step_by(2).filter(|code| code.starts_with("crates/") || code.starts_with("docs/")) {
            let is_path = named.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let is_example = named.contains(|c: char| c.is_ascii_uppercase()) || named == "crates/text";
            if is_path && !is_example && !root().join(named).exists() {
                wrong.push(format!("{}: {named}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines of a section of a manifest.
fn section<'t>(manifest: &'t str, title: &'t str) -> impl Iterator<Item = &'t str> {
    manifest.lines().skip_while(move |line| *line != title).skip(1).take_while(|line| !line.starts_with('['))
}

fn sources(root: &Path) -> Vec<PathBuf> {
    ["crates", "fuzz", "bench"].iter().flat_map(|folder| files(&root.join(folder), "rs")).collect()
}

fn documents(root: &Path) -> Vec<PathBuf> {
    let own = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name));
    own.into_iter().chain(files(&root.join("docs"), "md")).collect()
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of).expect("the folder is there").map(|entry| entry.expect("the folder is readable").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The files of a folder, and of the folders in it, whose names end so.
fn files(of: &Path, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of).expect("the folder is there").map(|entry| entry.expect("the folder is readable").path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_file() && path.extension().is_some_and(|e| e == end)).collect();
    let inner = folders(of).into_iter().filter(|folder| !folder.ends_with("target"));
    found.extend(inner.flat_map(|folder| files(&folder, end)));
    found.sort();
    found
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
}
