//! Runs the command on programs that stand in the tests.

#![allow(dead_code, reason = "not every test uses all of it")]

mod corpus;
mod expectations;
#[cfg(unix)]
pub mod nats;
mod rare;
mod schema;

#[allow(unused_imports, reason = "not every test looks at the corpus")]
pub use corpus::{Compiled, CorpusFile, check_all, raddle, root};
#[allow(unused_imports, reason = "not every test has a folder of them")]
pub use expectations::{check_folder, expectations, words};
#[allow(unused_imports, reason = "not every test has rare faults")]
pub use rare::rare;
#[allow(unused_imports, reason = "not every test has answers for scripts")]
pub use schema::{check_printed, check_report, check_sarif_log};

use assert_cmd::Command;
use std::path::Path;
use tempfile::TempDir;

/// A folder with a program in it, where the command is run.
pub struct Folder(TempDir);

/// What the command gave.
pub struct Answer {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    /// A folder with one file.
    pub fn new(name: &str, text: &str) -> Folder {
        let folder = Folder(TempDir::new().expect("a folder can be made"));
        folder.write(name, text);
        folder
    }

    /// Writes a file. A text in the tests may begin on a line of its own.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text.strip_prefix('\n').unwrap_or(text)).expect("a file can be written");
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs `raddle` with these words.
    pub fn raddle(&self, words: &str) -> Answer {
        self.raddle_in(words, 200)
    }

    /// The same on a terminal with so many columns.
    pub fn raddle_in(&self, words: &str, columns: u32) -> Answer {
        let output = Command::cargo_bin("raddle")
            .expect("the command is built")
            .current_dir(self.path())
            .env("COLUMNS", columns.to_string())
            .env_remove("RUST_BACKTRACE")
            .args(words.split_whitespace())
            .output()
            .expect("the command can be run");
        check_printed(&words.split_whitespace().collect::<Vec<_>>(), &output.stdout);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is text");
        Answer { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs `raddle` and compares the exit code and, in this order, parts of what it prints.
    #[track_caller]
    #[allow(dead_code)]
    pub fn check(&self, words: &str, code: i32, parts: &[&str]) -> Answer {
        let answer = self.raddle(words);
        assert_eq!(answer.code, code, "raddle {words}\n{}{}", answer.out, answer.err);
        let all = format!("{}{}", answer.out, answer.err);
        let mut left = all.as_str();
        for part in parts {
            let at = left.find(part).unwrap_or_else(|| panic!("`{part}` is not there, or not in this order:\n{all}"));
            left = &left[at + part.len()..];
        }
        answer
    }
}

/// The main of a program that runs two of its functions as threads, and what comes after both.
macro_rules! main_of {
    ($first:ident, $second:ident, $end:literal) => {
        concat!(
            "int main(void) {\n  pthread_t s, t;\n",
            concat!("  pthread_create(&s, 0, ", stringify!($first), ", 0);\n"),
            concat!("  pthread_create(&t, 0, ", stringify!($second), ", 0);\n"),
            concat!("  pthread_join(s, 0);\n  pthread_join(t, 0);\n  ", $end, "\n  return 0;\n}\n")
        )
    };
}
#[allow(unused_imports, reason = "not every test writes programs of two threads")]
pub(crate) use main_of;

/// A program whose two threads run `left` and `right`, with its heads and what comes after both.
#[allow(dead_code)]
pub fn two_threads(heads: &str, left: &str, right: &str, end: &str) -> String {
    let threads = format!("void *left(void *p) {{ {left} return 0; }}\nvoid *right(void *p) {{ {right} return 0; }}\n");
    let main = main_of!(left, right, "END").replace("END", end);
    format!("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n{heads}\n{threads}{main}")
}

/// Store buffering: under SC one of the loads gives one.
#[allow(dead_code)]
pub const STORE_BUFFERING: &str = concat!(
    r#"
#include <assert.h>
#include <pthread.h>
struct { int head; struct { int seq; int data; } slots[4]; } queue;
int y, r1, r2;
void *left(void *p) {
  queue.slots[2].seq = 3;
  r1 = y;
  return 0;
}
void *right(void *p) {
  y = 1;
  r2 = queue.slots[2].seq;
  return 0;
}
"#,
    main_of!(left, right, "CHECK(r1 == 1 || r2 == 3);")
);
