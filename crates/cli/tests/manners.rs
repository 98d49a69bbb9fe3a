//! How the command behaves: names in any case, guesses, widths, what it says of itself.

use crate::support::{Folder, check_report, raddle, root};
use raddle_event::FaultKind;

const RIGHT: &str = "int main(void) { return 0; }\n";

#[test]
fn names_have_any_case_and_guesses_help() {
    let folder = Folder::new("right.c", RIGHT);
    folder.check("check right.c -m TSO", 0, &["under TSO"]);
    folder.check("check right.c --Model C11 --FORMAT Human", 0, &["under RC11"]);
    folder.check("check right.c --model AArch64 --Keep_Going", 0, &["under AArch64"]);
    folder.check("check right.c --model rc1", 2, &["did you mean `rc11`?"]);
    folder.check("check right.c --modle sc", 2, &["--model"]);
    folder.check("check right.c --algorithm optmal --model sc", 2, &["did you mean `optimal`?"]);
}

#[test]
fn quiet_is_a_line_and_verbose_is_all() {
    let program = "#include <assert.h>\n#include <stdatomic.h>\n#include <pthread.h>\natomic_int n;\n\
                   void *w(void *p) { for (int i = 0; i < 150; i++) atomic_store(&n, i); return 0; }\n\
                   int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); for (int i = 0; i < 150; i++) n = i; assert(0); }\n";
    let folder = Folder::new("long.c", program);
    let quiet = folder.check("check long.c -m sc -q", 42, &["assertion: assertion `0` fails (T0, long.c:6"]);
    assert_eq!(quiet.out.lines().count(), 2, "{}", quiet.out);
    let usual = folder.check("check long.c -m sc --unroll 200", 42, &[]);
    let verbose = folder.check("check long.c -m sc --unroll 200 -v", 42, &[]);
    assert!(!verbose.out.contains("are left out") && verbose.out.lines().count() >= usual.out.lines().count());
}

/// Every example of `raddle explain` shows the fault that it is an example of.
#[test]
fn every_fault_is_explained_and_every_example_shows_it() {
    for (_, kind) in FaultKind::ALL.iter().map(|kind| (kind, kind.word())) {
        let text = String::from_utf8(raddle(&["explain", &kind.to_uppercase()]).stdout).expect("it is text");
        assert!(text.contains("## How to mend it"), "{kind}: {text}");
        let code = text.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is an example");
        let options = text.split("`raddle check example.c ").nth(1).and_then(|rest| rest.split('`').next()).expect("there is a command");
        let answer = Folder::new("example.c", code).raddle(&format!("check example.c {options} --format json"));
        let object: serde_json::Value = serde_json::from_str(&answer.out).expect("it is JSON");
        check_report(&object);
        assert_eq!(object["fault"]["kind"], kind, "{}{}", answer.out, answer.err);
    }
    let folder = Folder::new("right.c", RIGHT);
    folder.check("explain dead-lock", 2, &["did you mean `deadlock`?"]);
    folder.check("explain", 0, &["assertion", "livelock"]);
    folder.check("models", 0, &["sc ", "tso ", "rc11", "aarch64"]);
}

#[test]
fn shells_and_the_manual_know_the_options() {
    let folder = Folder::new("right.c", RIGHT);
    for shell in ["bash", "zsh", "fish"] {
        folder.check(&format!("completions {shell}"), 0, &["html"]);
    }
    folder.check("completions --man .", 0, &[]);
    let manual = std::fs::read_to_string(folder.path().join("raddle-check.1")).expect("the page is written");
    assert!(manual.contains("\\-\\-html"), "{manual}");
    folder.check("completions --man nowhere", 2, &["cannot be written to nowhere"]);
}

/// On a narrow terminal no line of a report is wider than it, except what is quoted or printed.
#[test]
fn a_narrow_terminal_is_respected() {
    let text = std::fs::read_to_string(root().join("corpus/reports/treiber.c")).expect("the program can be read");
    let answer = Folder::new("treiber.c", &text).raddle_in("check treiber.c --model sc", 50);
    let (_, execution) = answer.out.split_once("The execution").expect("there is an execution");
    let table = execution.split("\n\nrefuted").next().unwrap_or_default();
    let wide: Vec<&str> = table.lines().filter(|line| line.chars().count() > 50).collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
    let notes: Vec<&str> = answer.out.lines().filter(|line| line.contains("= note: ") && line.chars().count() > 50).collect();
    assert!(notes.is_empty(), "{}", notes.join("\n"));
}

/// What a program prints stands with the execution that printed it.
#[test]
fn what_the_program_printed_is_shown_with_its_execution() {
    let program = "#include <assert.h>\n#include <stdio.h>\nint main(void) { puts(\"so far\"); assert(0); }\n";
    Folder::new("says.c", program).check(
        "check says.c -m sc",
        42,
        &["The execution", "In this execution the program printed:\n  so far\n", "refuted"],
    );
}

/// The line of progress comes only where it is asked for or where a person sees it.
#[test]
fn progress_is_said_where_it_is_wanted() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\nvoid *w(void *p) { x++; x++; x++; x++; return 0; }\n\
                   int main(void) { pthread_t t[5]; for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, w, 0);\n\
                   for (int i = 0; i < 5; i++) pthread_join(t[i], 0); }\n";
    let folder = Folder::new("many.c", program);
    folder.check("check many.c -m sc --timeout 3 --progress always", 3, &["the time limit", "executions, "]);
    let silent = folder.raddle("check many.c -m sc --timeout 2");
    assert!(!silent.err.contains("a second"), "{}", silent.err);
}
