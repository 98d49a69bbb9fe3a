//! How each command ends: one row for each row of docs/endings.md, with the exit code, the text, the JSON and the SARIF
//! of that ending.

#![cfg(unix)]

use crate::support::{Folder, check_report, check_sarif_log};
use serde_json::Value;
use std::fs::{OpenOptions, Permissions, set_permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const RIGHT: &str = "int main(void) { return 0; }\n";
const WRONG: &str = r#"
#include <assert.h>
int main(void) {
  assert(0);
  return 0;
}
"#;
/// Two threads count to two without a lock.
const RACY: &str = r#"
#include <assert.h>
#include <pthread.h>
int n;
void *count(void *p) { int seen = n; n = seen + 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  count(0);
  pthread_join(t, 0);
  assert(n == 2);
  return 0;
}
"#;
/// One choice goes wrong, another cannot be run, the third is right.
const MIXED: &str = r#"
#include <assert.h>
int unheard_of(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 0);
  if (x == 1) return unheard_of();
  return 0;
}
"#;
const UNSUPPORTED: &str = r#"
int unheard_of(void);
int main(void) {
  return unheard_of();
}
"#;
const LOOP: &str = r#"
#include <stdatomic.h>
atomic_int n;
int main(void) { while (n < 100) n++; return 0; }
"#;
const ASSUMED: &str = "void __VERIFIER_assume(int);\nint main(void) { __VERIFIER_assume(0); return 0; }\n";

/// How `raddle check` ends.
struct Row {
    name: &'static str,
    source: &'static str,
    options: &'static str,
    code: i32,
    /// A part of the text, on either stream.
    text: &'static str,
    /// The kinds of the reasons why the answer is not the whole one; the first is that of the JSON.
    reasons: &'static [&'static str],
    n_faults: usize,
}

const ROWS: &[Row] = &[
    Row { name: "nothing is wrong", source: RIGHT, options: "", code: 0, text: "verified: no fault", reasons: &[], n_faults: 0 },
    Row { name: "a fault", source: WRONG, options: "", code: 42, text: "refuted: 1 fault", reasons: &[], n_faults: 1 },
    Row {
        name: "a loop bound",
        source: LOOP,
        options: "--unroll 3",
        code: 3,
        text: "loops were cut after 3 iterations",
        reasons: &["unroll"],
        n_faults: 0,
    },
    Row {
        name: "a limit of executions",
        source: RACY,
        options: "--model sc --max-executions 1",
        code: 3,
        text: "the search stopped after 1 execution",
        reasons: &["executions"],
        n_faults: 0,
    },
    Row {
        name: "a limit of events",
        source: RACY,
        options: "--model sc --max-events 2",
        code: 3,
        text: "the search stopped after 2 events",
        reasons: &["events"],
        n_faults: 0,
    },
    Row {
        name: "no execution is complete",
        source: ASSUMED,
        options: "",
        code: 3,
        text: "no execution is complete",
        reasons: &["none-complete"],
        n_faults: 0,
    },
    Row {
        name: "something unsupported",
        source: UNSUPPORTED,
        options: "",
        code: 5,
        text: "unsupported: ",
        reasons: &["unsupported"],
        n_faults: 0,
    },
    Row {
        name: "a fault, then something unsupported",
        source: MIXED,
        options: "--nondet 0..2 --keep-going",
        code: 42,
        text: "refuted: 1 fault",
        reasons: &["unsupported"],
        n_faults: 1,
    },
    Row {
        name: "a fault, then a limit",
        source: RACY,
        options: "--model sc --keep-going --max-executions 3",
        code: 42,
        text: "refuted: 1 fault",
        reasons: &["executions"],
        n_faults: 1,
    },
    Row {
        name: "the compiler refuses it",
        source: "int main(void) {\n",
        options: "",
        code: 4,
        text: "the compiler refused",
        reasons: &["compiler"],
        n_faults: 0,
    },
    Row {
        name: "there is no main",
        source: "int f(void) { return 0; }\n",
        options: "",
        code: 4,
        text: "no function `main`",
        reasons: &["compiler"],
        n_faults: 0,
    },
    Row {
        name: "options that do not go together",
        source: RIGHT,
        options: "--model ra --algorithm optimal",
        code: 2,
        text: "raddle: ",
        reasons: &["usage"],
        n_faults: 0,
    },
    Row {
        name: "the compiler does not run",
        source: RIGHT,
        options: "--clang ./nothing",
        code: 2,
        text: "does not run",
        reasons: &["input"],
        n_faults: 0,
    },
];

#[test]
fn check_ends_as_the_table_says() {
    for row in ROWS {
        let folder = Folder::new("a.c", row.source);
        folder.check(&format!("check a.c {}", row.options), row.code, &[row.text]);
        let json = folder.check(&format!("check a.c --format json {}", row.options), row.code, &[]);
        check_json(row, &serde_json::from_str(&json.out).unwrap_or_else(|why| panic!("{}: {why}\n{}", row.name, json.out)));
        let sarif = folder.check(&format!("check a.c --format sarif {}", row.options), row.code, &[]);
        check_sarif(row, &serde_json::from_str(&sarif.out).unwrap_or_else(|why| panic!("{}: {why}\n{}", row.name, sarif.out)));
    }
}

#[track_caller]
fn check_json(row: &Row, object: &Value) {
    check_report(object);
    let verdict = match row.code {
        0 => "verified",
        42 => "refuted",
        _ => "unknown",
    };
    assert_eq!(object["verdict"], verdict, "{}", row.name);
    assert_eq!(object["exit_code"], row.code, "{}", row.name);
    assert_eq!(object["reason"]["kind"].as_str(), row.reasons.first().copied(), "{}", row.name);
    assert_eq!(object["fault"].is_object(), row.n_faults > 0, "{}", row.name);
}

#[track_caller]
fn check_sarif(row: &Row, log: &Value) {
    check_sarif_log(log);
    let run = &log["runs"][0];
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], matches!(row.code, 0 | 42), "{}", row.name);
    assert_eq!(invocation["exitCode"], row.code, "{}", row.name);
    let notifications = invocation["toolExecutionNotifications"].as_array().expect("there is a list");
    let kinds: Vec<&str> = notifications.iter().filter_map(|note| note["descriptor"]["id"].as_str()).collect();
    assert_eq!(kinds, row.reasons, "{}", row.name);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(row.n_faults), "{}", row.name);
}

/// What cannot be written, read or overwritten.
#[test]
fn inputs_that_are_no_files_are_refused() {
    let folder = Folder::new("a.c", RIGHT);
    let pipe = Command::new("mkfifo").arg(folder.path().join("pipe.c")).status().expect("mkfifo can be run");
    assert!(pipe.success());
    std::fs::create_dir(folder.path().join("folder.c")).expect("a folder can be made");
    std::os::unix::fs::symlink("loop.c", folder.path().join("loop.c")).expect("a link can be made");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.c")).expect("a link can be made");
    for (file, why) in
        [("pipe.c", "a pipe"), ("folder.c", "a folder"), ("loop.c", "symbolic links"), ("zero.c", "a device"), ("no.c", "No such")]
    {
        for command in ["check", "run", "compare", "litmus", "replay"] {
            folder.check(&format!("{command} {file}"), 2, &[file, why]);
        }
    }
}

#[test]
fn a_witness_takes_no_fault_back_and_overwrites_no_input() {
    let folder = Folder::new("a.c", WRONG);
    folder.check("check a.c --witness nowhere/w.json", 42, &["refuted: 1 fault", "nowhere/w.json cannot be written"]);
    folder.check("check a.c --witness .", 42, &["refuted: 1 fault", "it is a folder"]);
    folder.check("check a.c --witness /dev/full", 42, &["refuted: 1 fault", "cannot be written"]);
    folder.check("check a.c --witness x.json --witness y.json", 2, &["cannot be used multiple times"]);
    std::os::unix::fs::symlink("a.c", folder.path().join("link")).expect("a link can be made");
    std::fs::hard_link(folder.path().join("a.c"), folder.path().join("hard")).expect("a link can be made");
    for output in ["a.c", "./a.c", "link", "hard"] {
        folder.check(&format!("check a.c --witness {output}"), 2, &["the witness would overwrite a.c"]);
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("a.c")).ok().as_deref(), Some(WRONG.trim_start()));
    // A link elsewhere stays a link, a file keeps its permissions, and nothing else is left in the folder.
    std::os::unix::fs::symlink("kept.json", folder.path().join("to.json")).expect("a link can be made");
    folder.write("kept.json", "old");
    set_permissions(folder.path().join("kept.json"), Permissions::from_mode(0o600)).expect("they can be set");
    folder.check("check a.c --witness to.json", 42, &["To run it again: raddle replay to.json"]);
    assert!(folder.path().join("to.json").is_symlink());
    let kept = std::fs::metadata(folder.path().join("kept.json")).expect("it is there");
    assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    folder.check("replay kept.json", 42, &["assertion `0` fails"]);
    let left = std::fs::read_dir(folder.path()).expect("it can be read").count();
    assert_eq!(left, 5, "a.c, link, hard, to.json, kept.json");
}

/// Runs the command with this as standard output; gives the exit code.
fn code_into(folder: &Folder, words: &str, out: Stdio) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder.path()).args(words.split_whitespace()).stdout(out).stderr(Stdio::null());
    command.status().expect("the command can be run").code()
}

/// An answer that cannot be written is no success; a fault stays a fault.
#[test]
fn an_answer_that_nobody_can_read_is_no_success() {
    let folder = Folder::new("right.c", RIGHT);
    folder.write("wrong.c", WRONG);
    folder.write("prints.c", "#include <stdio.h>\nint main(void) { puts(\"out\"); return 0; }\n");
    folder.write("sb.litmus", include_str!("../../../corpus/endings/SB.litmus"));
    folder.check("check wrong.c --witness w.json", 42, &[]);
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").expect("there is such a device"));
    let closed = || {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        Stdio::from(writer)
    };
    for (words, code) in [
        ("check right.c", 2),
        ("check right.c --format json", 2),
        ("check wrong.c", 42),
        ("check wrong.c --format sarif", 42),
        ("compare right.c", 2),
        ("compare wrong.c", 42),
        ("litmus sb.litmus", 2),
        ("run prints.c", 2),
        ("run wrong.c", 42),
        ("replay w.json", 42),
    ] {
        assert_eq!(code_into(&folder, words, full()), Some(code), "{words} > /dev/full");
        assert_eq!(code_into(&folder, words, closed()), Some(code), "{words} | nobody");
    }
}

/// What is complained about goes to a stream that may be full as well.
#[test]
fn a_full_error_stream_changes_nothing() {
    let folder = Folder::new("wrong.c", WRONG);
    for (words, code) in
        [("check wrong.c --witness nowhere/w.json", 42), ("check nothing.c", 2), ("run wrong.c", 42), ("litmus nothing", 2)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let full = OpenOptions::new().write(true).open("/dev/full").expect("there is such a device");
        command.current_dir(folder.path()).args(words.split_whitespace()).stdout(Stdio::null()).stderr(full);
        assert_eq!(command.status().expect("the command can be run").code(), Some(code), "{words}");
    }
}

#[test]
fn litmus_ends_as_the_table_says() {
    let folder = Folder::new("right.litmus", include_str!("../../../corpus/endings/SB.litmus"));
    folder.write("torn.litmus", "X86 torn\n{}\n P0 ;\n MOV [x],$1 \nexists (");
    folder.write("arm.litmus", "ARM arm\n{}\n P0 ;\n nop ;\nexists (true)\n");
    folder.write("wrong.litmus", include_str!("../../../corpus/endings/fault.litmus"));
    for (files, code, kinds) in [
        ("right.litmus", 0, vec![None]),
        ("torn.litmus", 4, vec![Some("syntax")]),
        ("arm.litmus", 5, vec![Some("unsupported")]),
        ("no.litmus", 2, vec![Some("input")]),
        ("wrong.litmus", 42, vec![Some("fault")]),
        ("right.litmus wrong.litmus torn.litmus no.litmus", 42, vec![None, Some("fault"), Some("syntax"), Some("input")]),
    ] {
        folder.check(&format!("litmus {files}"), code, &[]);
        let answer = folder.check(&format!("litmus {files} --format json"), code, &[]);
        let reasons = |line: &str| {
            let object: Value = serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"));
            object["reason"]["kind"].as_str().map(String::from)
        };
        let found: Vec<Option<String>> = answer.out.lines().map(reasons).collect();
        assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), kinds, "{files}\n{}", answer.out);
    }
}

#[test]
fn run_ends_as_the_table_says() {
    for (source, options, code, text) in [
        ("int main(void) { return 7; }\n", "", 7, ""),
        (WRONG, "", 42, "assertion: assertion `0` fails"),
        (UNSUPPORTED, "", 5, "unsupported"),
        (ASSUMED, "", 3, "an assumption of the program does not hold"),
        ("int main(void) {\n", "", 4, "the compiler refused"),
        (RIGHT, "--schedule x", 2, "is not a schedule"),
    ] {
        Folder::new("a.c", source).check(&format!("run a.c {options}"), code, &[text]);
    }
}

#[test]
fn compare_ends_as_the_table_says() {
    for (source, options, code, reason) in [
        (RIGHT, "", 0, None),
        (WRONG, "", 42, None),
        (UNSUPPORTED, "", 5, Some("unsupported")),
        (MIXED, "--nondet 0..2", 42, Some("unsupported")),
        (RACY, "--max-executions 1 --no-races -- -DNDEBUG", 3, Some("executions")),
        (LOOP, "--unroll 2", 3, Some("unroll")),
    ] {
        let folder = Folder::new("a.c", source);
        let answer = folder.check(&format!("compare a.c --format json {options}"), code, &[]);
        let object: Value = serde_json::from_str(&answer.out).expect("it is JSON");
        assert_eq!(object["exit_code"], code);
        let models = object["models"].as_array().expect("there is a list");
        assert!(models.len() >= 5 && models.iter().all(|model| model["reason"]["kind"].as_str() == reason), "{object:#}");
    }
    let answer = Folder::new("a.c", "int main(void) {\n").check("compare a.c --format json", 4, &[]);
    let object: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    assert_eq!((object["reason"]["kind"].as_str(), object["exit_code"].as_i64()), (Some("compiler"), Some(4)));
}

/// Nothing that a program, a file or a compiler says is obeyed by a terminal.
#[test]
fn nothing_reaches_the_terminal_raw() {
    let wrong = "#include <stdio.h>\nvoid __assert_fail(const char *, const char *, unsigned, const char *);\n\
        int main(void) { puts(\"\\033[31mout\"); __assert_fail(\"\\033[2J\\302\\233 gone\", \"a.c\", 1, \"main\"); }\n";
    let folder = Folder::new("a.c", wrong);
    folder.write("line.c", "#line 7 \"\\033[2J.c\"\nint unheard_of(void); int main(void) { return unheard_of(); }\n");
    folder.write("torn.c", "int main(void) { \u{1b}[2J\u{9b}2J }\n");
    folder.write("n.litmus", "X86 \u{1b}[2J\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n");
    folder.write("\u{1b}[2J.c", RIGHT);
    folder.check("check a.c --witness w.json", 42, &["\\u{1b}[2J"]);
    folder.check("replay w.json", 42, &["\\u{1b}[2J", "the program printed:", "\\u{1b}[31mout"]);
    for words in [
        "check a.c",
        "check a.c --format json",
        "check a.c --format sarif",
        "compare a.c",
        "check line.c",
        "run line.c",
        "check torn.c",
        "litmus n.litmus",
        "litmus n.litmus --format json",
        "litmus n.litmus --model all",
        "check \u{1b}[2J.c",
        "compare \u{1b}[2J.c",
        "check \u{1b}[2J.d",
        "litmus \u{1b}",
        "replay \u{1b}",
        "check a.c --witness \u{1b}/w",
    ] {
        let answer = folder.raddle(words);
        let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        assert!(!answer.out.contains(is_obeyed) && !answer.err.contains(is_obeyed), "raddle {words}\n{:?}\n{:?}", answer.out, answer.err);
    }
}

/// Names that are no text: of what is read, and of what is written.
#[test]
fn names_that_are_no_text_are_names() {
    let folder = Folder::new("a.c", WRONG);
    let name = |bytes: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(bytes));
    std::fs::rename(folder.path().join("a.c"), name(b"\xff.c")).expect("it can be renamed");
    let run = |arguments: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let output = command.current_dir(folder.path()).args(arguments).output().expect("the command can be run");
        (output.status.code(), String::from_utf8(output.stdout).expect("what is printed is text"))
    };
    let (code, out) =
        run(&[Path::new("check"), &name(b"\xff.c"), Path::new("--witness"), &name(b"\xfe.json"), Path::new("--"), Path::new("-DX")]);
    assert_eq!(code, Some(42), "{out}");
    assert!(out.contains("assert(0);"), "the source is quoted:\n{out}");
    let (code, replayed) = run(&[Path::new("replay"), &name(b"\xfe.json")]);
    assert_eq!(code, Some(42), "{replayed}");
    assert!(replayed.contains("assert(0);"), "{replayed}");
    for command in ["run", "compare", "litmus"] {
        let (code, _) = run(&[Path::new(command), &name(b"\xff.c")]);
        assert_eq!(code, Some(if command == "litmus" { 4 } else { 42 }), "{command}");
    }
}

/// A report is written only where something goes wrong with Raddle itself, and a place for it that cannot be written is
/// said.
#[test]
fn a_report_is_of_mistakes_only() {
    let folder = Folder::new("a.c", RIGHT);
    folder.check("check a.c --report r.json", 0, &["verified"]);
    assert!(!folder.path().join("r.json").exists());
    folder.check("check a.c --report nowhere/r.json", 0, &["verified", "nowhere/r.json cannot be written"]);
    let left = std::fs::read_dir(folder.path()).expect("it can be read").count();
    assert_eq!(left, 1, "nothing but a.c");
}

/// Two threads that take very many turns; with `WRONG`, the first execution goes wrong.
const LONG: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n[4];
void *other(void *p) { for (int i = 0; i < 40; i++) n[i & 3] += i; return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, other, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
#ifdef WRONG
  assert(0);
#endif
  return 0;
}
"#;

/// The processor time that a process has had without those that it has started, in hundredths of a second.
fn processor_time(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("the process is there");
    // The name of the process may have spaces in it. User and system time stand twelfth and thirteenth behind it.
    let behind = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    behind.skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("it is a number")).sum()
}

/// Runs a command that takes long, and crashes it when it has searched for a while.
fn crashed(folder: &Folder, words: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder.path()).args(words.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the command can be run");
    while processor_time(child.id()) < 40 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-SEGV", &child.id().to_string()]).status().expect("kill can be run").success());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A crash is an internal error in every format, and takes no fault back.
#[test]
fn a_crash_is_a_mistake_of_raddle() {
    let folder = Folder::new("a.c", LONG);
    for (n_faults, flags, code) in [(0, "", 70), (1, "--keep-going -- -DWRONG", 42)] {
        let row = Row { name: "a crash", source: LONG, options: flags, code, text: "internal error", reasons: &["internal"], n_faults };
        let (found, out, err) = crashed(&folder, &format!("check a.c {flags}"));
        assert_eq!(found, code, "{out}{err}");
        assert!(err.contains("internal error: crash by signal 11 (SIGSEGV)") && err.contains("Please report it"), "{err}");
        assert!(out.contains(if n_faults == 0 { "something went wrong in Raddle itself" } else { "refuted: 1 fault" }), "{out}");
        let (_, json, _) = crashed(&folder, &format!("check a.c --format json {flags}"));
        check_json(&row, &serde_json::from_str(&json).unwrap_or_else(|why| panic!("{why}\n{json}")));
        let (_, sarif, _) = crashed(&folder, &format!("check a.c --format sarif {flags}"));
        check_sarif(&row, &serde_json::from_str(&sarif).unwrap_or_else(|why| panic!("{why}\n{sarif}")));
    }
    let threads: Vec<String> = (0..8).map(|n| format!("P{n}")).collect();
    let line = |n: usize| (0..8).map(|t| format!("MOV [x{}],${}", (t + n) % 8, n + 1)).collect::<Vec<_>>().join(" | ");
    let rows: String = (0..12).map(|n| line(n) + " ;\n").collect();
    folder.write("long.litmus", &format!("X86 large\n{{}}\n{} ;\n{rows}exists (x0=1)\n", threads.join(" | ")));
    folder.write("wrong.litmus", include_str!("../../../corpus/endings/fault.litmus"));
    for (files, code) in [("long.litmus", 70), ("wrong.litmus long.litmus", 42)] {
        let (found, json, err) = crashed(&folder, &format!("litmus {files} --model tso --jobs 1 --format json"));
        let last: Value = serde_json::from_str(json.lines().last().unwrap_or_default()).unwrap_or_else(|why| panic!("{why}\n{json}{err}"));
        assert_eq!((found, last["reason"]["kind"].as_str(), last["exit_code"].as_i64()), (code, Some("internal"), Some(70)), "{json}{err}");
    }
    let (code, json, _) = crashed(&folder, "compare a.c --format json");
    let object: Value = serde_json::from_str(&json).unwrap_or_else(|why| panic!("{why}\n{json}"));
    assert_eq!((code, object["exit_code"].as_i64(), object["models"][0]["reason"]["kind"].as_str()), (70, Some(70), Some("internal")));
}

/// LLVM code that its own reader does not survive is refused, where no compiler tries it first as well.
#[test]
fn a_crash_of_the_reader_is_a_refusal() {
    let types = format!("@g = global {}i32{} zeroinitializer\n", "[1 x ".repeat(2_000_000), "]".repeat(2_000_000));
    let gep = "getelementptr (i8, ptr ";
    let constants = format!("@g = global i32 0\n@h = global ptr {}@g{}\n", gep.repeat(300_000), ", i64 1)".repeat(300_000));
    for text in [types, constants] {
        let folder = Folder::new("deep.ll", &format!("{text}define i32 @main() {{\n  ret i32 0\n}}\n"));
        for clang in ["none", raddle_llvm::CLANG] {
            for command in ["check deep.ll", "run deep.ll", "compare deep.ll"] {
                folder.check(&format!("{command} --clang {clang}"), 4, &["`deep.ll` is not sound LLVM code", "LLVM's reader"]);
            }
        }
        let row = Row { name: "deep", source: "", options: "", code: 4, text: "", reasons: &["compiler"], n_faults: 0 };
        let json = folder.check("check deep.ll --clang none --format json", 4, &[]);
        check_json(&row, &serde_json::from_str(&json.out).expect("it is JSON"));
        let sarif = folder.check("check deep.ll --clang none --format sarif", 4, &[]);
        check_sarif(&row, &serde_json::from_str(&sarif.out).expect("it is JSON"));
    }
}
