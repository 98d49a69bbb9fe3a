//! Command lines at random.

use crate::inputs::Inputs;
use raddle_sample::Random;
use std::time::Duration;

/// A command line with the files that it names.
#[derive(Clone, Debug)]
pub struct Line {
    pub words: Vec<String>,
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// How long it may take, by what it says.
    pub time: Duration,
    /// How many megabytes it may have, by what it says.
    pub megabytes: u64,
}

impl Line {
    /// The command.
    pub fn command(&self) -> &str {
        &self.words[0]
    }

    /// What an option says, where it is there once.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut values = self.words.windows(2).filter(|pair| pair[0] == name).map(|pair| pair[1].as_str());
        values.next().filter(|_| values.next().is_none())
    }
}

/// Numbers that options may get.
const NUMBERS: &[&str] = &["0", "1", "2", "3", "10", "1000", "4294967295"];
const MODELS: &[&str] = &["sc", "tso", "pso", "ra", "power", "aarch64"];
const ALGORITHMS: &[&str] = &["optimal", "source", "classic", "naive", "weak-trace", "rsmc"];
const RANGES: &[&str] = &["0..1", "-2..3", "0..2147483647", "-9223372036854775808..9223372036854775807"];
/// Values that hardly any option takes.
const ODD: &[&str] = &["none", "", "-1", "18446744073709551615", "3..2", "..", "1e999", "\u{1b}[2J"];
const NONE: &[&str] = &[];

/// Options with their values, and of how many lines one has them.
type Choice = (&'static str, &'static [&'static str], u32);

const CHECK: &[Choice] = &[
    ("--model", MODELS, 1),
    ("--algorithm", ALGORITHMS, 12),
    ("--unroll", NUMBERS, 4),
    ("--buffer-bound", NUMBERS, 12),
    ("--context-bound", NUMBERS, 12),
    ("--iterative", NONE, 25),
    ("--max-executions", NUMBERS, 6),
    ("--max-events", NUMBERS, 8),
    ("--keep-going", NONE, 2),
    ("--liveness", NONE, 3),
    ("--leaks", NONE, 4),
    ("--races", NONE, 6),
    ("--robustness", NONE, 8),
    ("--statuses", NONE, 4),
    ("--uninit", NONE, 4),
    ("--spurious", NONE, 4),
    ("--malloc-may-fail", NONE, 4),
    ("--nondet", RANGES, 3),
    ("--max-heap", NUMBERS, 8),
    ("--witness", &["w.json", "w.json", "w.json", "w.json", "w.json", "w.json", "a.c", "no/w.json", "/dev/full", "."], 2),
    ("--format", &["json", "json", "sarif", "human"], 1),
    ("--report", &["r.json", "/dev/full"], 6),
    ("--clang", &[raddle_llvm::CLANG, "none"], 8),
];
const COMPARE: &[Choice] =
    &[("--unroll", NUMBERS, 3), ("--max-executions", NUMBERS, 3), ("--nondet", RANGES, 3), ("--format", &["json", "human"], 1)];
const RUN: &[Choice] = &[
    ("--seed", NUMBERS, 3),
    ("--schedule", &["0", "0.1.0.1", "0.0.0.0.1.1.2", "9.9", "4294967295", "x", ""], 4),
    ("--max-turns", NUMBERS, 4),
    ("--max-heap", NUMBERS, 8),
    ("--uninit", NONE, 3),
];
const LITMUS: &[Choice] = &[
    ("--model", &["sc", "tso", "pso", "ra", "power", "aarch64", "all"], 1),
    ("--algorithm", ALGORITHMS, 12),
    ("--buffer-bound", NUMBERS, 12),
    ("--unroll", NUMBERS, 3),
    ("--format", &["json", "herd"], 1),
    ("--jobs", &["1", "2", "0", "64"], 4),
];

/// Draws a command line. Time and memory are always limited.
pub fn draw(inputs: &Inputs, random: &mut Random) -> Line {
    let (command, choices): (&str, &[Choice]) = random.weighted(&[
        (("check", CHECK), 8),
        (("replay", &[] as &[Choice]), 5),
        (("litmus", LITMUS), 3),
        (("compare", COMPARE), 2),
        (("run", RUN), 2),
    ]);
    let mut files = Vec::new();
    match command {
        "replay" => files.push(("w.json", inputs.witness(random))),
        "litmus" => files.push(("a.litmus", inputs.litmus(random))),
        _ => files.push(inputs.program(random)),
    }
    let tenths = random.within(2..=8);
    let megabytes = random.pick(&[160, 250, 400]);
    let mut words: Vec<String> = vec![command.into(), files[0].0.into()];
    words.extend(["--timeout".into(), format!("0.{tenths}"), "--memory".into(), megabytes.to_string()]);
    for &(name, values, rarity) in choices {
        if random.once_in(rarity) {
            words.push(name.into());
            let values = if random.once_in(50) && !values.is_empty() { ODD } else { values };
            words.extend((!values.is_empty()).then(|| random.pick(values).into()));
        }
    }
    Line { words, files, time: Duration::from_millis(100) * tenths, megabytes }
}
