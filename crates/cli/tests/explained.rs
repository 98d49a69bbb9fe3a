//! What a reader learns of the wrong programs of `corpus/reports`: transcripts in `snapshots/`, without times, as a
//! terminal of 100 columns shows them.

use crate::support::{Folder, check_report, check_sarif_log, root};

/// The first line of a transcript is the command; the execution itself is left out where the explanation is looked at.
fn transcript(program: &str, options: &str) -> String {
    let folder = copy(program);
    let answer = folder.raddle_in(&format!("check {program} {options}"), 100);
    let (report, _) = answer.out.split_once("\n\nThe execution").expect("there is an execution");
    format!("$ raddle check {program} {options}\n{report}\n(exit code {})", answer.code)
}

fn copy(program: &str) -> Folder {
    let text = std::fs::read_to_string(root().join("corpus/reports").join(program)).expect("the program can be read");
    Folder::new(program, &text)
}

/// Each wrong program, and how it is checked.
const PROGRAMS: [(&str, &str); 12] = [
    ("peterson.c", "--model tso"),
    ("wakeup.c", ""),
    ("treiber.c", "--model sc"),
    ("message.c", ""),
    ("message.c", "--model aarch64"),
    ("transfer.cpp", ""),
    ("bits.c", ""),
    ("torn.c", "--model sc"),
    ("aba.c", "--model sc"),
    ("once.c", "--model power"),
    ("refcount.cpp", "--model sc"),
    ("refcount.cpp", ""),
];

#[test]
fn reports_say_why() {
    for (program, options) in PROGRAMS {
        let name = format!("{}_{}", program.split('.').next().unwrap_or(program), options.split(' ').nth(1).unwrap_or("rc11"));
        insta::assert_snapshot!(name, transcript(program, options));
    }
}

/// What only the library is concerned with is not in the table, but where it is asked for.
#[test]
fn the_library_stays_aside() {
    let folder = copy("transfer.cpp");
    let table = |options: &str| folder.raddle_in(&format!("check transfer.cpp {options}"), 100).out;
    let (short, whole) = (table(""), table("-v"));
    assert!(short.contains("inside the library left out; -v shows them") && !short.contains("_vtable$"), "{short}");
    assert!(["spawn T1", "lock alice.mutex", "lock bob.mutex"].iter().all(|part| short.contains(part)), "{short}");
    assert!(whole.contains("_vtable$") && !whole.contains("left out"), "{whole}");
}

/// The place for people, for scripts and for editors is one: the user's call, not the header below it.
#[test]
fn the_place_is_the_users() {
    let folder = copy("transfer.cpp");
    let json: serde_json::Value = serde_json::from_str(&folder.raddle("check transfer.cpp --format json").out).expect("it is JSON");
    check_report(&json);
    assert_eq!((&json["fault"]["file"], &json["fault"]["line"]), (&"transfer.cpp".into(), &15.into()));
    let notes = json["fault"]["story"]["why"]["notes"].as_array().expect("there are notes");
    assert!(notes.iter().any(|note| note.as_str().is_some_and(|note| note.contains("T2 waits for `alice.mutex`, which T1 holds"))));
    let sarif: serde_json::Value = serde_json::from_str(&folder.raddle("check transfer.cpp --format sarif").out).expect("it is JSON");
    check_sarif_log(&sarif);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "transfer.cpp");
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(2));
}

/// Every sentence about an order is of an execution that the judge has run: each of the programs is right where the
/// accesses are as the help says.
#[test]
fn the_help_helps() {
    let mended = [
        ("message.c", "flag, 1, memory_order_relaxed", "flag, 1, memory_order_release", ["rc11", "aarch64"]),
        ("once.c", "instance, found, memory_order_relaxed", "instance, found, memory_order_release", ["power", "power"]),
        ("peterson.c", "&turn, !me, memory_order_release", "&turn, !me, memory_order_seq_cst", ["tso", "tso"]),
    ];
    for (program, weak, strong, models) in mended {
        let text = std::fs::read_to_string(root().join("corpus/reports").join(program)).expect("the program can be read");
        assert!(text.contains(weak));
        let folder = Folder::new(program, &text.replace(weak, strong));
        models.iter().for_each(|model| drop(folder.check(&format!("check {program} --model {model}"), 0, &["verified"])));
    }
}
