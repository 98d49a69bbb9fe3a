//! Runs the compiler, the checker, and programs natively. What was run once for a batch is not run again.

use crate::render::{Program, Variant, render};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Where the tools are, and a folder for what they write.
pub struct Tools {
    raddle: PathBuf,
    clang: String,
    folder: TempDir,
    /// How many processes were started.
    started: std::cell::Cell<u64>,
}

/// A check of a variant of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check {
    pub form: Form,
    pub model: &'static str,
    pub algorithm: &'static str,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The batch as it is.
    Plain,
    /// With assumptions instead of loops that wait.
    Assumes,
    /// Compiled with `-O1`.
    Optimised,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.model, self.algorithm)?;
        match self.form {
            Form::Plain => Ok(()),
            Form::Assumes => write!(f, " with assumptions"),
            Form::Optimised => write!(f, " at -O1"),
        }
    }
}

/// What a check said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Each exit status with the number of executions.
    pub statuses: BTreeMap<i64, u64>,
    /// Faults by kind and line, with the number of their program.
    pub faults: BTreeMap<String, Option<i64>>,
    /// The programs in which memory is freed while it is used, by number.
    pub freed: BTreeSet<i64>,
    /// The programs that do what C or the library leaves open, such as locking what they hold: those with faults other
    /// than assertions.
    pub misbehaved: BTreeSet<i64>,
    pub executions: u64,
    pub blocked: u64,
    pub redundant: u64,
    pub end: End,
}

/// How far a check came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Everything was explored.
    #[default]
    Whole,
    /// A limit was reached.
    Cut,
    /// Something is not supported, for this reason.
    Refused(String),
    /// It should not have ended so.
    Broken(String),
}

impl Outcome {
    /// The program that most executions are of.
    pub fn largest(&self) -> Option<i64> {
        let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
        for (&status, n) in &self.statuses {
            *counts.entry(crate::render::number_of(status)).or_default() += n;
        }
        counts.into_iter().max_by_key(|(_, n)| *n).map(|(number, _)| number)
    }
}

/// How many events a check may have.
const MOST_EVENTS: u32 = 600_000;

/// The same under POWER, where each takes longer.
const MOST_COMMITS: u32 = 120_000;

/// How many seconds a check may take.
const SECONDS: u32 = 20;

impl Tools {
    /// The tools: the checker at this path, and the compiler of this name.
    pub fn new(raddle: PathBuf, clang: String) -> std::io::Result<Tools> {
        Ok(Tools { raddle, clang, folder: tempfile::tempdir()?, started: Default::default() })
    }

    /// How many processes were started.
    pub fn started(&self) -> u64 {
        self.started.get()
    }

    fn run(&self, command: &mut Command) -> Result<std::process::Output, String> {
        self.started.set(self.started.get() + 1);
        command.stdin(Stdio::null()).output().map_err(|why| format!("{:?} does not run: {why}", command.get_program()))
    }

    fn compile(&self, text: &str, name: &str, flags: &[&str], end: &str) -> Result<PathBuf, String> {
        let (source, made) = (self.folder.path().join(format!("{name}.c")), self.folder.path().join(format!("{name}{end}")));
        std::fs::write(&source, text).map_err(|why| why.to_string())?;
        let mut command = Command::new(&self.clang);
        command.args(["-w", "-pthread"]).args(flags).arg(&source).arg("-o").arg(&made);
        let output = self.run(&mut command)?;
        match output.status.success() {
            true => Ok(made),
            false => Err(format!("the compiler refuses what was written: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Compiles a program as it is, and checks it.
    pub fn check_text(&self, text: &str, check: Check) -> Result<Outcome, String> {
        Ok(self.check(&self.compile(text, "flows", &bitcode_flags(check.form), ".bc")?, check))
    }

    fn check(&self, bitcode: &Path, check: Check) -> Outcome {
        let events = if matches!(check.model, "power" | "aarch64") { MOST_COMMITS } else { MOST_EVENTS };
        let mut command = Command::new(&self.raddle);
        command.arg("check").arg(bitcode).args(["--model", check.model, "--algorithm", check.algorithm]);
        command.args(["--keep-going", "--statuses", "--format", "json"]);
        if check.model == "rc11" {
            command.arg("--no-races");
        }
        // Where there is no compiler, bitcode is read without a trial.
        command.args(["--clang", "none"]);
        command.args(["--max-events", &events.to_string(), "--timeout", &SECONDS.to_string()]);
        let output = match self.run(&mut command) {
            Ok(output) => output,
            Err(why) => return Outcome { end: End::Broken(why), ..Outcome::default() },
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        match serde_json::from_slice::<Value>(&output.stdout) {
            Ok(answer) if matches!(output.status.code(), Some(0 | 3 | 5 | 42)) => outcome(&answer),
            _ => Outcome { end: End::Broken(format!("{}: {}", output.status, first_lines(&errors))), ..Outcome::default() },
        }
    }

    fn native(&self, programs: &[Program]) -> Result<BTreeSet<i64>, String> {
        let binary = self.compile(&render(programs, Variant::Native), "native", &["-O0"], "")?;
        let output = self.run(Command::new(binary).stderr(Stdio::null()))?;
        let number = |bytes: &[u8]| i64::from(i32::from_le_bytes(bytes.try_into().expect("there are four bytes")));
        Ok(output.stdout.chunks_exact(4).map(number).collect())
    }
}

/// What the compiler is told so that it writes what the checker reads.
fn bitcode_flags(form: Form) -> Vec<&'static str> {
    let mut flags = vec!["-gline-tables-only", "-fno-discard-value-names", "-emit-llvm", "-c"];
    match form {
        Form::Optimised => flags.push("-O1"),
        _ => flags.extend(["-O0", "-Xclang", "-disable-O0-optnone"]),
    }
    flags
}

/// What a panic says, without the number of the thread and the stack.
fn first_lines(errors: &str) -> String {
    let lines = errors.lines().filter(|line| !line.is_empty()).take(2);
    lines.map(|line| line.split_once("panicked at ").map_or(line, |(_, place)| place)).collect::<Vec<_>>().join(" ")
}

/// What the object that the checker prints says.
fn outcome(answer: &Value) -> Outcome {
    let number = |name: &str| answer[name].as_u64().unwrap_or(0);
    let status = |entry: &Value| Some((entry["status"].as_i64()?, entry["executions"].as_u64()?));
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    let first = Some(answer["fault"].clone()).filter(|fault| !fault.is_null());
    let faults: Vec<Value> = list("faults").into_iter().chain(first).collect();
    let cut: Vec<String> = list("limits").iter().map(|limit| limit.as_str().unwrap_or("?").to_string()).collect();
    let end = match cut.iter().find(|cut| *cut != "no execution is complete") {
        None => End::Whole,
        Some(cut) if cut.ends_with(" events") || cut == "the time limit" => End::Cut,
        Some(cut) if cut.contains("does not seem to terminate") || cut.contains("internal error") => End::Broken(cut.clone()),
        Some(cut) => End::Refused(cut.clone()),
    };
    Outcome {
        statuses: list("statuses").iter().filter_map(status).collect(),
        faults: faults.iter().map(|fault| (fault_words(fault), number_of(fault))).collect(),
        freed: faults.iter().filter(|fault| is_freed(fault)).filter_map(number_of).collect(),
        misbehaved: faults.iter().filter(|fault| fault["kind"] != "assertion").filter_map(number_of).collect(),
        executions: number("executions"),
        blocked: number("blocked"),
        redundant: number("redundant"),
        end,
    }
}

/// Whether memory is used that is freed.
fn is_freed(fault: &Value) -> bool {
    matches!(fault["kind"].as_str(), Some("use-after-free" | "double-free"))
}

/// The kind of a fault and its line. Of several accesses that nothing orders before the same free, another one may be
/// reported under another model: then the program stands for the line.
fn fault_words(fault: &Value) -> String {
    match number_of(fault) {
        Some(number) if is_freed(fault) => format!("freed memory is used in program {number}"),
        _ => format!("{} in line {}", fault["kind"].as_str().unwrap_or("?"), fault["line"]),
    }
}

/// The number of the program that a fault is in: what the function's name ends with.
fn number_of(fault: &Value) -> Option<i64> {
    fault["function"].as_str()?.rsplit('_').next()?.parse().ok()
}

/// What was run for a batch.
pub struct Runs<'t> {
    tools: &'t Tools,
    programs: &'t [Program],
    compiled: BTreeMap<Form, PathBuf>,
    outcomes: BTreeMap<Check, Outcome>,
}

impl<'t> Runs<'t> {
    /// Nothing yet.
    pub fn new(tools: &'t Tools, programs: &'t [Program]) -> Runs<'t> {
        Runs { tools, programs, compiled: BTreeMap::new(), outcomes: BTreeMap::new() }
    }

    /// What a check says.
    pub fn outcome(&mut self, check: Check) -> Result<&Outcome, String> {
        if !self.outcomes.contains_key(&check) {
            let bitcode = self.bitcode(check.form)?;
            self.outcomes.insert(check, self.tools.check(&bitcode, check));
        }
        Ok(&self.outcomes[&check])
    }

    /// The statuses of native runs.
    pub fn native(&self) -> Result<BTreeSet<i64>, String> {
        self.tools.native(self.programs)
    }

    fn bitcode(&mut self, form: Form) -> Result<PathBuf, String> {
        if let Some(made) = self.compiled.get(&form) {
            return Ok(made.clone());
        }
        let variant = if form == Form::Assumes { Variant::Assumes } else { Variant::Plain };
        let made = self.tools.compile(&render(self.programs, variant), &format!("{form:?}"), &bitcode_flags(form), ".bc")?;
        self.compiled.insert(form, made.clone());
        Ok(made)
    }
}
