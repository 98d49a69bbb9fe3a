//! RC11 on the command line: orders mean what they say, races are faults, witnesses are judged by the axioms.

use crate::support::Folder;

/// A message is passed by a flag.
const MESSAGE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
TYPE data;
atomic_int flag;
void *sender(void *p) {
  data = 1;
  atomic_store_explicit(&flag, 1, STORE);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sender, 0);
  if (atomic_load_explicit(&flag, LOAD)) assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
"#;

/// Two flags are raised, and each thread looks for the other's.
const FLAGS: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
void *left(void *p) {
  atomic_store_explicit(&x, 1, ORDER);
  FENCE;
  a = atomic_load_explicit(&y, ORDER);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  atomic_store_explicit(&y, 1, ORDER);
  FENCE;
  b = atomic_load_explicit(&x, ORDER);
  pthread_join(t, 0);
  assert(a || b);
  return 0;
}
"#;

/// The same, where one of the threads raises its flag before it spawns the one that looks, or ends before it looks.
const FLAGS_OF_A_FAMILY: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a = 1, b = 1;
void raise(void) { atomic_store_explicit(&x, 1, ORDER); FENCE; }
void look(void) { FENCE; a = atomic_load_explicit(&y, ORDER); }
void *other(void *p) {
  atomic_store_explicit(&y, 1, ORDER);
  FENCE;
  b = atomic_load_explicit(&x, ORDER);
  return 0;
}
#ifdef BEFORE
#define before() raise()
#define child look
#define after()
#else
#define before()
#define child raise
#define after() look()
#endif
void *begin(void *p) {
  child();
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, 0);
  before();
  pthread_create(&u, 0, begin, 0);
  pthread_join(u, 0);
  after();
  pthread_join(t, 0);
  assert(a || b);
  return 0;
}
"#;

/// Whatever they access, seq_cst is kept across a spawn and a join.
#[test]
fn a_spawn_and_a_join_order_what_is_sequentially_consistent() {
    let folder = Folder::new("family.c", FLAGS_OF_A_FAMILY);
    for place in ["-DBEFORE", "-DAFTER"] {
        for (order, fence, code) in [("seq_cst", "", 0), ("relaxed", "atomic_thread_fence(memory_order_seq_cst)", 0), ("relaxed", "", 42)] {
            let line = format!("check family.c --model rc11 -- {place} -DORDER=memory_order_{order} -DFENCE={fence}");
            folder.check(&line, code, &[]);
        }
    }
}

#[test]
fn a_release_that_is_acquired_passes_a_message() {
    let folder = Folder::new("mp.c", MESSAGE);
    let orders = |kind: &str, store: &str, load: &str| format!("-- -DTYPE={kind} -DSTORE=memory_order_{store} -DLOAD=memory_order_{load}");
    for (store, load) in [("release", "acquire"), ("seq_cst", "seq_cst"), ("release", "seq_cst")] {
        let line = format!("check mp.c --model rc11 {}", orders("int", store, load));
        folder.check(&line, 0, &["verified: no fault in 2 executions under RC11"]);
    }
    for (store, load) in [("relaxed", "acquire"), ("release", "relaxed"), ("relaxed", "relaxed")] {
        let line = format!("check mp.c --model c11 {}", orders("int", store, load));
        folder.check(&line, 42, &["data-race", "`data`", "in no order", "under RC11"]);
        let line = format!("check mp.c --model rc11 --no-races {}", orders("int", store, load));
        folder.check(&line, 42, &["assertion `data == 1` fails"]);
    }
}

/// What would have to be stronger is said where a program is right under another model, and no more than is needed.
#[test]
fn a_comparison_says_which_accesses_are_too_weak() {
    let folder = Folder::new("mp.c", MESSAGE);
    let orders = |kind: &str, store: &str, load: &str| format!("-- -DTYPE={kind} -DSTORE=memory_order_{store} -DLOAD=memory_order_{load}");
    let both = "the store in mp.c:8 is release and the load in mp.c:14 is acquire";
    for (kind, what) in [("int", "no data race is in that execution where"), ("atomic_int", "that execution is impossible where")] {
        let line = |store, load| format!("compare mp.c --models rc11,sc {}", orders(kind, store, load));
        let kind = if kind == "int" { "data-race" } else { "assertion" };
        folder.check(&line("relaxed", "relaxed"), 42, &[kind, &format!("RC11: {what} {both}\n")]);
        folder.check(&line("release", "relaxed"), 42, &[&format!("RC11: {what} the load in mp.c:14 is acquire\n")]);
    }
    let folder = Folder::new("sb.c", FLAGS);
    folder.check(
        "compare sb.c --models rc11,sc -- -DORDER=memory_order_relaxed -DFENCE=",
        42,
        &["RC11: that execution is impossible where the store in sb.c:7 is seq_cst, the load in sb.c:9 is seq_cst"],
    );
}

#[test]
fn seq_cst_is_sequential_consistency_and_no_more_is() {
    let folder = Folder::new("sb.c", FLAGS);
    folder.check("check sb.c --model rc11 -- -DORDER=memory_order_seq_cst -DFENCE=", 0, &["verified: no fault in 3 executions"]);
    folder.check(
        "check sb.c --model rc11 -- -DORDER=memory_order_relaxed -DFENCE=atomic_thread_fence(memory_order_seq_cst)",
        0,
        &["verified"],
    );
    for fence in ["", "atomic_thread_fence(memory_order_acq_rel)"] {
        let line = format!("check sb.c --model rc11 --witness bug.json -- -DORDER=memory_order_relaxed -DFENCE={fence}");
        folder.check(&line, 42, &["assertion `a || b` fails"]);
        folder.check("replay bug.json", 42, &["assertion `a || b` fails"]);
    }
}

#[test]
fn a_race_that_was_kept_is_shown_again() {
    let folder = Folder::new("mp.c", MESSAGE);
    let flags = "-- -DTYPE=int -DSTORE=memory_order_relaxed -DLOAD=memory_order_relaxed";
    folder.check(&format!("check mp.c --model rc11 --witness bug.json {flags}"), 42, &["data-race"]);
    folder.check("replay bug.json", 42, &["data-race", "`data`"]);
    folder.check(&format!("check mp.c --model rc11 --keep-going {flags}"), 42, &["data-race", "assertion"]);
    folder.check(&format!("check mp.c --model sc --no-races {flags}"), 2, &["leave out --no-races"]);
    folder.check(&format!("check mp.c --model rc11 --algorithm optimal {flags}"), 2, &["choose --algorithm graphs"]);
    folder.check(&format!("check mp.c --model pso --algorithm weak-trace {flags}"), 2, &["choose --model ra"]);
}

/// A graph is compared with SC by its coherence; weak traces of RA have none, so graphs are explored there.
#[test]
fn robustness_is_asked_of_each_graph() {
    let folder = Folder::new("sb.c", FLAGS);
    for model in ["rc11", "sra", "ra"] {
        let line = |order: &str| format!("--model {model} --robustness -- -DNDEBUG -DORDER=memory_order_{order} -DFENCE=");
        let parts = ["not-robust", "but not under SC"];
        folder.check(&format!("check sb.c --witness bug.json {}", line("relaxed")), 42, &parts);
        folder.check("replay bug.json", 42, &parts);
        folder.check(&format!("check sb.c --keep-going {}", line("relaxed")), 42, &["refuted: 1 fault in 4 executions"]);
    }
    folder.check("check sb.c --robustness -- -DORDER=memory_order_seq_cst -DFENCE=", 0, &["each of them is possible under SC"]);
    let weak = "check sb.c --model ra --algorithm weak-trace --robustness -- -DORDER=memory_order_relaxed -DFENCE=";
    folder.check(weak, 2, &["coherence is no part of them: choose --algorithm graphs"]);
}
