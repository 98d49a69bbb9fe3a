//! What of C and C++ is run (docs/language.md), under every model that has it. The programs are those of
//! corpus/language.

use crate::support::{self, Compiled, CorpusFile};

#[test]
fn programs_mean_what_their_language_says() {
    support::check_folder("corpus/language");
}

/// Random numbers, the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn variable(&mut self) -> char {
        ['x', 'y', 'z'][self.below(3) as usize]
    }

    fn statement(&mut self, thread: usize) -> String {
        let (v, w) = (self.variable(), self.variable());
        match self.below(5) {
            0 => format!("{v} = {};", 1 + self.below(3)),
            1 => format!("{v} += 1;"),
            2 => format!("r{thread} = r{thread} * 3 + {v};"),
            3 => format!("if ({v}) {w} += 2; else r{thread} += 1;"),
            _ if self.below(4) == 0 => format!("__VERIFIER_assume({v} != {});", self.below(3)),
            _ => format!("{v} = {w} + 1;"),
        }
    }

    /// Threads of blocks, and nothing outside of these.
    fn program(&mut self) -> String {
        let declared = "#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);\n";
        let mut text = format!("{declared}static int x, y, z, r0, r1;\n");
        for thread in 0..2 {
            let blocks: Vec<String> = (0..=self.below(2))
                .map(|_| {
                    let body: Vec<String> = (0..=self.below(3)).map(|_| self.statement(thread)).collect();
                    format!("__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();", body.join(" "))
                })
                .collect();
            text += &format!("static void *t{thread}(void *p) {{ {} return p; }}\n", blocks.join(" "));
        }
        text + "int main(void) { pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0);\n\
                pthread_join(a, 0); pthread_join(b, 0); return (x + 3 * y + 7 * z + 11 * r0 + 5 * r1) & 127; }\n"
    }
}

/// Where all is in blocks, the models differ in nothing: as steps under SC and TSO, as sections of a lock under others.
#[test]
fn blocks_end_alike_under_all_models() {
    let folder = tempfile::TempDir::new().expect("there is room");
    let mut draw = Draw(1);
    let programs: Vec<(usize, String)> = (0..24).map(|n| (n, draw.program())).collect();
    support::check_all(&programs, |(number, text)| {
        let path = folder.path().join(format!("{number}.c"));
        std::fs::write(&path, text).map_err(|why| why.to_string())?;
        let program = Compiled::new(&CorpusFile::new(path.to_str().expect("the path is text"), &[]))?;
        let ends = |model: &str| {
            let output = program.check(&["--model", model, "--statuses", "--format", "json"]);
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|why| format!("{model}: {why}: {text}"))?;
            let statuses = answer["statuses"].as_array().into_iter().flatten().map(|entry| entry["status"].to_string());
            Ok::<_, String>((output.status.code(), statuses.collect::<Vec<_>>()))
        };
        let expected = ends("sc")?;
        for model in ["tso", "ra", "sra", "rc11", "power", "aarch64"] {
            let found = ends(model)?;
            if found != expected {
                return Err(format!("{model}: {found:?}, under SC {expected:?}:\n{text}"));
            }
        }
        Ok(())
    });
}

/// The checks for a property are put in by the compiler.
#[test]
fn a_property_may_ask_for_overflows() {
    let folder = tempfile::TempDir::new().expect("there is room");
    let (file, property) = (folder.path().join("add.c"), folder.path().join("no-overflow.prp"));
    std::fs::write(&file, "int more(int n) { return n + 1; } int main(void) { return more(WHERE) == 3; }\n").expect("there is room");
    std::fs::write(&property, "CHECK( init(main()), LTL(G ! overflow) )\n").expect("there is room");
    let code = |from: &str| {
        let [file, property] = [&file, &property].map(|path| path.to_str().expect("the path is text"));
        support::raddle(&["check", file, "--property", property, "--", &format!("-DWHERE={from}")]).status.code()
    };
    assert_eq!((code("7"), code("0x7fffffff")), (Some(0), Some(42)));
    std::fs::write(&property, "CHECK( init(main()), LTL(F end) )\n").expect("there is room");
    assert_eq!(code("7"), Some(2));
}

/// Old C is refused, with exit code 4, where nobody asks for it.
#[test]
fn old_c_is_asked_for() {
    let output = support::raddle(&["check", "corpus/language/old.c", "--model", "sc"]);
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--lenient"), "{}", String::from_utf8_lossy(&output.stderr));
}
