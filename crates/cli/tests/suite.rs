//! Tests of a program (`raddle test`), and programs that come as object files and archives.

use crate::support::Folder;
use serde_json::Value;
use std::process::Command;

const TESTS: &str = "
#include <assert.h>
#include <pthread.h>
static int x;
static void *add(void *unused) { x++; return unused; }
static int helper(void) { return x; }
void raddle_test_two_threads(void) {
  pthread_t one, other;
  pthread_create(&one, 0, add, 0);
  pthread_create(&other, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(x == 2);
}
void raddle_test_begins_anew(void) { assert(helper() == 0); }
__attribute__((annotate(\"raddle_test\"))) void marked(void) { add(0); assert(x == 1); }
void raddle_testing(void) { assert(0); }
";

#[test]
fn each_test_is_an_entry_of_its_own() {
    let folder = Folder::new("tests.c", TESTS);
    let lines = [
        "refuted   raddle_test_two_threads  assertion: ",
        "verified  raddle_test_begins_anew",
        "verified  marked",
        "3 tests: 2 verified, 1 refuted, 0 unknown",
    ];
    folder.check("test tests.c -m sc", 42, &lines);
    let json = folder.raddle("test tests.c -m sc --format json");
    let answers: Vec<Value> = json.out.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    assert_eq!((json.code, answers.len()), (42, 3), "{}", json.err);
    assert_eq!((&answers[1]["test"], &answers[1]["file"]), (&"raddle_test_begins_anew".into(), &"tests.c".into()));
    let junit = ["tests=\"3\" failures=\"1\" errors=\"0\"", "testcase name=\"raddle_test_two_threads\"", "<failure type=\"assertion\""];
    folder.check("test tests.c -m sc --format junit", 42, &junit);
}

#[test]
fn tests_of_cpp_have_their_names() {
    let text = "#include <cassert>\nnamespace queue { void raddle_test_empty() { assert(true); } }\nint main() { return 0; }\n";
    Folder::new("tests.cpp", text).check("test tests.cpp -m sc", 0, &["verified  queue::raddle_test_empty", "1 test: 1 verified"]);
}

#[test]
fn what_cannot_be_tested_is_said() {
    let folder = Folder::new("none.c", "int main(void) { return 0; }\n");
    folder.check("test none.c", 2, &["there are no tests"]);
    folder.check("test .", 2, &["no folders"]);
    folder.check("test none.c --entry other", 2, &["leave out --entry"]);
    folder.check("test none.c --html x.html", 2, &["--entry"]);
    folder.check("test missing.c", 2, &["missing.c"]);
}

/// Compiles a file of the folder with these flags.
fn compile(folder: &Folder, words: &str) {
    let status = Command::new(raddle_llvm::CLANG).current_dir(folder.path()).args(words.split(' ')).status();
    assert!(status.expect("clang runs").success(), "{words}");
}

#[test]
fn object_files_with_bitcode_are_programs() {
    let folder = Folder::new("main.c", "#include <assert.h>\nint next(int);\nint main(void) {\n  assert(next(1) == 3);\n}\n");
    folder.write("next.c", "int next(int n) { return n + 1; }\n");
    for flags in ["-fembed-bitcode", "-flto", "-flto -ffat-lto-objects"] {
        compile(&folder, &format!("{flags} -g -c next.c -o next.o"));
        folder.check("check main.c next.o -m sc", 42, &["assertion", "main.c:4:3"]);
    }
    compile(&folder, "-c next.c -o next.o");
    folder.check("check main.c next.o -m sc", 2, &["it has no LLVM code: compile it with -fembed-bitcode or -flto"]);
    folder.write("next.o", "\u{7f}ELF but no more");
    folder.check("check main.c next.o -m sc", 2, &["next.o", "it is no object file"]);
}

#[test]
fn of_an_archive_those_are_taken_that_are_needed() {
    let folder = Folder::new("main.c", "#include <assert.h>\nint next(int);\nint main(void) { assert(next(1) == 2); return 0; }\n");
    folder.write("next.c", "int one(void);\nint next(int n) { return n + one(); }\n");
    folder.write("one.c", "int one(void) { return 1; }\n");
    folder.write("other.c", "int main(void) { return 7; }\n");
    for name in ["next", "one", "other"] {
        compile(&folder, &format!("-fembed-bitcode -c {name}.c -o {name}.o"));
    }
    let status = Command::new("ar").current_dir(folder.path()).args(["rc", "all.a", "other.o", "next.o", "one.o"]).status();
    assert!(status.expect("ar runs").success());
    folder.check("check main.c all.a -m sc", 0, &["verified"]);
    folder.check("check all.a -m sc", 4, &["no function `main`"]);
    folder.write("all.a", "!<arch>\nno member");
    folder.check("check main.c all.a -m sc", 2, &["all.a"]);
}
