//! Many programs in one command, and the formats of those who collect answers.

use crate::support::{Folder, check_report, check_sarif_log};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

const WRONG: &str = "#include <assert.h>\nint main(void) {\n  assert(0 && \"<&>\");\n}\n";

/// A folder with a right program, a wrong one, and one that the compiler refuses.
fn three() -> Folder {
    let folder = Folder::new("right.c", "int main(void) { return 0; }\n");
    std::fs::create_dir(folder.path().join("below")).expect("a folder can be made");
    folder.write("below/wrong.c", WRONG);
    folder.write("below/broken.c", "int main(void) { return }\n");
    folder.write("below/notes.txt", "no program");
    folder
}

#[test]
fn every_program_of_a_folder_is_checked() {
    let folder = three();
    let parts = ["unknown   below/broken.c", "refuted   below/wrong.c  assertion: ", "3 programs: 1 verified, 1 refuted, 1 unknown"];
    folder.check("check below right.c -m sc", 42, &parts);
    folder.check("check --each right.c right.c -m sc -- -DX", 0, &["2 programs: 2 verified"]);
    folder.check("check --each below/broken.c right.c -m sc -j 2", 4, &["1 verified, 0 refuted, 1 unknown"]);
    folder.check("check below -m sc --html bug.html", 2, &["are for one program"]);
}

#[test]
fn answers_are_collected() {
    let folder = three();
    let json = folder.raddle("check below right.c -m sc --format json");
    let objects: Vec<Value> = json.out.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    assert_eq!((json.code, objects.len()), (42, 3));
    objects.iter().for_each(check_report);
    let sarif: Value = serde_json::from_str(&folder.raddle("check below right.c -m sc --format sarif").out).expect("it is JSON");
    check_sarif_log(&sarif);
    assert_eq!(sarif["runs"].as_array().map(Vec::len), Some(3));
    let junit = [
        "tests=\"3\" failures=\"1\" errors=\"1\"",
        "below/broken.c",
        "<error type=\"compiler\"",
        "<failure type=\"assertion\"",
        "&lt;&amp;&gt;",
    ];
    folder.check("check below right.c -m sc --format junit", 42, &junit);
    folder.check(
        "check below right.c -m sc --format github",
        42,
        &["::warning file=below/broken.c", "::error file=below/wrong.c,line=3,col=3"],
    );
    folder.check("check below/wrong.c -m sc --format github", 42, &["::error file=below/wrong.c,line=3,col=3,title=assertion under sc::"]);
    folder.check("check below/broken.c -m sc --format junit", 4, &["errors=\"1\""]);
}

/// One program goes wrong, another has no end: the limit of time is one for each, and takes back nothing.
#[test]
fn a_limit_takes_no_fault_back() {
    let folder = three();
    folder.write("endless.c", "int main(void) { for (volatile int n = 0;; n++) ; }\n");
    let parts = ["refuted   below/wrong.c  assertion: ", "unknown   endless.c", "3 programs: 1 verified, 1 refuted, 1 unknown"];
    for jobs in ["1", "2"] {
        folder.check(&format!("check --each below/wrong.c endless.c right.c -m sc --timeout 1 -j {jobs}"), 42, &parts);
    }
    let json = folder.raddle("check --each endless.c right.c -m sc --timeout 1 --format json");
    assert_eq!((json.code, json.out.lines().count()), (3, 2), "{}", json.out);
    folder.check("check --each endless.c right.c -m sc --timeout 1 --format junit", 3, &["tests=\"2\"", "endless.c"]);
}

/// Whoever ends the command from outside gets the answers that are there: after two seconds, or later on a busy
/// machine.
#[cfg(unix)]
#[test]
fn an_interrupt_takes_no_fault_back() {
    let folder = three();
    folder.write("endless.c", "int main(void) { for (volatile int n = 0;; n++) ; }\n");
    let interrupted = |after: u64| {
        let words = ["check", "--each", "below/wrong.c", "endless.c", "-m", "sc", "-j", "1"];
        let mut raddle = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let child = raddle.args(words).current_dir(folder.path()).stdout(Stdio::piped()).spawn().expect("raddle starts");
        std::thread::sleep(Duration::from_secs(after));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill can be run").success());
        child.wait_with_output().expect("it ends")
    };
    let output = [2, 10].into_iter().map(interrupted).find(|output| output.status.code() == Some(42));
    let out = String::from_utf8_lossy(&output.expect("the fault is in the answer").stdout).into_owned();
    assert!(out.contains("refuted   below/wrong.c") && out.contains("unknown   endless.c"), "{out}");
}
