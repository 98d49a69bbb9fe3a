//! The tests of the mutated copy: which mutants each reaches, and whether it sees one.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How many random programs each test draws while mutants are tried.
const SEEDS: &str = "60";

/// Tests that see how fast something is or what the repository looks like, not what a check concludes.
const LEFT_OUT: &[&str] = &["instructions", "tidy", "readme", "stopping"];

/// The memory that a test may use, in KiB.
const MEMORY: u64 = 6_000_000;

/// A test program of a crate.
pub struct Binary {
    pub name: String,
    path: PathBuf,
    folder: PathBuf,
}

/// What one test is known to do.
#[derive(Clone, Serialize, Deserialize)]
pub struct Noted {
    pub binary: String,
    pub test: String,
    pub seconds: f64,
    /// The mutants that it reaches, by what is changed into what.
    pub reached: BTreeSet<String>,
}

/// How a mutant was seen.
pub enum Seen {
    No,
    By(String),
}

/// The test programs that cargo built, from what it printed.
pub fn binaries(messages: &[Value]) -> Vec<Binary> {
    messages.iter().filter_map(binary).filter(|binary| !LEFT_OUT.iter().any(|name| binary.name == format!("cli {name}"))).collect()
}

fn binary(message: &Value) -> Option<Binary> {
    let path = PathBuf::from(message.get("executable")?.as_str()?);
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let of = folder.file_name()?.to_string_lossy().into_owned();
    let is_unit = message["target"]["kind"][0] != "test";
    let name = if is_unit { format!("{of} unit") } else { format!("{of} {}", message["target"]["name"].as_str()?) };
    Some(Binary { name, path, folder })
}

impl Binary {
    pub fn tests(&self) -> Vec<String> {
        let output = Command::new(&self.path).args(["--list", "--format=terse"]).current_dir(&self.folder).output().expect("the test runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_string).collect()
    }

    /// Runs some tests, with an environment variable, for so many seconds of processor time.
    fn run(&self, tests: &[&str], variable: (&str, &str), seconds: u64) -> Result<(), String> {
        let limits = format!("ulimit -t {seconds}; ulimit -v {MEMORY}; ulimit -c 0; exec \"$0\" \"$@\"");
        let mut command = Command::new("bash");
        command.args(["-c", &limits]).arg(&self.path).args(["--exact", "--test-threads=2"]).args(tests).current_dir(&self.folder);
        command.env(variable.0, variable.1).env("RADDLE_TWIN_SEEDS", SEEDS).env("RUST_BACKTRACE", "0").env("INSTA_UPDATE", "no");
        let output = self.folder.join("../../../output");
        let file = std::fs::File::create(&output).expect("the output can be written");
        command.stdout(file).stderr(Stdio::null()).stdin(Stdio::null()).process_group(0);
        let ended = wait(command.spawn().expect("bash runs"), Duration::from_secs(seconds * 30));
        let text = std::fs::read(&output).expect("the output is there");
        let text = String::from_utf8_lossy(&text).into_owned();
        let failed = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_string));
        match (ended, failed) {
            (Some(true), _) => Ok(()),
            (_, Some(test)) => Err(test),
            (None, None) => Err("no end".to_string()),
            (Some(false), None) => Err("crash, or no end".to_string()),
        }
    }

    /// Runs a test without a mutant and notes what it reaches: nothing, if it fails with so few random programs.
    pub fn note(&self, test: &str, folder: &Path, key: impl Fn(usize) -> String) -> Noted {
        let _old = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder).expect("the folder can be made");
        let start = Instant::now();
        let ended = self.run(&[test], ("MUTANTS_REACHED", &folder.to_string_lossy()), 600);
        let seconds = start.elapsed().as_secs_f64();
        if let Err(why) = ended {
            println!("{} {test} is left out, it fails without a mutant: {why}", self.name);
            return Noted { binary: self.name.clone(), test: test.to_string(), seconds, reached: BTreeSet::new() };
        }
        let files = std::fs::read_dir(folder).expect("the folder is there");
        let numbers = files.filter_map(|file| file.ok()?.file_name().to_string_lossy().parse().ok());
        Noted { binary: self.name.clone(), test: test.to_string(), seconds, reached: numbers.map(key).collect() }
    }
}

/// Waits for a process: whether it succeeded. `None`: it had to be ended.
fn wait(mut child: Child, most: Duration) -> Option<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process is there") {
            return Some(status.success());
        }
        if start.elapsed() > most {
            let _ended = Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status();
            let _status = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs the tests that reach a mutant and take at most so many seconds, fast ones first, until one fails.
pub fn see(mutant: usize, key: &str, binaries: &[Binary], noted: &[Noted], longest: f64) -> Seen {
    let is_used = |noted: &&Noted| noted.seconds <= longest && noted.reached.contains(key);
    let mut reaching: Vec<&Noted> = noted.iter().filter(is_used).collect();
    reaching.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let (short, long): (Vec<&Noted>, Vec<&Noted>) = reaching.into_iter().partition(|noted| noted.seconds < 0.5);
    let mut units: Vec<(&Binary, Vec<&Noted>)> = Vec::new();
    for binary in binaries {
        let of = |noted: &&&Noted| noted.binary == binary.name;
        let own: Vec<&Noted> = short.iter().filter(of).copied().collect();
        units.extend(own.chunks(40).map(|chunk| (binary, chunk.to_vec())));
        units.extend(long.iter().filter(of).map(|noted| (binary, vec![*noted])));
    }
    let seconds = |tests: &[&Noted]| tests.iter().map(|noted| noted.seconds).sum::<f64>();
    units.sort_by(|a, b| seconds(&a.1).total_cmp(&seconds(&b.1)));
    for (binary, tests) in units {
        let names: Vec<&str> = tests.iter().map(|noted| noted.test.as_str()).collect();
        let most = 20 + 5 * seconds(&tests) as u64;
        if let Err(test) = binary.run(&names, ("MUTANT", &mutant.to_string()), most) {
            return Seen::By(format!("{}: {test}", binary.name));
        }
    }
    Seen::No
}
