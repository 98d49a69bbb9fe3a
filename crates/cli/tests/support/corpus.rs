//! What the tests of the command line have in common: they run the real binary.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_llvm::{Checks, Sources};
use tempfile::TempDir;

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Runs `raddle` with these arguments in the root of the repository.
#[allow(dead_code, reason = "not every test runs it this way")]
pub fn raddle(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle")).args(arguments).current_dir(root()).output().expect("raddle starts");
    super::check_printed(arguments, &output.stdout);
    output
}

/// A file of the corpus and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CorpusFile {
    pub file: String,
    pub flags: Vec<String>,
    /// The options of Raddle that are for the compiler.
    pub options: Vec<String>,
}

impl CorpusFile {
    /// A file that is compiled with these flags alone.
    #[allow(dead_code, reason = "not every test looks at the corpus")]
    pub fn new(file: &str, flags: &[&str]) -> CorpusFile {
        let flags = flags.iter().map(|flag| flag.to_string()).collect();
        CorpusFile { file: file.to_string(), flags, options: Vec::new() }
    }
}

/// A program of the corpus, compiled once for all the ways in which it is checked.
#[allow(dead_code, reason = "not every test looks at the corpus")]
pub struct Compiled {
    _folder: TempDir,
    bitcode: String,
}

#[allow(dead_code, reason = "not every test looks at the corpus")]
impl Compiled {
    /// Compiles a file with the flags that Raddle itself has for it; what is wrong with it otherwise.
    pub fn new(of: &CorpusFile) -> Result<Compiled, String> {
        let (file, cflags) = (&of.file, of.flags.iter().map(Into::into).collect());
        let has = |name: &str| of.options.iter().any(|option| option == name);
        let (checks, is_lenient) = (if has("--ub") { Checks::All } else { Checks::None }, has("--lenient"));
        let sources = Sources { cflags, checks, is_lenient, ..Sources::new([root().join(file)]) };
        let code = raddle_llvm::bitcode(&sources).map_err(|why| format!("{file}: {why}"))?;
        let folder = TempDir::new().map_err(|why| why.to_string())?;
        let path = folder.path().join("program.bc");
        std::fs::write(&path, &code[0]).map_err(|why| why.to_string())?;
        Ok(Compiled { _folder: folder, bitcode: path.to_str().expect("the path is text").to_string() })
    }

    /// Where the bitcode is.
    pub fn path(&self) -> &str {
        &self.bitcode
    }

    /// Checks it with these options. Clang has made the bitcode just now, and need not try it again.
    pub fn check(&self, options: &[&str]) -> Output {
        raddle(&[&["check", &self.bitcode, "--clang", "none"], options].concat())
    }
}

/// Does something with every item on as many threads as there are cores; fails with everything that went wrong.
#[allow(dead_code, reason = "not every test has many items")]
#[track_caller]
pub fn check_all<T: Sync>(items: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = check(item) {
                wrong.lock().expect("nobody panics with it").push(what);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics with it");
    assert!(!items.is_empty(), "there is nothing to check");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), items.len(), wrong.join("\n"));
}
