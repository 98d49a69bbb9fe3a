//! What `raddle check` tells a person, and its exit codes.

use crate::support::{Folder, STORE_BUFFERING};

#[test]
fn a_failing_assertion_is_told_event_by_event() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let parts = [
        "assertion: assertion `r1 == 1 || r2 == 3` fails (T0, sb.c:",
        "--> sb.c:21:3",
        "CHECK(r1 == 1 || r2 == 3);",
        "^^^^",
        "T0 main",
        "T1 left",
        "T2 right",
        "spawn T1 left",
        "store queue.slots[2].seq = 3 (buffered)",
        "load y -> 0 (initial value)",
        "update queue.slots[2].seq = 3 (reaches memory)",
        "join T1",
        "load r1 -> 0 (from T1 sb.c:7)",
        "refuted: 1 fault in ",
        "raddle check --witness bug.json sb.c --model tso",
    ];
    folder.check("check sb.c --model tso -- -DCHECK=assert", 42, &parts);
    folder.check("check sb.c --model tso --buffer-bound 1 -- -DCHECK=assert", 42, &["load y -> 0 (initial value)"]);
}

#[test]
fn a_verified_program_gets_one_sentence() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    folder.check(
        "check sb.c --model sc -- -DCHECK=assert",
        0,
        &["verified: no fault in 3 executions under SC\n3 executions, 0 blocked, 0 redundant"],
    );
    let bounded = ["unknown: no fault within buffer bound 1 in 4 executions under TSO"];
    folder.check("check sb.c --model tso --buffer-bound 1 -- -DCHECK(x)=", 3, &bounded);
}

#[test]
fn a_deadlock_says_who_holds_what() {
    let program = r#"
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
"#;
    let parts = [
        "deadlock: T0 and T1 wait for ever",
        "lock a",
        "T0 waits at deadlock.c:14: lock b, which T1 holds",
        "T1 waits at deadlock.c:5: lock a, which T0 holds",
    ];
    Folder::new("deadlock.c", program).check("check deadlock.c --model sc", 42, &parts);
}

#[test]
fn heap_objects_are_named_by_the_call_that_makes_them() {
    let program = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { long value, more; };
struct node *_Atomic top;
atomic_int count;
void *taker(void *p) {
  struct node *mine = atomic_exchange(&top, NULL);
  if (mine) {
    atomic_fetch_add(&count, 2);
    free(mine);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  struct node *n = malloc(sizeof *n);
  top = n;
  pthread_create(&t, 0, taker, 0);
  n->more = -1;
  int zero = 0;
  atomic_compare_exchange_strong(&count, &zero, 5);
  pthread_join(t, 0);
  return 0;
}
"#;
    let parts = [
        "use-after-free: ",
        "exchange top NULL -> &malloc@heap.c:17 (initial value)",
        "fetch_add count 2 -> 0 (initial value)",
        "free malloc@heap.c:17",
        "store malloc@heap.c:17+8 = -1 -> use-after-free",
    ];
    let folder = Folder::new("heap.c", program);
    folder.check("check heap.c --model sc", 42, &parts);
    folder.check("check heap.c --model sc --keep-going", 42, &["refuted: 1 fault in "]);
}

#[test]
fn robustness_shows_the_cycle() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let parts = [
        "not-robust: this execution is possible under PSO, but not under SC",
        "The cycle",
        "T1 sb.c:6  store queue.slots[2].seq = 3\n    po\n",
        "T1 sb.c:7  load y -> 0\n    fr\n",
        "T2 sb.c:11  store y = 1\n    po\n",
        "T2 sb.c:12  load queue.slots[2].seq -> 0\n    fr\n",
    ];
    folder.check("check sb.c --model pso --robustness -- -DCHECK(x)=", 42, &parts);
    folder.check("check sb.c --model sc --robustness -- -DCHECK(x)=", 0, &["each of them is possible under SC"]);
}

#[test]
fn leaks_are_shown_where_they_are_allocated() {
    let program = r#"
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *maker(void *p) {
  shared = malloc(4);
  return 0;
}
int main(void) {
  pthread_t t;
  void *mine = malloc(10);
  pthread_create(&t, 0, maker, 0);
  pthread_join(t, 0);
  free(mine);
  if (FREED) free(shared);
  return 0;
}
"#;
    let folder = Folder::new("leak.c", program);
    let parts = ["leak: 4 bytes that are allocated here are never freed (T1, leak.c:5:12 in maker)", "allocated here"];
    folder.check("check leak.c --model sc --leaks -- -DFREED=0", 42, &parts);
    folder.check("check leak.c --model sc -- -DFREED=0", 0, &[]);
    folder.check("check leak.c --model sc --leaks -- -DFREED=1", 0, &[]);
}

#[test]
fn races_are_what_nothing_orders() {
    let program = r#"
#include <pthread.h>
#include <stdatomic.h>
int data, counter;
atomic_int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *writer(void *p) {
  data = 1;
  atomic_store_explicit(&flag, 1, STORE);
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (atomic_load_explicit(&flag, LOAD)) {
    FENCE;
    data = 2;
  }
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return counter - 2 + data - data;
}
"#;
    let folder = Folder::new("race.c", program);
    let flags =
        |store: &str, load: &str, fence: &str| format!("-- -DSTORE=memory_order_{store} -DLOAD=memory_order_{load} -DFENCE={fence}");
    for model in ["sc", "tso", "pso"] {
        let check =
            |flags: String, code, parts: &[&str]| drop(folder.check(&format!("check race.c --races --model {model} {flags}"), code, parts));
        check(flags("release", "acquire", ""), 0, &[]);
        check(flags("release", "relaxed", "atomic_thread_fence(memory_order_acquire)"), 0, &[]);
        let race = ["data-race: T0 writes `data` here and T1 writes it at race.c:7, in no order (T0, race.c:19:10 in main)"];
        check(flags("release", "relaxed", ""), 42, &race);
        check(flags("relaxed", "acquire", ""), 42, &race);
    }
}

#[test]
fn what_cannot_be_answered_has_its_own_exit_code() {
    let program = "
#include <pthread.h>
#include <stdio.h>
int n;
extern void unknown(void);
void *other(void *p) {
  for (int i = 0; i < 5; i++) n++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < 5; i++) n++;
  WHAT
  pthread_join(t, 0);
  return 0;
}
";
    let folder = Folder::new("loop.c", program);
    folder.check("check loop.c --model sc --unroll 2 -- -DWHAT=", 3, &["unknown: loops were cut after 2 iterations; no fault in "]);
    folder.check("check loop.c --model sc --max-executions 3 -- -DWHAT=", 3, &["unknown: the search stopped after 3 executions"]);
    folder.check("check loop.c --model sc -- -DWHAT=unknown();", 5, &["unsupported: the function `unknown`", "loop.c:13"]);
    folder.check("check loop.c --model sc -- -DWHAT=this_is_no_C", 4, &["error"]);
    folder.check("check loop.c --model sc --buffer-bound 3", 2, &["SC has no store buffers to bound"]);
    folder.check("check loop.c --model x86", 2, &["`x86` is none of sc, tso, pso"]);
    folder.check("check nothing.c --model sc", 2, &["nothing.c"]);
}

#[test]
fn json_has_what_scripts_need() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let answer = folder.check("check sb.c --model tso --robustness --format json -- -DCHECK=assert", 42, &[]);
    let object: serde_json::Value = serde_json::from_str(&answer.out).expect("one object");
    assert_eq!(object["verdict"], "refuted");
    assert_eq!((&object["model"], &object["algorithm"], &object["redundant"]), (&"tso".into(), &"optimal".into(), &0.into()));
    assert_eq!((&object["fault"]["kind"], &object["fault"]["line"]), (&"assertion".into(), &21.into()));
    assert_eq!(object["robust"], false);
    for key in ["file", "limits", "executions", "blocked", "events", "seconds"] {
        assert!(!object[key].is_null(), "{key}");
    }
}

#[test]
fn sarif_has_a_flow_for_each_thread() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let answer = folder.check("check sb.c --model tso --format sarif -- -DCHECK=assert", 42, &[]);
    let object: serde_json::Value = serde_json::from_str(&answer.out).expect("one object");
    let result = &object["runs"][0]["results"][0];
    assert_eq!((&object["version"], &result["ruleId"]), (&"2.1.0".into(), &"assertion".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 21);
    assert_eq!(result["codeFlows"][0]["threadFlows"].as_array().map(Vec::len), Some(3));
    let clean = folder.check("check sb.c --model sc --format sarif -- -DCHECK=assert", 0, &[]);
    let object: serde_json::Value = serde_json::from_str(&clean.out).expect("one object");
    assert_eq!(object["runs"][0]["results"], serde_json::json!([]));
}
