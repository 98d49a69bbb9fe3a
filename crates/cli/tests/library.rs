//! The functions of the library that synchronise, under every model: what they order (docs/library-order.md), how waits
//! with a time limit end, what may end for no reason, what is misuse and what is only an error. The programs are those
//! of corpus/library.

use crate::support;

#[test]
fn calls_that_synchronise_mean_what_they_promise() {
    support::check_folder("corpus/library");
}

/// The statuses of a program, each with a comma behind it.
fn statuses(model: &str, flags: &[&str]) -> String {
    let file = support::root().join("corpus/library/pauses.c");
    let words = ["check", file.to_str().expect("the path is text"), "--spurious", "--model", model, "--statuses", "--format", "json", "--"];
    let output = support::raddle(&[&words[..], flags].concat());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the answer is JSON");
    assert_eq!(answer["verdict"], "verified", "{model} {flags:?}: {answer}");
    let statuses = answer["statuses"].as_array().expect("statuses are listed");
    statuses.iter().map(|entry| format!("{},", entry["status"])).collect()
}

#[test]
fn rounds_that_are_left_out_lead_nowhere_else() {
    let flags: [&[&str]; 6] = [&[], &["-DSIGNALS"], &["-DTRIES"], &["-DLIMIT"], &["-DLIMIT", "-DSIGNALS"], &["-DLIMIT", "-DTRIES"]];
    let all: Vec<(&str, &[&str])> =
        ["sc", "tso", "pso", "ra", "power"].iter().flat_map(|model| flags.map(|flags| (*model, flags))).collect();
    support::check_all(&all, |(model, flags)| {
        let (loops, unrolled) = (statuses(model, flags), statuses(model, &[*flags, &["-DUNROLLED"]].concat()));
        if loops == unrolled { Ok(()) } else { Err(format!("{model} {flags:?}: {loops} but {unrolled}")) }
    });
}
