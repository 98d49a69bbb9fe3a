//! `raddle check` with `--model aarch64`: C11 orders by the compilers' mapping, forwarding, exclusives, and what is
//! refused.

use crate::support::{Folder, STORE_BUFFERING, main_of, two_threads};

/// A program whose two threads run `left` and `right` on two atomic variables, with a condition that must hold in the
/// end.
fn program(left: &str, right: &str, holds: &str) -> String {
    let heads = "atomic_int x, y; int a, b, c;\n\
         #define load(of, order) atomic_load_explicit(&of, memory_order_##order)\n\
         #define store(to, value, order) atomic_store_explicit(&to, value, memory_order_##order)\n\
         #define swap(with, value, order) atomic_exchange_explicit(&with, value, memory_order_##order)";
    two_threads(heads, left, right, &format!("assert({holds});"))
}

#[track_caller]
fn check(text: &str, options: &str, code: i32, parts: &[&str]) {
    Folder::new("p.c", text).check(&format!("check p.c --model aarch64 {options}"), code, parts);
}

#[test]
fn orders_of_c11_are_compiled_as_compilers_do() {
    let message_passing = |store: &str, load: &str| {
        let left = format!("store(x, 1, relaxed); store(y, 1, {store});");
        program(&left, &format!("a = load(y, {load}); b = load(x, relaxed);"), "!(a == 1 && b == 0)")
    };
    check(&message_passing("release", "acquire"), "", 0, &["verified: no fault in 3 executions under AArch64"]);
    check(&message_passing("relaxed", "acquire"), "", 42, &["assertion"]);
    check(&message_passing("release", "relaxed"), "", 42, &["assertion"]);
    let store_buffering = |store: &str, load: &str| {
        let side = |to: &str, from: &str, into: &str| format!("store({to}, 1, {store}); {into} = load({from}, {load});");
        program(&side("x", "y", "a"), &side("y", "x", "b"), "a || b")
    };
    check(&store_buffering("seq_cst", "seq_cst"), "", 0, &["verified: no fault in 3 executions"]);
    check(&store_buffering("release", "acquire"), "", 42, &["assertion"]);
    check(&store_buffering("release", "seq_cst"), "", 0, &["verified"]);
}

/// A load reads an own store before that store, which comes after an earlier load, is seen by others.
#[test]
fn stores_are_forwarded_before_they_are_committed() {
    let left = "a = load(x, relaxed); store(x, 1, relaxed); b = load(x, relaxed); store(y, b, relaxed);";
    let right = "c = load(y, relaxed); store(x, c + 1, relaxed);";
    check(&program(left, right, "!(a == 2 && b == 1)"), "", 42, &["assertion", "load x -> 1", "ahead of line"]);
    let ordered = left.replace("a = load(x, relaxed)", "a = load(x, acquire)");
    check(&program(&ordered, right, "!(a == 2 && b == 1)"), "", 0, &["verified"]);
}

/// An atomic instruction with both an acquire and a release orders its store before what follows; a loop of exclusives
/// does not.
#[test]
fn exclusives_order_less_than_atomic_instructions() {
    let text = program("swap(x, 1, seq_cst); a = load(y, relaxed);", "swap(y, 1, seq_cst); b = load(x, relaxed);", "a || b");
    check(&text, "", 0, &["verified"]);
    check(&text, "--aarch64-atomics llsc", 42, &["assertion"]);
    let folder = Folder::new("p.c", &text);
    folder.check("check p.c --model aarch64 --aarch64-atomics llsc --witness bug.json", 42, &["assertion"]);
    folder.check("replay bug.json", 42, &["assertion"]);
    folder.check("check p.c --model power --aarch64-atomics llsc", 2, &["choose --model aarch64, or leave it out"]);
}

#[test]
fn a_witness_is_replayed() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let parts = ["assertion: assertion `r1 == 1 || r2 == 3` fails (T0, sb.c:", "T1 left", "T2 right"];
    folder.check("check sb.c --model aarch64 --witness bug.json -- -DCHECK=assert", 42, &parts);
    folder.check("replay bug.json", 42, &parts);
}

#[test]
fn locks_are_acquires_and_releases() {
    let text = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;\n\
                void *work(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }\n\
                int main(void) { pthread_t s, t; pthread_create(&s, 0, work, 0); pthread_create(&t, 0, work, 0);\n\
                pthread_join(s, 0); pthread_join(t, 0); assert(n == 2); return 0; }\n";
    check(text, "", 0, &["verified: no fault in 2 executions under AArch64\n2 executions, 0 blocked, 0 redundant"]);
}

#[test]
fn what_cannot_be_is_refused() {
    let text = program("", "", "1");
    check(&text, "--buffer-bound 1", 2, &["AArch64 has no store buffers to bound"]);
    check(&text, "--algorithm optimal", 2, &["`optimal` does not explore the graphs of AArch64"]);
}

/// A litmus test in which a load could read what a compare-exchange of its own thread stores, before that one has
/// loaded.
fn exchanged(compare: &str, between: &str, load: &str) -> String {
    format!(
        "AArch64 exchanged\n{{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }}\n P0 | P1 ;\n MOV W0,#1 | LDR W5,[X3] ;\n MOV W2,#1 | STR W5,[X1] ;\n \
         {compare} W0,W2,[X1] | ;\n {between}{load} W4,[X1] | ;\n STR W4,[X3] | ;\nexists (1:X5=1)\n"
    )
}

/// The load reads 1 ahead of the compare-exchange, which succeeds by what follows from that: where it does not come
/// before what P0 stores in the end. The axioms: without a barrier nothing orders the load after the store of the
/// exchange; with `DMB ISHST` that store comes before the last one, and after what P1 stores.
#[test]
fn loads_run_ahead_of_compare_exchanges_where_nothing_orders_them() {
    let check = |text: &str, code: i32, parts: &[&str]| {
        Folder::new("t.litmus", text).check("litmus t.litmus", code, parts);
    };
    check(&exchanged("CAS", "", "LDR"), 0, &["Sometimes"]);
    check(&exchanged("CASL", "", "LDR"), 0, &["Sometimes"]);
    for (compare, between, load) in [
        ("CAS", "DMB ISHST | ;\n ", "LDR"),
        ("CASL", "", "LDAPR"),
        ("CASA", "", "LDR"),
        ("CAS", "", "LDAR"),
        ("CAS", "", "LDAPR"),
        ("CAS", "DMB ISH | ;\n ", "LDR"),
        ("CAS", "DMB ISHLD | ;\n ", "LDR"),
        ("CAS", "CBZ W0,LC00 | ;\n LC00: | ;\n ", "LDR"),
    ] {
        check(&exchanged(compare, between, load), 0, &["Never"]);
    }
    // A later store that happens for sure is what the load reads.
    check(&exchanged("CAS", "STR W2,[X1] | ;\n ", "LDR"), 0, &["Sometimes"]);
}

/// Compilers merge the two orders of a compare-exchange: one that is seq_cst where it fails is `CASAL`.
#[test]
fn a_compare_exchange_is_as_strong_as_both_of_its_orders() {
    let text = concat!(
        r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, done;
void *left(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
void *right(void *p) {
  int expected = 0;
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  done = atomic_compare_exchange_strong_explicit(&x, &expected, 3, SUCCESS, FAILURE);
  return 0;
}
"#,
        main_of!(left, right, "assert(!(done && x == 1 && a == 0));")
    );
    let folder = Folder::new("p.c", text);
    for (success, failure, code) in [
        ("acquire", "seq_cst", 0),
        ("relaxed", "seq_cst", 0),
        ("release", "acquire", 0),
        ("acquire", "acquire", 42),
        ("relaxed", "acquire", 42),
    ] {
        let words = format!("check p.c --model aarch64 -- -DSUCCESS=memory_order_{success} -DFAILURE=memory_order_{failure}");
        folder.check(&words, code, &[]);
    }
}

/// What a compare-exchange has found is given back without a branch: later stores do not wait for it. Loops of
/// exclusives have the branch.
#[test]
fn a_compare_exchange_is_no_branch() {
    let text = concat!(
        r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int done, seen, found;
int shared;
int exchange(atomic_int *at, int *expected, int new) {
  return atomic_compare_exchange_strong_explicit(at, expected, new, memory_order_relaxed, memory_order_relaxed);
}
void *exchanges(void *p) {
#ifdef SHARED
#define expected shared
  expected = 1;
#else
  int expected = 1;
#endif
#ifdef BY_ADDRESS
  done = exchange(&x, &expected, 2);
#else
  done = atomic_compare_exchange_strong_explicit(&x, &expected, 2, memory_order_relaxed, memory_order_relaxed);
#endif
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  found = expected;
  return 0;
}
void *copies(void *p) {
  seen = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, seen, memory_order_relaxed);
#ifdef SHARED
  (void)*(volatile int *)&shared;
#endif
  return 0;
}
"#,
        main_of!(exchanges, copies, "assert(found == done); assert(!(done && seen));")
    );
    let folder = Folder::new("p.c", text);
    folder.check("check p.c --model aarch64", 42, &["assertion `!(done && seen)` fails"]);
    folder.check("check p.c --model aarch64 --aarch64-atomics llsc", 0, &["verified"]);
    folder.check("check p.c --model power", 0, &["verified"]);
    folder.check("check p.c --model aarch64 -- -DBY_ADDRESS", 42, &["assertion `!(done && seen)` fails"]);
    folder.check("check p.c --model aarch64 --aarch64-atomics llsc -- -DBY_ADDRESS", 0, &["verified"]);
    folder.check("check p.c --model aarch64 -- -DBY_ADDRESS -DSHARED", 0, &["verified"]);
}

/// What a compare-exchange stores may be read before it has loaded. In `taker` it can only succeed by what follows from
/// that: `giver` writes 0 where it has read 1.
#[test]
fn a_load_runs_ahead_of_a_compare_exchange() {
    let text = concat!(
        r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x = 5, y;
int success, seen;
void *taker(void *p) {
  int expected = EXPECTED;
  success = atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_relaxed, memory_order_relaxed);
#ifdef BRANCH
  if (!success) return 0;
#endif
  atomic_store_explicit(&y, atomic_load_explicit(&x, memory_order_relaxed), memory_order_relaxed);
  return 0;
}
void *giver(void *p) {
  seen = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1 - seen, memory_order_relaxed);
  return 0;
}
"#,
        main_of!(taker, giver, "assert(!success);")
    );
    let folder = Folder::new("p.c", text);
    let parts = ["assertion `!success` fails", "compare_exchange is going to succeed", "load x -> 1"];
    folder.check("check p.c --model aarch64 --witness bug.json -- -DEXPECTED=0", 42, &parts);
    folder.check("replay bug.json", 42, &parts);
    folder.check("check p.c --model aarch64 -- -DEXPECTED=0 -DBRANCH", 0, &["verified: no fault in 2 executions"]);
    folder.check("check p.c --model rc11 -- -DEXPECTED=0", 0, &["verified"]);
    let unknown = ["unknown: loads that may read what a compare-exchange of their own thread stores were not tried"];
    folder.check("check p.c --model aarch64 -- -DEXPECTED=atomic_load_explicit(&y,memory_order_relaxed)", 3, &unknown);
}

/// An acquire comes after a release of a compare-exchange only where that succeeds. Each graph is explored once.
#[test]
fn an_acquire_behind_a_compare_exchange_that_releases() {
    let text = r#"#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void exchange(atomic_int *at, int new, memory_order order) {
  int expected = 0;
  atomic_compare_exchange_strong_explicit(at, &expected, new, order, memory_order_relaxed);
}
void *first(void *p) {
  atomic_store_explicit(&x, 0, memory_order_release);
  exchange(&x, 2, memory_order_relaxed);
  return 0;
}
void *second(void *p) {
  exchange(&y, 1, memory_order_acq_rel);
  return 0;
}
void *third(void *p) {
  exchange(&x, 1, memory_order_release);
  exchange(&y, 1, memory_order_acquire);
  return 0;
}
int main(void) {
  void *(*all[])(void *) = {first, second, third};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, all[i], 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"#;
    check(text, "", 0, &["verified: no fault in 6 executions"]);
}
