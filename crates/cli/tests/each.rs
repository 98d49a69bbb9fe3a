//! Many programs in one command, and the formats of those who collect answers.

use crate::support::{Folder, check_report, check_sarif_log};
use serde_json::Value;

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
