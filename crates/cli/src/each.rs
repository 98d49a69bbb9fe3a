//! Several checks in one command: `raddle check DIR...`, files with `--each`, or the tests of a program
//! ([`crate::suite`]). Each is made by a process of its own, which keeps to its own limits and may end as it likes; as
//! many side by side as there are workers.

use crate::arguments::{Arguments, CheckOptions, Format, workers};
use crate::failure::Failure;
use crate::guard::{self, LastWords};
use crate::terminal::{complain, named, put};
use crate::{INTERRUPTED, exit, spelling};
use clap::CommandFactory;
use raddle_report::{Reason, failure_json, failure_sarif, github, harmless_lines, json_text, junit, message};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The ends of names of files that are programs in a folder.
const PROGRAMS: [&str; 5] = ["c", "cc", "cpp", "cxx", "C"];
/// Folders that are nested deeper are not looked into.
const DEEPEST: usize = 32;

/// Whether several programs are asked for, and not one of several files.
pub fn is_asked(options: &CheckOptions) -> bool {
    options.each || options.input.files.iter().any(|file| file.is_dir())
}

/// Checks each of the programs; gives the exit code of all.
pub fn check_each(options: &CheckOptions) -> u8 {
    let usage = |why: String| Failure::new("usage", why, exit::USAGE).say();
    if options.witness.is_some() || options.pictures.is_any() {
        return usage("--witness, --html, --svg and --dot are for one program: check it by itself".into());
    }
    let mut files = Vec::new();
    for file in &options.input.files {
        if let Err(why) = programs(file, DEEPEST, &mut files) {
            return usage(format!("{}: {why}", file.display()));
        }
    }
    if files.is_empty() {
        let folders: Vec<String> = options.input.files.iter().map(|file| named(file)).collect();
        return usage(format!("{}: a folder without programs", folders.join(", ")));
    }
    let shared = |n: usize| shared_words(options, n).filter(|(before, _)| before[0] == "check" || before[0] == "sample");
    let Some((before, after)) = shared(workers(options.wanted.jobs).min(files.len())) else {
        return usage("name the command first: raddle check --each FILE...".into());
    };
    let one = |file: PathBuf| {
        let words = before.iter().cloned().chain([file.clone().into()]).chain(after.iter().cloned()).collect();
        Task { file: file.to_string_lossy().into_owned(), test: None, words }
    };
    conclude(options, files.into_iter().map(one).collect(), "program")
}

/// One of several checks.
pub struct Task {
    /// The file that its answer names.
    pub file: String,
    /// The test that its answer names.
    pub test: Option<String>,
    /// The command line of the check.
    pub words: Vec<OsString>,
}

/// Makes the checks and says what came of them; gives the exit code of all. `what` is a word for one of them. Each
/// check keeps to the limits that are asked for, and this command has none.
pub fn conclude(options: &CheckOptions, tasks: Vec<Task>, what: &'static str) -> u8 {
    let known = Arc::new(Known::of(tasks, options.format, what));
    guard::set_timeout(None);
    let ended = known.clone();
    guard::set_last_words(move |cause| {
        let (text, code) = ended.last_words(&Failure::ended(&cause));
        LastWords { out: text, err: String::new(), code }
    });
    make(options, &known);
    let answers = known.answers.lock().expect("no worker has ended in the middle");
    let code = all_codes(&answers);
    guard::answer(code);
    put(&known.report(&answers));
    code
}

/// What is known of several checks.
struct Known {
    tasks: Vec<Task>,
    format: Format,
    what: &'static str,
    /// For each check its answer, once there is one.
    answers: Mutex<Vec<Value>>,
    /// The checks that are under way.
    running: Mutex<BTreeMap<usize, Child>>,
}

impl Known {
    fn of(tasks: Vec<Task>, format: Format, what: &'static str) -> Known {
        let answers = Mutex::new(vec![Value::Null; tasks.len()]);
        Known { tasks, format, what, answers, running: Mutex::default() }
    }

    /// What is said of all of them.
    fn report(&self, answers: &[Value]) -> String {
        match self.format {
            Format::Human => {
                let lines = answers.iter().map(line).chain([summary(answers, self.what)]);
                lines.map(|line| format!("{}\n", harmless_lines(&line))).collect()
            }
            Format::Json => answers.iter().map(|answer| format!("{}\n", json_text(answer))).collect(),
            Format::Sarif => format!("{}\n", json_text(&merged(answers))),
            Format::Junit => junit(answers),
            Format::Github => github(answers),
        }
    }

    /// What is said where the command is ended from outside: the answers that are there, and that the others have none.
    fn last_words(&self, why: &Failure) -> (String, u8) {
        if let Ok(mut running) = self.running.try_lock() {
            running.values_mut().for_each(|check| drop(check.kill()));
        }
        let mut answers = self.answers.try_lock().map(|answers| answers.clone()).unwrap_or_else(|_| vec![Value::Null; self.tasks.len()]);
        for (answer, task) in answers.iter_mut().zip(&self.tasks).filter(|(answer, _)| answer.is_null()) {
            *answer = self.failed(task, &why.reason.message, why.code);
        }
        (self.report(&answers), all_codes(&answers))
    }

    /// The answer to one check, from a process of its own.
    fn answer(&self, n: usize, task: &Task) -> Value {
        let run = || {
            let raddle = std::env::current_exe()?;
            let mut check =
                Command::new(raddle).args(&task.words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
            let (mut out, mut text) = (check.stdout.take().expect("it is piped"), Vec::new());
            self.running.lock().expect("no worker has ended in the middle").insert(n, check);
            out.read_to_end(&mut text)?;
            let check = self.running.lock().expect("no worker has ended in the middle").remove(&n);
            Ok::<_, std::io::Error>((text, check.expect("it is there").wait()?))
        };
        match run() {
            Ok((text, status)) => {
                let code = status.code().map_or(exit::INTERNAL, |code| code as u8);
                let mut answer =
                    serde_json::from_slice(&text).unwrap_or_else(|_| self.failed(task, "the check has ended without an answer", code));
                self.name(&mut answer, task);
                answer
            }
            Err(why) => self.failed(task, &why.to_string(), exit::INTERNAL),
        }
    }

    /// The answer to a check that has none.
    fn failed(&self, task: &Task, why: &str, code: u8) -> Value {
        if self.format == Format::Sarif {
            return failure_sarif(&task.file, &Reason::new(exit::word(code), why), code);
        }
        let mut answer = failure_json(&task.file, "unknown", &Reason::new(exit::word(code), why), code);
        self.name(&mut answer, task);
        answer
    }

    /// An answer names its test.
    fn name(&self, answer: &mut Value, task: &Task) {
        if let Some(test) = task.test.as_ref().filter(|_| self.format != Format::Sarif) {
            answer["test"] = json!(test);
        }
    }
}

/// The programs of a folder, in the order of their names; a file is one itself.
fn programs(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        found.push(path.into());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        let is_program = entry.extension().is_some_and(|end| PROGRAMS.iter().any(|known| end == *known));
        if entry.is_dir() && !entry.is_symlink() && depth > 0 {
            programs(&entry, depth - 1, found)?;
        } else if entry.is_file() && is_program {
            found.push(entry);
        }
    }
    Ok(())
}

/// Makes the checks, as many side by side as there are workers.
fn make(options: &CheckOptions, known: &Known) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..workers(options.wanted.jobs).min(known.tasks.len()) {
            scope.spawn(|| {
                while let Some((n, task)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, known.tasks.get(n)?))) {
                    let is_over = INTERRUPTED.load(Ordering::Relaxed);
                    let answer = match is_over {
                        true => known.failed(task, "interrupted", exit::INTERRUPTED),
                        false => known.answer(n, task),
                    };
                    known.answers.lock().expect("no worker has ended in the middle")[n] = answer;
                }
            });
        }
    });
}

/// The exit code that an answer speaks of.
fn code_of(answer: &Value) -> u8 {
    let code = answer["exit_code"].as_u64().or(answer["runs"][0]["invocations"][0]["exitCode"].as_u64());
    code.map_or(exit::INTERNAL, |code| code as u8)
}

/// The words of this command line for each check: those before the names of files, and those behind them.
pub type Shared = (Vec<OsString>, Vec<OsString>);

/// What is said for each; what is said of all together is divided. `None` where the command does not come first.
pub fn shared_words(options: &CheckOptions, workers: usize) -> Option<Shared> {
    let format = if options.format == Format::Sarif { "sarif" } else { "json" };
    let command = Arguments::command();
    let words = spelling::mended(std::env::args_os(), &command);
    let name = words.get(1).filter(|name| ["check", "sample", "test"].iter().any(|known| name == known))?.clone();
    let mut kept: Vec<OsString> = vec![name, "--format".into(), format.into()];
    if workers > 1 {
        let (_, bytes) = options.most.of();
        kept.extend(["--jobs".into(), "1".into(), "--memory".into(), ((bytes >> 20) / workers as u64).max(1).to_string().into()]);
    }
    let divided: &[&str] = if workers > 1 { &["--format", "--jobs", "-j", "--memory"] } else { &["--format"] };
    let mut left = words.into_iter().skip(2);
    while let Some(word) = left.next() {
        if word == "--" {
            return Some((kept, [word].into_iter().chain(left).collect()));
        }
        let text = word.to_string_lossy().into_owned();
        let name = text.split('=').next().unwrap_or_default();
        let value = if spelling::takes_value(&command, &text) { left.next() } else { None };
        if divided.contains(&name) || (text.starts_with("-j") && workers > 1) || !text.starts_with('-') || text == "--each" {
            continue;
        }
        kept.push(word);
        kept.extend(value);
    }
    Some((kept, Vec::new()))
}

/// The code of all: a fault outweighs everything, then what went wrong, then what was cut.
fn worst(codes: &[u8]) -> u8 {
    let order = [exit::FAULT, exit::INTERNAL, exit::INTERRUPTED, exit::COMPILER, exit::UNSUPPORTED, exit::USAGE, exit::CUT];
    order.into_iter().find(|code| codes.contains(code)).or(codes.iter().copied().max()).unwrap_or(0)
}

fn all_codes(answers: &[Value]) -> u8 {
    worst(&answers.iter().map(code_of).collect::<Vec<_>>())
}

/// `refuted   a.c  data-race: ... (a.c:7)`
fn line(answer: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let said = match answer["fault"]["kind"].as_str() {
        Some(kind) => format!("  {kind}: {}", message(answer)),
        None if answer["verdict"] == "unknown" => format!("  {}", message(answer)),
        None => format!("  {} executions", answer["executions"]),
    };
    let name = if answer["test"].is_string() { &answer["test"] } else { &answer["file"] };
    format!("{:9} {}{said}", word(&answer["verdict"]), word(name))
}

fn summary(answers: &[Value], what: &str) -> String {
    let count = |verdict: &str| answers.iter().filter(|answer| answer["verdict"] == verdict).count();
    let all = if answers.len() == 1 { format!("1 {what}") } else { format!("{} {what}s", answers.len()) };
    format!("{all}: {} verified, {} refuted, {} unknown", count("verified"), count("refuted"), count("unknown"))
}

/// The runs of several logs in one.
fn merged(answers: &[Value]) -> Value {
    let runs: Vec<Value> = answers.iter().flat_map(|log| log["runs"].as_array().cloned().unwrap_or_default()).collect();
    if runs.is_empty() {
        complain("no program has an answer");
    }
    json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": runs })
}
