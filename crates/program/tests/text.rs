//! The text syntax: round trips, messages, and that no input makes it panic.

use proptest::prelude::*;
use raddle_program::{Instr, Program, parse, verify};

const INSTRUCTIONS: &str = include_str!("programs/instructions.txt");

/// Parses, prints and parses again; gives what was printed.
#[track_caller]
fn check(text: &str) -> String {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let printed = program.to_string();
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert!(again == program, "another program comes back\n{printed}\n{again}");
    printed
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = parse(text).expect_err("the text should be refused");
    assert_eq!(error.to_string(), expected);
}

/// The text of a function with this code.
fn with_code(code: &str) -> String {
    format!("entry f0\nfunction f0 \"main\"\nb0:\n{code}\n  return ()\n")
}

/// What is printed for the code of such a function.
fn printed_code(code: &str) -> String {
    let printed = check(&with_code(code));
    printed.lines().skip(2).filter(|line| *line != "b0:" && *line != "  return ()").collect::<Vec<_>>().join("\n")
}

#[test]
fn every_instruction_round_trips() {
    let printed = check(INSTRUCTIONS);
    let is_there = |word: &&&str| printed.lines().any(|line| line.split_whitespace().next() == Some(**word));
    let missing: Vec<_> = Instr::WORDS.iter().filter(|word| !is_there(word)).collect();
    assert!(missing.is_empty(), "no example of {missing:?}");
    let program = parse(INSTRUCTIONS).unwrap();
    verify(&program).unwrap();
    assert_eq!(check(&printed), printed);
}

#[test]
fn an_empty_program_prints_nothing() {
    assert_eq!(Program::new().to_string(), "");
    assert_eq!(check("  // nothing\n\n"), "");
}

#[test]
fn constants_are_made_by_the_parser() {
    assert_eq!(printed_code("  add r0, 7, 9, 32\n  move r1, 7"), "  constants 7 9\n  add r0, 7, 9, 32\n  move r1, 7");
}

#[test]
fn pairs_are_two_constants_in_a_row() {
    assert_eq!(
        printed_code("  move r2, 5\n  wide r0, add, 5:0, 5:1, 128\n  move r2, 1"),
        "  constants 5 5 0 5 1\n  move r2, 5\n  wide r0, add, 5:0, 5:1, 128\n  move r2, 1"
    );
}

#[test]
fn a_constant_that_stands_twice_is_named_by_its_number() {
    assert_eq!(
        printed_code("  constants 5 5 6 5 6\n  move r2, #1\n  wide r0, add, #3, 5:6, 128"),
        "  constants 5 5 6 5 6\n  move r2, #1\n  wide r0, add, #3, 5:6, 128"
    );
}

#[test]
fn as_many_registers_are_made_as_are_named() {
    let program = parse(&with_code("  wide.sext r4, 1, 32, 128")).unwrap();
    assert_eq!(program.functions[0].registers, 6);
}

#[test]
fn addresses_do_not_depend_on_who_came_first() {
    check("addresses globals.0 code.0\nglobal g0 \"x\" size 8\nfunction f0 \"f\"\nb0:\n  move r0, &f0\n  move r1, &g0+8\n");
    check("addresses code.0 globals.0\nglobal g0 \"x\" size 8\nfunction f0 \"f\"\nb0:\n  move r0, &f0\n  move r1, &g0+8\n");
    check("global g0 \"x\" size 8\nglobal g1 \"y\" size 2000000\nfunction f0 \"f\"\nb0:\n  move r0, &g1+8\n");
    check("addresses code.0.large code.0\nfunction f0 \"f\"\nb0:\n  move r0, 17179869184\n  move r1, &f0\n");
}

#[test]
fn errors_say_where() {
    check_error("hello", "line 1, column 1: `hello` stands outside of a function");
    check_error("\n  global g1", "line 2, column 10: `g0` comes next");
    check_error("global g0 x", "line 1, column 11: a string in quotes is missing");
    check_error("global g0 \"x", "line 1, column 11: the string has no end");
    check_error("global g0 \"\\q\"", "line 1, column 11: the string has an unknown escape");
    check_error("global g0 \"ü\" bytes 123", "line 1, column 21: `123` is not bytes of two hexadecimal digits");
    check_error("extern x0 \"f\" 5", "line 1, column 15: `5` is too much");
    check_error("place p1", "line 1, column 9: a string in quotes is missing");
    check_error("function f0 \"f\"\n  fence sync", "line 2, column 3: `fence` stands before the first block `b0:`");
    check_error("function f0 \"f\"\nb1:", "line 2, column 1: `b0:` comes next");
    check_error(&with_code("  dance r1"), "line 4, column 3: `dance` is not an instruction");
    check_error(&with_code("  move r1"), "line 4, column 3: `move` lacks its field `a`");
    check_error(&with_code("  move 5, 5"), "line 4, column 3: `5` cannot be the field `to` of `move`");
    check_error(&with_code("  move r1, #0"), "line 4, column 3: `#0` cannot be the field `a` of `move`");
    check_error(&with_code("  move r1, 5 @x"), "line 4, column 3: `@x` is not a place");
}

#[test]
fn numbers_have_limits() {
    check_error("function f0 \"f\" registers 1048577", "line 1, column 27: `1048577` is more than 1048576");
    check_error("global g0 \"x\" size 0x80000001", "line 1, column 20: `0x80000001` is more than 2147483648");
    check_error(
        &with_code("  move r1048576, 5"),
        "line 4, column 3: `r1048576` cannot be the field `to` of `move`: registers have numbers below 1048576",
    );
}

/// One change of a text that may spoil it.
#[derive(Clone, Debug)]
enum Change {
    Drop(usize),
    Repeat(usize),
    Swap(usize, usize),
    Word(usize, usize, String),
}

fn change() -> impl Strategy<Value = Change> {
    let word = prop_oneof!["[rbgfpntyl#&@(]{0,2}[0-9]{0,10}", "[ -~]{0,6}", "\\PC{0,3}"];
    prop_oneof![
        any::<usize>().prop_map(Change::Drop),
        any::<usize>().prop_map(Change::Repeat),
        any::<(usize, usize)>().prop_map(|(a, b)| Change::Swap(a, b)),
        (any::<usize>(), any::<usize>(), word).prop_map(|(line, at, word)| Change::Word(line, at, word)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for change in changes {
        let n = lines.len();
        match change {
            Change::Drop(line) => drop(lines.remove(line % n)),
            Change::Repeat(line) => lines.insert(line % n, lines[line % n].clone()),
            Change::Swap(a, b) => lines.swap(a % n, b % n),
            Change::Word(line, at, word) => {
                let mut words: Vec<&str> = lines[line % n].split(' ').collect();
                let at = at % words.len();
                words[at] = word;
                lines[line % n] = words.join(" ");
            }
        }
    }
    lines.join("\n")
}

/// Whatever is accepted comes back the same, and can be verified without a panic.
fn survives(text: &str) {
    if let Ok(program) = parse(text) {
        let printed = program.to_string();
        assert!(parse(&printed).as_ref() == Ok(&program), "another program comes back\n{printed}");
        if verify(&program).is_ok() {
            for mut function in program.functions {
                function.loops.clear();
                raddle_program::mark_loops(&mut function);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn changed_programs_do_no_harm(changes in prop::collection::vec(change(), 1..4)) {
        survives(&changed(INSTRUCTIONS, &changes));
    }
}
