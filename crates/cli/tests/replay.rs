//! Witnesses are written, and replayed to the same end.

use crate::support::{Folder, STORE_BUFFERING};
use serde_json::{Value, json};

const GREETING: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int x;
void *other(void *p) { x = 1; printf("other\n"); return 0; }
int main(void) {
  pthread_t t;
  printf("main\n");
  pthread_create(&t, 0, other, 0);
  assert(x == 0);
  EXTRA
  return 0;
}
"#;

#[test]
fn a_replay_tells_the_same_story() {
    for model in ["tso", "pso"] {
        let folder = Folder::new("sb.c", STORE_BUFFERING);
        let checked =
            folder.check(&format!("check sb.c --model {model} --witness bug.json -- -DCHECK=assert"), 42, &["raddle replay bug.json"]);
        let replayed = folder.check("replay bug.json", 42, &["T2 right"]);
        assert!(checked.out.starts_with(replayed.out.trim_end()), "{}\n{}", checked.out, replayed.out);
    }
}

#[test]
fn a_replay_prints_what_the_program_prints() {
    let folder = Folder::new("greeting.c", GREETING);
    folder.check("check greeting.c --model sc --witness bug.json -- -DEXTRA=", 42, &[]);
    folder.check("replay bug.json", 42, &["assertion `x == 0` fails", "In this execution the program printed:", "  main\n  other\n"]);
}

/// A witness carries all that its replay needs: elsewhere, without the source, and after it has changed.
#[test]
fn a_replay_needs_nothing_but_the_witness() {
    let folder = Folder::new("greeting.c", GREETING);
    folder.check("check greeting.c --model sc --witness bug.json -- -DEXTRA=", 42, &[]);
    let fresh = folder.check("replay bug.json", 42, &["assertion `x == 0` fails"]);
    folder.write("greeting.c", &GREETING.replace("x == 0", "x >= 0"));
    let changed = folder.check("replay bug.json", 42, &["assert(x == 0);", "greeting.c has changed since the witness was written"]);
    let elsewhere = Folder::new("bug.json", &std::fs::read_to_string(folder.path().join("bug.json")).expect("it was written"));
    let moved = elsewhere.check("replay bug.json", 42, &["assert(x == 0);"]);
    assert_eq!((&fresh.out, &fresh.out), (&changed.out, &moved.out));
    assert_eq!((fresh.err.as_str(), moved.err.as_str()), ("", ""));
}

#[test]
fn what_is_no_witness_is_refused() {
    let folder = Folder::new("bug.json", "");
    for (text, why) in [
        ("", "this is not a witness of Raddle: EOF while parsing a value at line 1 column 0"),
        ("{}", "this is not a witness of Raddle: missing field `format` at line 1 column 2"),
        ("\u{1b}[31m", "this is not a witness of Raddle: expected value at line 1 column 1"),
        (r#"{"format": "raddle-witness", "version": 2, "more": []}"#, "version: it is 2, and this Raddle reads version 1"),
        (r#"{"format": "another", "version": 1}"#, "format: should be `raddle-witness`"),
        (&"[".repeat(1_000_000), "this is not a witness of Raddle"),
        (&format!(r#"{{"a": {}"#, r#"{"a": "#.repeat(1_000_000)), "this is not a witness of Raddle: "),
        (r#"{"files": ["a.c"], "cflags": ["-fplugin=x"], "clang": "touch"}"#, "missing field `format`"),
    ] {
        folder.write("bug.json", text);
        folder.check("replay bug.json", 2, &["bug.json: ", why]);
    }
    folder.check("replay nothing.json", 2, &["nothing.json"]);
    folder.check("replay .", 2, &["raddle: .: "]);
}

/// Changes one thing of a witness at a time. None of it may be believed, crash or run anything.
#[test]
fn a_witness_that_was_tampered_with_is_refused() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    for model in ["tso", "pso", "ra", "power", "aarch64"] {
        folder.check(&format!("check sb.c --model {model} --witness bug.json -- -DCHECK=assert"), 42, &[]);
        let text = std::fs::read_to_string(folder.path().join("bug.json")).expect("it was written");
        let good: Value = serde_json::from_str(&text).expect("a witness is JSON");
        let check = |place: &str, value: Value, why: &str| {
            let mut bad = good.clone();
            *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value;
            folder.write("bad.json", &bad.to_string());
            folder.check("replay bad.json", 2, &["bad.json: ", why]);
        };
        let claims = "the file does not show what it claims";
        check("/model", json!("sc"), claims);
        check("/model", json!("no\u{1b}"), "model: ");
        check("/options/nondet", json!([1, 0]), "options.nondet");
        check("/options/max_heap_bytes", json!(-1), "invalid value");
        check("/fault/kind", json!("deadlock"), claims);
        check("/fault/kind", json!("data-race"), claims);
        check("/fault/kind", json!("bad luck"), "fault.kind");
        check("/fault/thread", json!(1), claims);
        check("/fault/thread", json!(99), "fault.thread");
        check("/fault/stack/0/0", json!(1 << 20), "fault.stack[0]");
        check("/fault/stack/0/1", json!(0), claims);
        check("/fault/stack", json!([]), claims);
        check("/fault/message", json!("all is well\u{1b}[2J"), claims);
        check("/program/sha256", json!("00"), "program.sha256");
        check("/program/bytes", json!(7), "program.zstd");
        check("/program/bytes", json!(1u64 << 60), "program.bytes");
        check("/program/zstd", json!("****"), "program.zstd");
        check("/program/zstd", json!("AAAA"), "program.zstd");
        check("/threads/1", json!([7, 0]), "threads");
        check("/threads", json!([]), "fault.thread");
        check("/blocks/0", json!("heap 0 0"), "blocks[0]");
        check("/blocks/0", json!("\u{1b}[31m 0 0 small"), "blocks[0]");
        check("/shared", json!(["global 4000000000"]), "shared[0]");
        check("/cuts", json!([u64::MAX]), "cuts[0]");
        check("/contested", json!([[u64::MAX, 4]]), "contested[0]");
        check("/found_taken", json!([[u64::MAX, 0, 1]]), "found_taken[0]");
        check("/path", json!({ "schedule": "x" }), "path.schedule, word 1");
        check("/path", json!({ "schedule": "0 u0@18446744073709551615+4294967295" }), "path.schedule, word 2");
        check("/path", json!({ "graph": "1<0.\u{e9}" }), "path.graph, word 1");
        check("/path", json!({ "commits": "1.0<2\u{e9}3" }), "path.commits, word 1");
        check("/path", json!({ "schedule": "4294967295" }), claims);
        check("/path", json!({ "graph": "4294967295<4294967295.4294967295" }), claims);
        check("/path", json!({ "commits": "4294967295.4294967295>4294967295.4294967295" }), claims);
        check("/path", json!({ "program": "a" }), "unknown variant");
        check("/sources", json!(["a"]), "invalid type");
        for length in (0..text.len() - 2).step_by(text.len() / 8) {
            folder.write("bad.json", &text[..length]);
            folder.check("replay bad.json", 2, &["bad.json: "]);
        }
    }
}

const WAITS: &str = r#"
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *ba(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, ba, 0);
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
"#;

/// Threads that could go on are in no deadlock, wherever the path of a witness is cut.
#[test]
fn a_deadlock_needs_threads_that_cannot_go_on() {
    let folder = Folder::new("waits.c", WAITS);
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        folder.check(&format!("check waits.c --model {model} --witness bug.json"), 42, &["deadlock"]);
        let text = std::fs::read_to_string(folder.path().join("bug.json")).expect("it was written");
        let mut witness: Value = serde_json::from_str(&text).expect("a witness is JSON");
        let (kind, path) = witness["path"].as_object().and_then(|path| path.iter().next()).expect("there is a path");
        let (kind, path) = (kind.clone(), path.as_str().expect("it is text").to_string());
        let words: Vec<&str> = path.split(' ').collect();
        for (n, thread) in (0..words.len()).flat_map(|n| [(n, 0), (n, 1)]) {
            witness["path"][&kind] = words[..n].join(" ").into();
            for message in ["T0 and T1 wait for ever".to_string(), format!("T{thread} waits for ever")] {
                (witness["fault"]["thread"], witness["fault"]["message"]) = (thread.into(), message.into());
                folder.write("bad.json", &witness.to_string());
                folder.check("replay bad.json", 2, &["the file does not show what it claims"]);
            }
        }
    }
}

/// A join is passed when the other thread has ended, and not before.
#[test]
fn no_step_of_a_schedule_passes_a_join() {
    let source = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *set(void *p) { x = 1; return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); x = 2; pthread_join(t, 0); assert(x == 1); return 0; }\n";
    let folder = Folder::new("joins.c", source);
    folder.check("check joins.c --model sc --witness bug.json", 42, &[]);
    let text = std::fs::read_to_string(folder.path().join("bug.json")).expect("it was written");
    let mut witness: Value = serde_json::from_str(&text).expect("a witness is JSON");
    for path in ["0 0 0", "0 0 0 0", "0 0"] {
        witness["path"]["schedule"] = path.into();
        folder.write("bad.json", &witness.to_string());
        folder.check("replay bad.json", 2, &["the file does not show what it claims"]);
    }
}

/// A witness with this text as its program, of two threads that begin with it, and with the hash that belongs to it.
fn forged(code: &str) -> String {
    let claim = json!({
        "format": "raddle-witness", "version": 1, "raddle": "0.1.0", "model": "tso", "buffer_bound": null,
        "options": { "unroll": null, "max_heap_bytes": 1 << 20, "uninit": false, "malloc_may_fail": false, "spurious": false, "nondet": null },
        "fault": { "kind": "assertion", "message": "all is lost", "thread": 0, "stack": [[0, 0]] },
        "sources": {}, "threads": [null, null], "blocks": [], "shared": ["global 0"], "cuts": [], "contested": [], "found_taken": [],
        "path": { "schedule": "0" },
    });
    let text = format!("global g0 \"x\" size 4 align 4\nentry f0\nentry f0\nfunction f0 \"f\"\n{code}\n");
    let file = raddle_fuzz::forged(claim.to_string().as_bytes(), text.as_bytes()).expect("it is an object");
    String::from_utf8(file).expect("JSON is text")
}

/// Code that never ends is refused, or is run until the time is up; it never holds the replay up.
#[test]
fn a_forged_program_without_end_is_ended() {
    let folder = Folder::new("bad.json", "");
    for (code, exit, parts) in [
        ("b0:\n jump b0", 2, &["without the mark of a loop"][..]),
        ("loop l0 ()\nb0:\n loop.enter l0\n jump b1\nb1:\n loop.next l0, b1", 2, &["the file does not show what it claims"]),
        ("loop l0 ()\nb0:\n loop.enter l0\n jump b1\nb1:\n add r0, r0, 1, 64\n loop.next l0, b1", 3, &["it is not known whether"]),
        ("loop l0 ()\nb0:\n loop.enter l0\n jump b1\nb1:\n store &g0, 1, 4, plain\n loop.next l0, b1", 3, &["it is not known whether"]),
    ] {
        folder.write("bad.json", &forged(code));
        let started = std::time::Instant::now();
        folder.check("replay bad.json --timeout 0.5 --memory 2000", exit, parts);
        assert!(started.elapsed() < std::time::Duration::from_secs(3), "{code}: {:?}", started.elapsed());
    }
}

/// So many threads that judging takes long.
#[test]
fn a_replay_of_many_threads_keeps_its_time() {
    let source = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 1; return 0; }\n\
        int main(void) { pthread_t t; for (int i = 0; i < 2000; i++) pthread_create(&t, 0, f, 0); assert(0); return 0; }\n";
    let folder = Folder::new("many.c", source);
    for model in ["sc", "tso", "ra", "power"] {
        folder.check(&format!("check many.c --model {model} --witness bug.json"), 42, &[]);
        let started = std::time::Instant::now();
        let answer = folder.raddle("replay bug.json --timeout 0.2");
        assert!([3, 42].contains(&answer.code), "{}{}", answer.out, answer.err);
        assert!(started.elapsed() < std::time::Duration::from_secs(3), "{model}: {:?}", started.elapsed());
    }
}
