//! Bad input: each gives a message that says where, and the exit code that scripts rely on; nothing panics.

use crate::support::raddle;
use std::path::Path;
use tempfile::TempDir;

/// One input, and what must come of it under `raddle check` and `raddle run`.
struct Case {
    name: &'static str,
    source: &'static str,
    code: i32,
    /// Parts of the message, in any order.
    says: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case { name: "syntax.c", source: "int main(void) {\n  return 0\n}\n", code: 4, says: &["syntax.c:2:11", "expected ';'"] },
    Case { name: "no_main.c", source: "int f(void) { return 0; }\n", code: 4, says: &["no_main.c", "`main`"] },
    Case {
        name: "unknown.c",
        source: "int unheard_of(int);\nint main(void) {\n  return unheard_of(1);\n}\n",
        code: 5,
        says: &["unheard_of", "unknown.c:3"],
    },
    Case {
        name: "not_reached.c",
        source: "int unheard_of(int);\nvolatile int zero;\nint main(void) {\n  if (zero) return unheard_of(1);\n  return 0;\n}\n",
        code: 0,
        says: &[],
    },
    Case {
        name: "assembly.c",
        source: "int main(void) {\n  int x;\n  __asm__ volatile(\"sidt %0\" : \"=m\"(x));\n  return x;\n}\n",
        code: 5,
        says: &["assembly", "assembly.c:3"],
    },
    Case {
        name: "endless.c",
        source: "int main(void) {\n  volatile int x = 0;\n  for (;;)\n    x ^= 1;\n}\n",
        code: 3,
        says: &["does not seem to terminate: use --", "endless.c:"],
    },
    Case {
        name: "deep.c",
        source: "int down(int n) {\n  return n ? down(n + 1) + n : 0;\n}\nint main(void) {\n  return down(1);\n}\n",
        code: 42,
        says: &["stack-overflow", "deep.c:"],
    },
    Case {
        name: "greedy.c",
        source: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(1u << 30);\n  p[0] = 1;\n  return p[0] - 1;\n}\n",
        code: 5,
        says: &["greedy.c:3"],
    },
    Case { name: "torn.bc", source: "BC\u{1}not bitcode", code: 4, says: &["torn.bc"] },
    Case { name: "torn.ll", source: "define i32 @main() {\n  ret i32\n}\n", code: 4, says: &["torn.ll:3:1"] },
    Case { name: "other.txt", source: "int main(void) { return 0; }\n", code: 2, says: &["other.txt"] },
];

#[test]
fn bad_input_is_located_and_has_its_exit_code() {
    let folder = TempDir::new().expect("there is room");
    for case in CASES {
        let file = folder.path().join(case.name);
        std::fs::write(&file, case.source).expect("there is room");
        check(&["check"], &file, case.code, case.says);
        check(&["run", "--max-turns", "10"], &file, case.code, case.says);
    }
}

#[test]
fn a_file_that_is_not_there() {
    check(&["check"], "no/such/file.c".as_ref(), 2, &["no/such/file.c", "No such file"]);
}

#[track_caller]
fn check(command: &[&str], file: &Path, code: i32, says: &[&str]) {
    let name = file.display().to_string();
    let arguments = [command, &[&name]].concat();
    let output = raddle(&arguments);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let what = format!("raddle {} ends with {} and says:\n{text}", arguments.join(" "), output.status);
    assert_eq!(output.status.code(), Some(code), "{what}");
    assert!(!text.contains("panicked"), "{what}");
    for part in says {
        assert!(text.contains(part), "`{part}` is missing: {what}");
    }
}

/// What is wrong on the command line.
#[test]
fn wrong_usage() {
    for arguments in [&["check"][..], &["check", "a.c", "--model", "nonesuch"], &["check", "a.c", "--model", "sc", "--buffer-bound", "1"]] {
        assert_eq!(raddle(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
