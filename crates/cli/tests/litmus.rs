//! `raddle litmus` over the tests in `corpus/litmus`, against herd7's answers, and transcripts of what it prints.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn corpus(arch: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus").join(arch)
}

fn lines(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines().map(|line| serde_json::from_str(line).expect("every line is an object"))
}

/// What was printed on both streams, and the exit code.
fn raddle(arguments: &[&str]) -> (String, String, i32) {
    let output = Command::cargo_bin("raddle").unwrap().arg("litmus").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// Compares every answer with herd7's: observation, states, number of graphs (not under RA, where one execution stands
/// for many); nothing is redundant.
#[track_caller]
fn check(arch: &str, model: &str) {
    check_with(arch, model, &[]);
}

#[track_caller]
fn check_with(arch: &str, model: &str, options: &[&str]) {
    let expected = std::fs::read_to_string(corpus(arch).join("expected.jsonl")).unwrap();
    let expected: Vec<Value> = lines(&expected).filter(|answer| answer["model"] == model).collect();
    assert!(expected.len() > 10, "only {} answers of herd7 were found", expected.len());
    let files: Vec<String> =
        expected.iter().map(|answer| corpus(arch).join(answer["file"].as_str().unwrap()).display().to_string()).collect();
    let mut arguments = [&["--model", model, "--format", "json"], options].concat();
    arguments.extend(files.iter().map(String::as_str));
    let (out, err, code) = raddle(&arguments);
    assert_eq!((err.as_str(), code), ("", 0));
    let answers: Vec<Value> = lines(&out).collect();
    assert_eq!(answers.len(), expected.len());
    for (answer, expected) in answers.iter().zip(&expected) {
        let of = |answer: &Value, count: &str| {
            let fields: &[&str] = match model {
                "ra" => &["test", "model", "observation", "states"],
                _ => &["test", "model", "observation", "states", "positive", "negative", count],
            };
            fields.iter().map(|field| answer[*field].clone()).collect::<Vec<_>>()
        };
        assert_eq!(of(answer, "executions"), of(expected, "graphs"));
        assert_eq!(answer["redundant"], 0, "{}", answer["test"]);
    }
}

#[test]
fn x86_under_sc() {
    check("X86", "sc");
}

#[test]
fn x86_under_tso() {
    check("X86", "tso");
}

#[test]
fn x86_under_pso() {
    check("X86", "pso");
}

#[test]
fn ppc_under_sc() {
    check("PPC", "sc");
}

#[test]
fn ppc_under_power() {
    check("PPC", "power");
}

#[test]
fn aarch64_under_sc() {
    check("AArch64", "sc");
}

#[test]
fn aarch64_under_aarch64() {
    check("AArch64", "aarch64");
}

/// Where no model is asked for, a test for AArch64 is explored under that.
#[test]
fn aarch64_is_the_default_for_its_tests() {
    let test = corpus("AArch64").join("LB.litmus").display().to_string();
    let (out, _, code) = raddle(&["--format", "json", &test]);
    let answer = lines(&out).next().expect("there is an answer");
    assert_eq!((&answer["model"], &answer["observation"], code), (&json!("aarch64"), &json!("Sometimes"), 0));
}

#[test]
fn c_under_sc() {
    check("C", "sc");
    check("C-RA", "sc");
}

#[test]
fn c_under_ra() {
    check("C", "ra");
    check("C-RA", "ra");
}

#[test]
fn c_under_rc11() {
    check("C", "rc11");
    check("C-RA", "rc11");
}

/// By graphs, where these explore the model too.
#[test]
fn by_graphs() {
    for (arch, model) in [("X86", "sc"), ("X86", "tso"), ("X86", "pso"), ("C", "sc"), ("C-RA", "sc")] {
        check_with(arch, model, &["--algorithm", "graphs"]);
    }
}

/// A data race makes a test undefined under RC11: it is flagged as herd7 does, and the rest is answered as before, also
/// what lies in memory in the end.
#[test]
fn a_data_race_is_flagged_under_rc11() {
    let folder = tempfile::tempdir().unwrap();
    for (order, flags) in [("memory_order_release", json!([])), ("memory_order_relaxed", json!(["data-race"]))] {
        let file = folder.path().join("mp.litmus").display().to_string();
        let text = format!(
            "C mp\n{{}}\nP0(int* x, atomic_int* y) {{ *x = 1; atomic_store_explicit(y, 1, {order}); }}\n\
             P1(int* x, atomic_int* y) {{ int r = atomic_load_explicit(y, memory_order_acquire); int s = 1; if (r == 1) {{ s = *x; }} }}\n\
             exists (1:r=1 /\\ 1:s=0 /\\ x=1)\n"
        );
        std::fs::write(&file, text).unwrap();
        let (out, err, code) = raddle(&["--model", "rc11", "--format", "json", &file]);
        assert_eq!((err.as_str(), code), ("", 0));
        assert_eq!(lines(&out).next().unwrap()["flags"], flags, "{order}");
        let (out, ..) = raddle(&["--model", "rc11", &file]);
        assert_eq!(out.contains("\nFlag data-race\nCondition exists"), flags != json!([]), "{out}");
        let (out, ..) = raddle(&["--model", "sc", "--format", "json", &file]);
        assert_eq!(lines(&out).next().unwrap()["flags"], json!([]), "races are those of the language");
    }
}

const SB: &str = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
const UNKNOWN: &str = "X86 unknown\n{}\n P0 ;\n FROB EAX ;\nexists (0:EAX=1)\n";
const WRONG: &str = "X86 wrong\n{}\n P0 ;\n MOV EAX,$1 ;\nexists (0:EAX=\n";
/// Both threads count up, and try again when their store fails.
const COUNT: &str =
    "PPC count\n{ 0:r1=x; 1:r1=x; }\n P0 | P1 ;\n A: | B: ;\n lwarx r2,r0,r1 | lwarx r2,r0,r1 ;\n addi r2,r2,1 | addi r2,r2,1 ;
 stwcx. r2,r0,r1 | stwcx. r2,r0,r1 ;\n bne A | bne B ;\nexists ([x]=1)\n";
/// A conditional store without a reservation, and one to another location than the reserved one.
const UNRESERVED: &str =
    "PPC unreserved\n{ 0:r1=x; 0:r3=y; }\n P0 ;\n li r2,1 ;\n stwcx. r2,r0,r1 ;\n lwarx r4,r0,r3 ;\n stwcx. r2,r0,r1 ;\nexists ([x]=1)\n";
const SPIN: &str = "C spin\n{}\nP0(atomic_int* x, int* y) { *y = 1; atomic_store(x, 1); }\n\
    P1(atomic_int* x, int* y) { while (!atomic_load(x)); int r = *y; }\nexists (1:r=0)\n";
const FILTERED: &str = "X86 filtered\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\nfilter (1:EAX=1)\nforall (1:EAX=1)\n";

/// Runs tests that are given as text, each in a file of its own. Places in messages begin with the name of the file.
fn run(tests: &[(&str, &str)], arguments: &[&str]) -> (String, String, i32) {
    let directory = tempfile::tempdir().unwrap();
    let file = |(name, text): &(&str, &str)| {
        let file = directory.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let mut all: Vec<String> = tests.iter().map(file).collect();
    all.extend(arguments.iter().map(|argument| argument.to_string()));
    let (out, err, code) = raddle(&all.iter().map(String::as_str).collect::<Vec<_>>());
    (out, err.replace(&format!("{}/", directory.path().display()), ""), code)
}

/// The transcript without the times, which differ.
fn untimed(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(' ') {
        Some((head, _)) if head.starts_with("Time ") => format!("{head} 0.00\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn answers_as_herd_prints_them() {
    let (out, err, code) = run(&[("SB.litmus", SB)], &["--model", "tso"]);
    let expected = "Test SB Allowed\nStates 4\n0:EAX=0; 1:EAX=0;\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; 1:EAX=1;\nOk\nWitnesses\n\
        Positive: 1 Negative: 3\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Sometimes 1 3\nTime SB 0.00\n\n";
    assert_eq!((untimed(&out).as_str(), code), (expected, 0));
    assert!(err.starts_with("1 test: 1 Ok, 0 No, 0 not answered, "), "{err}");
}

#[test]
fn all_models_make_a_table() {
    let (out, _, code) = run(&[("SB.litmus", SB), ("count.litmus", COUNT)], &["--model", "all"]);
    let expected = "test   sc            tso        pso        ra  sra  rc11  power         aarch64\nSB     Forbidden 3   Allowed 4  Allowed 4  -   -    -     -             -\n\
        count  Forbidden 36  -          -          -   -    -     Forbidden 36  -\n";
    assert_eq!((out.as_str(), code), (expected, 0));
}

#[test]
fn all_models_in_json() {
    let (out, _, _) = run(&[("SB.litmus", SB)], &["--model", "all", "--format", "json"]);
    let answers: BTreeMap<String, u64> =
        lines(&out).map(|a| (a["model"].as_str().unwrap().to_string(), a["executions"].as_u64().unwrap())).collect();
    assert_eq!(answers, BTreeMap::from([("sc".to_string(), 3), ("tso".to_string(), 4), ("pso".to_string(), 4)]));
}

/// The executions and blocked executions of a test.
#[track_caller]
fn counts(test: &str, arguments: &[&str]) -> (u64, u64) {
    let (out, err, code) = run(&[("test.litmus", test)], &[&["--format", "json"], arguments].concat());
    assert_eq!((err.as_str(), code), ("", 0));
    let answer = lines(&out).next().expect("there is an answer");
    (answer["executions"].as_u64().unwrap(), answer["blocked"].as_u64().unwrap())
}

#[test]
fn algorithms_and_bounds() {
    assert_eq!(counts(SB, &["--algorithm", "naive"]).0, 6);
    assert_eq!(counts(SB, &["--algorithm", "naive", "--model", "tso"]).0, 24);
    assert_eq!(counts(SB, &["--algorithm", "source", "--model", "tso"]).0, 4);
    assert_eq!(counts(SB, &["--algorithm", "classic", "--model", "tso"]).0, 4);
    assert_eq!(counts(SB, &["--model", "tso", "--buffer-bound", "0"]).0, 3);
}

#[test]
fn conditional_stores() {
    assert_eq!(counts(COUNT, &["--unroll", "0"]).0, 2);
    assert_eq!(counts(UNRESERVED, &[]), (1, 0));
}

#[test]
fn loops_that_wait_are_one_read() {
    assert_eq!(counts(SPIN, &["--unroll", "5"]), (1, 0));
}

#[test]
fn what_a_filter_leaves_out_is_blocked() {
    assert_eq!(counts(FILTERED, &[]), (1, 1));
}

#[test]
fn the_other_files_go_on() {
    let (out, err, code) = run(&[("unknown.litmus", UNKNOWN), ("SB.litmus", SB)], &["--format", "json"]);
    assert_eq!((err.as_str(), code), ("raddle: unknown.litmus:4:2: instruction `FROB` is not supported on X86\n", 5));
    let answers: Vec<_> = lines(&out).map(|answer| (answer["test"].clone(), answer["reason"]["kind"].clone())).collect();
    assert_eq!(answers, [(json!(null), json!("unsupported")), (json!("SB"), json!(null))]);
}

#[test]
fn a_text_that_is_wrong_outweighs_one_that_is_not_supported() {
    let (_, err, code) = run(&[("unknown.litmus", UNKNOWN), ("wrong.litmus", WRONG)], &[]);
    assert_eq!(code, 4);
    assert!(err.contains("raddle: wrong.litmus:6:1: expected"), "{err}");
}

#[test]
fn models_that_say_nothing_about_a_test_are_refused() {
    let (out, err, code) = run(&[("count.litmus", COUNT)], &["--model", "tso", "--format", "json"]);
    let expected = "raddle: count.litmus: a test for PPC says nothing about tso: choose --model sc or power\n";
    assert_eq!((err.as_str(), code), (expected, 5));
    let answer = lines(&out).next().expect("there is a line");
    assert_eq!(
        (&answer["test"], &answer["observation"], &answer["reason"]["kind"]),
        (&json!("count"), &json!(null), &json!("unsupported"))
    );
}

#[test]
fn a_bound_without_buffers_is_refused() {
    assert_eq!(run(&[("SB.litmus", SB)], &["--buffer-bound", "1"]).2, 2);
}
