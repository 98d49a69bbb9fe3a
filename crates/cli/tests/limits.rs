//! Limits of time and memory hold wherever a program is, and what was found by then is kept.

#![cfg(target_os = "linux")]

use crate::support::{Answer, Folder};
use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long after its time a command may end. The promise is 0.3 s; a machine that runs other tests as well gets more.
const LATE: Duration = Duration::from_millis(2500);

/// Runs a command on a program with a limit of time, and looks whether it ends in time with exit code 3.
#[track_caller]
fn ends_in_time(text: &str, name: &str, words: &str, seconds: f64, parts: &[&str]) -> Answer {
    let folder = Folder::new(name, text);
    let started = Instant::now();
    let answer = folder.check(&words.replace("FILE", name), 3, parts);
    let took = started.elapsed();
    assert!(took < Duration::from_secs_f64(seconds) + LATE, "raddle {words} took {took:?}");
    answer
}

/// The exit code of a command, and how many megabytes it had at most.
fn peak(folder: &Folder, words: &str) -> (i32, u64) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("raddle"))
        .current_dir(folder.path())
        .args(words.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command can be run");
    let (pid, mut most) = (child.id(), 0);
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return (status.code().unwrap_or_else(|| -status.signal().unwrap_or(0)), most >> 10);
        }
        let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let kilobytes = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A loop that makes no visible action.
const PRIVATE: &str = "int main(void) { volatile unsigned long n = 0; for (;;) n++; }\n";

#[test]
fn in_private_loops() {
    for model in ["sc", "ra", "power"] {
        let words = format!("check FILE --timeout 0.5 --model {model}");
        ends_in_time(PRIVATE, "private.c", &words, 0.5, &["the time limit ended the search"]);
    }
    ends_in_time(PRIVATE, "private.c", "check FILE --timeout 0.5 --unroll 4000000000", 0.5, &["the time limit"]);
    ends_in_time(PRIVATE, "private.c", "run FILE --timeout 0.5", 0.5, &["the time limit"]);
    ends_in_time(PRIVATE, "private.c", "compare FILE --timeout 0.5", 3.0, &["the time limit"]);
}

#[test]
fn in_a_thread_under_every_model() {
    let text = format!("#include <pthread.h>\n{}", PRIVATE.replace("int main(void) {", "void *spin(void *p) {"))
        + "int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); pthread_join(t, 0); return 0; }\n";
    for model in ["sc", "tso", "pso", "ra", "power"] {
        ends_in_time(&text, "thread.c", &format!("check FILE --timeout 0.5 --model {model}"), 0.5, &["the time limit"]);
    }
}

/// Nothing but the end of the process stops a function of the library.
#[test]
fn in_the_library() {
    let text = "#include <string.h>\nstatic char a[1 << 30];\n\
                int main(void) { memset(a, 'x', sizeof a - 1); size_t n = 0; for (;;) n += strlen(a); }\n";
    ends_in_time(text, "long.c", "check FILE --timeout 1 --memory 4000", 1.0, &["unknown: the time limit ended the search"]);
    let answer = ends_in_time(text, "long.c", "check FILE --timeout 1 --memory 4000 --format json", 1.0, &[]);
    let json: Value = serde_json::from_str(&answer.out).expect("it is an object");
    assert_eq!((json["verdict"].as_str(), json["reason"]["kind"].as_str()), (Some("unknown"), Some("timeout")));
    ends_in_time(text, "long.c", "check FILE --timeout 1 --memory 4000 --format sarif", 1.0, &["executionSuccessful"]);
}

#[test]
fn while_compiling() {
    let mut text: String = "#define A0 +1\n".into();
    for n in 1..12 {
        text += &format!("#define A{n} {}\n", format!("A{} ", n - 1).repeat(10));
    }
    text += "int main(void) { return A11; }\n";
    let answer = ends_in_time(&text, "macros.c", "check FILE --timeout 0.5 --format json", 0.5, &["the time limit"]);
    assert!(serde_json::from_str::<Value>(answer.out.trim()).is_ok(), "{}", answer.out);
    ends_in_time(&text, "macros.c", "run FILE --timeout 0.5", 0.5, &["the time limit"]);
    ends_in_time(&text, "macros.c", "compare FILE --timeout 0.5", 0.5, &["the time limit"]);
    let folder = Folder::new("macros.c", &text);
    folder.check("check macros.c --memory 200", 3, &["the memory limit of 200 MB"]);
}

/// A compiler that starts others is ended with them.
#[test]
fn what_the_compiler_starts_ends_with_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("x.c", "int main(void) { return 0; }\n");
    folder.write("clang", "#!/bin/sh\nsleep 1234567 &\necho $! > pid\nsleep 1234567\n");
    let clang = folder.path().join("clang");
    std::fs::set_permissions(&clang, std::fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    folder.check(&format!("check x.c --timeout 1 --clang {}", clang.display()), 3, &["the time limit"]);
    let pid = std::fs::read_to_string(folder.path().join("pid")).expect("it was started");
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "it still runs: {state}");
}

#[test]
fn while_threads_are_made() {
    let text = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 1; return p; }\n\
                int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n";
    for model in ["sc", "tso", "ra", "power"] {
        let folder = Folder::new("threads.c", text);
        let started = Instant::now();
        let (code, most) = peak(&folder, &format!("check threads.c --timeout 1 --memory 500 --model {model}"));
        assert!([3, 5].contains(&code), "exit code {code} under {model}");
        assert!(started.elapsed() < Duration::from_secs(1) + LATE && most <= 550, "{:?}, {most} MB under {model}", started.elapsed());
    }
}

/// What others cannot see takes time too: stores that wait in a buffer without end.
#[test]
fn while_stores_wait() {
    let text = "#include <pthread.h>\nvolatile int x;\nvoid *f(void *p) { for (;;) x = 1; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }\n";
    for model in ["sc", "tso", "pso", "ra", "power"] {
        ends_in_time(text, "stores.c", &format!("check FILE --timeout 0.5 --model {model}"), 0.5, &["the time limit ended the search"]);
    }
}

/// A choice between very many values is made one at a time, by every explorer, and finds what is wrong with the first
/// ones.
#[test]
fn in_choices() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint x;\n\
                void *f(void *p) { x = __VERIFIER_nondet_int(); return 0; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int n = __VERIFIER_nondet_int(); pthread_join(t, 0);\n\
                assert(n + x != 321); return 0; }\n";
    let of_sc = ["", "--algorithm source", "--algorithm classic", "--algorithm naive", "--context-bound 2"];
    let plans = of_sc.map(|plan| format!("--model sc {plan}")).into_iter();
    for plan in plans.chain(["rc11", "ra", "power"].map(|model| format!("--model {model}"))) {
        let folder = Folder::new("choice.c", text);
        let (code, most) = peak(&folder, &format!("check choice.c --timeout 20 --nondet 0..2147483647 {plan}"));
        assert!(code == 42 && most < 400, "exit code {code}, {most} MB with `{plan}`");
    }
    let never = text.replace("!= 321", ">= 0");
    ends_in_time(&never, "choice.c", "check FILE --timeout 0.5 --nondet 0..1000000000", 0.5, &["unknown", "executions"]);
}

/// As many executions as there are values, and each value once.
#[test]
fn a_choice_has_each_value_once() {
    let text = "int __VERIFIER_nondet_int(void);\nint main(void) { __VERIFIER_nondet_int(); return 0; }\n";
    for (range, n) in [("0..99", 100), ("0..100", 101), ("-5..12345", 12351), ("0..9999", 10000)] {
        let folder = Folder::new("choice.c", text);
        folder.check(&format!("check choice.c --nondet {range}"), 0, &[&format!("no fault in {n} executions")]);
    }
}

/// Memory that is asked for is not given beyond the limit, and what was found is told.
#[test]
fn of_memory() {
    let text = "static char a[2000000000];\nint main(void) { for (unsigned long i = 0; i < sizeof a; i += 512) a[i] = 1; return 0; }\n";
    for command in ["check pages.c", "check pages.c --uninit", "check pages.c --model power", "run pages.c", "compare pages.c"] {
        let folder = Folder::new("pages.c", text);
        let (code, most) = peak(&folder, &format!("{command} --memory 200"));
        assert!(code == 3 && most <= 220, "{command}: exit code {code}, {most} MB");
    }
    let folder = Folder::new("pages.c", text);
    folder.check("check pages.c --memory 200", 3, &["unknown: the memory limit of 200 MB ended the search"]);
    let answer = folder.check("check pages.c --memory 200 --format json", 3, &[]);
    let json: Value = serde_json::from_str(&answer.out).expect("it is an object");
    assert_eq!((json["verdict"].as_str(), json["reason"]["kind"].as_str()), (Some("unknown"), Some("memory")));
}

/// One request for more than there is.
#[test]
fn of_memory_at_once() {
    let text = "#include <stdio.h>\nchar b[9];\nint main(void) { return snprintf(b, 9, \"%2000000000d\", 1) < 0; }\n";
    Folder::new("wide.c", text).check("check wide.c --memory 200", 3, &["the memory limit of 200 MB"]);
}

/// Objects take the room of what is touched of them, private and shared.
#[test]
fn large_objects_take_what_is_touched() {
    let text = "#include <pthread.h>\nstatic char a[2000000000];\nvoid *f(void *p) { a[1999999999] = 1; return 0; }\n\
                int main(void) { a[7] = 3; pthread_t t; pthread_create(&t, 0, f, 0); a[1000000000] = 1; pthread_join(t, 0);\n\
                return a[7] - 3 + a[1999999999] - 1; }\n";
    for options in ["", "--model tso", "--model ra", "--model power", "--model sc --algorithm naive"] {
        let folder = Folder::new("large.c", text);
        let (code, most) = peak(&folder, &format!("check large.c --memory 200 {options}"));
        assert!(code == 0 && most <= 220, "exit code {code}, {most} MB with `{options}`");
    }
    let wrong = text.replace("return a[7] - 3", "__builtin_trap(); return a[7] - 3");
    for options in ["", "--model ra", "--model power"] {
        let folder = Folder::new("large.c", &wrong);
        let (code, most) = peak(&folder, &format!("check large.c --memory 200 {options}"));
        assert!(code == 42 && most <= 220, "the story: exit code {code}, {most} MB with `{options}`");
    }
}

/// An object that has no place in the address space is refused, rather than laid over others.
#[test]
fn an_object_that_is_too_large_is_refused() {
    let text = "static char huge[1L << 46];\nint main(void) { return huge[5]; }\n";
    Folder::new("huge.c", text).check("check huge.c", 5, &["huge: a variable of 70368744177664 bytes", "not supported"]);
}

/// A long loop is run; only one that comes back to the same state is endless.
#[test]
fn a_long_loop_that_ends_is_run() {
    let private = "int main(void) { volatile unsigned n = 0; for (unsigned i = 0; i < 22000000; i++) n += i; return n == 7; }\n";
    Folder::new("long.c", private).check("check long.c", 0, &["verified"]);
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
                void *f(void *p) { for (int i = 0; i < N; i++) atomic_store(&x, i); return 0; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    for (model, n) in [("sc", 101_000), ("ra", 101_000), ("power", 8_300)] {
        let folder = Folder::new("events.c", &text.replace('N', &n.to_string()));
        folder.check(&format!("check events.c --model {model}"), 0, &["verified: no fault in 1 execution"]);
    }
}

#[test]
fn a_loop_that_repeats_is_endless() {
    let alone = "int main(void) { for (;;); }\n";
    let cycle = "int main(void) { volatile unsigned char n = 0; for (;;) n++; }\n";
    let other = "#include <pthread.h>\nvoid *f(void *p) { for (;;); return 0; }\n\
                 int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    for (text, model) in [alone, cycle, other].into_iter().flat_map(|text| ["sc", "ra", "power"].map(|model| (text, model))) {
        let started = Instant::now();
        Folder::new("loop.c", text).check(&format!("check loop.c --model {model}"), 3, &["does not seem to terminate: use --unroll"]);
        assert!(started.elapsed() < Duration::from_secs(8), "{model}: {:?}", started.elapsed());
    }
}

/// What is printed is not kept, and the end of the reader is the end of the run.
#[test]
fn output_without_end() {
    let text = "#include <stdio.h>\nint main(void) { for (unsigned long n = 0;; n++) printf(\"%lu\\n\", n); }\n";
    let folder = Folder::new("prints.c", text);
    let (code, most) = peak(&folder, "run prints.c --timeout 1");
    assert!(code == 3 && most < 200, "exit code {code}, {most} MB");
    let shell = format!("{} run prints.c | head -2", assert_cmd::cargo::cargo_bin("raddle").display());
    let output = Command::new("sh").current_dir(folder.path()).args(["-c", &shell]).output().expect("a shell can be run");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n1\n");
}

#[test]
fn a_run_can_be_ended() {
    let folder = Folder::new("prints.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"x\"); }\n");
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("raddle"))
            .current_dir(folder.path())
            .args(["run", "prints.c"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the command can be run");
        std::thread::sleep(Duration::from_millis(800));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill can be run").success());
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
    }
}

/// A run that starts over prints nothing twice.
#[test]
fn a_run_that_starts_over_prints_once() {
    let text = "#include <pthread.h>\n#include <stdio.h>\nvoid *f(void *p) { *(int *)p = 5; puts(\"thread\"); return 0; }\n\
                int main(void) { int x = 0; puts(\"alone\"); pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0);\n\
                printf(\"%d\\n\", x); return 0; }\n";
    let answer = Folder::new("over.c", text).check("run over.c", 0, &[]);
    assert_eq!(answer.out, "alone\nthread\n5\n");
}

/// A fault that was found is told, whatever ends the check.
#[test]
fn a_fault_found_before_stays_found() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <string.h>\nint x;\nstatic char a[1 << 30];\n\
                void *f(void *p) { x = 1; return 0; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int r = x; pthread_join(t, 0);\n\
                if (r == 0) assert(0); for (size_t n = 0;;) n += strlen(memset(a, 'x', sizeof a - 1)); }\n";
    let folder = Folder::new("found.c", text);
    folder.check("check found.c --model sc --keep-going --timeout 2", 42, &["assertion"]);
    let answer = folder.check("check found.c --model sc --keep-going --timeout 2 --format json", 42, &[]);
    let json: Value = serde_json::from_str(&answer.out).expect("it is an object");
    assert_eq!((json["fault"]["kind"].as_str(), json["fault"]["line"].as_u64()), (Some("assertion"), Some(8)));
}

#[test]
fn of_litmus_tests() {
    let threads: Vec<String> = (0..8).map(|n| format!("P{n}")).collect();
    let line = |n: usize| (0..8).map(|t| format!("MOV [x{}],${}", (t + n) % 8, n + 1)).collect::<Vec<_>>().join(" | ");
    let code: String = (0..12).map(|n| line(n) + " ;\n").collect();
    let text = format!("X86 large\n{{}}\n{} ;\n{code}exists (x0=1)\n", threads.join(" | "));
    ends_in_time(&text, "large.litmus", "litmus FILE --model tso --timeout 0.5", 0.5, &["large.litmus: the time limit"]);
}

#[test]
fn of_replay() {
    let folder = Folder::new("over.c", "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n");
    folder.check("check over.c --witness bug.json", 42, &["stack-overflow"]);
    folder.check("replay bug.json --timeout 20", 42, &["stack-overflow"]);
}
