//! `raddle check` and `raddle litmus` with `--model power`: published counts, C11 orders, locks, what is a fault and
//! what is refused.

use crate::support::{Folder, STORE_BUFFERING, two_threads};
use std::collections::BTreeSet;

/// A program whose two threads run `left` and `right`, and its heads.
fn program(heads: &str, left: &str, right: &str, end: &str) -> String {
    two_threads(&format!("#include <stdio.h>\n#include <stdlib.h>\n{heads}"), left, right, end)
}

#[track_caller]
fn check(text: &str, options: &str, code: i32, parts: &[&str]) {
    let folder = Folder::new("p.c", text);
    folder.check(&format!("check p.c --model power {options}"), code, parts);
}

/// Two stores with an `eieio` between them.
const STORES_IN_ORDER: &str = "atomic_store_explicit(&x, 1, memory_order_relaxed); asm volatile(\"eieio\" ::: \"memory\"); \
                               atomic_store_explicit(&y, 1, memory_order_relaxed);";

/// CAV 2016, figure 11, with `n` writes in each critical section.
fn dekker(n: usize, barrier: &str) -> String {
    let mut rows = vec![" li r1,1 | li r1,1 ;", " stw r1,0(r2) | stw r1,0(r2) ;"];
    if !barrier.is_empty() {
        rows.push(barrier);
    }
    rows.extend([" lwz r3,0(r4) | lwz r3,0(r4) ;", " cmpwi r3,1 | cmpwi r3,1 ;", " beq L0 | beq L1 ;"]);
    rows.extend(vec![" stw r1,0(r6) | stw r1,0(r6) ;"; n]);
    rows.push(" L0: | L1: ;");
    let rows = rows.join("\n");
    format!("PPC SB\n{{ 0:r2=x; 0:r4=y; 0:r6=z; 1:r2=y; 1:r4=x; 1:r6=z; }}\n P0 | P1 ;\n{rows}\nexists (0:r3=0 /\\ 1:r3=0)\n")
}

#[track_caller]
fn litmus(text: &str, parts: &[&str]) {
    Folder::new("t.litmus", text).check("litmus --model power --format json t.litmus", 0, parts);
}

#[test]
fn figure_11_of_the_paper() {
    litmus(&dekker(10, " sync | sync ;"), &["\"executions\":3,", "\"observation\":\"Never\"", "\"redundant\":0,"]);
    // The central binomial coefficient, and the three that have no race.
    litmus(&dekker(6, ""), &["\"executions\":927,", "\"observation\":\"Sometimes\"", "\"redundant\":0,"]);
}

/// A store that is needed for the reversal of a race, behind another of its location that is not: without that one it
/// is the first in coherence.
#[test]
fn a_race_is_reversed_with_what_the_store_needs_and_no_more() {
    let rows = " lwz r3,0(r2) | li r1,1 | li r1,2 ;\n | stw r1,0(r2) | stw r1,0(r2) ;\n | | lwsync ;\n | | stw r1,0(r4) ;";
    let text = format!("PPC T\n{{ 0:r2=y; 1:r2=x; 2:r2=x; 2:r4=y; }}\n P0 | P1 | P2 ;\n{rows}\nexists (0:r3=2)\n");
    litmus(&text, &["\"executions\":4,", "\"redundant\":0,"]);
}

/// Two stores of a location that are both needed, in the coherence that is not the order in which they are committed.
#[test]
fn a_race_is_reversed_behind_stores_in_either_coherence() {
    let rows = " lwz r3,0(r2) | li r1,1 | li r1,2 | lwz r5,0(r2) ;\n | stw r1,0(r2) | stw r1,0(r2) | lwz r6,0(r2) ;\n | | | sync ;\n\
                 | | | li r1,1 ;\n | | | stw r1,0(r4) ;";
    let text = format!(
        "PPC T\n{{ 0:r2=y; 1:r2=x; 2:r2=x; 3:r2=x; 3:r4=y; }}\n P0 | P1 | P2 | P3 ;\n{rows}\nexists (0:r3=1 /\\ 3:r5=2 /\\ 3:r6=1)\n"
    );
    litmus(&text, &["\"executions\":24,", "\"observation\":\"Sometimes\"", "\"positive\":1,", "\"redundant\":0,"]);
}

/// A store that comes before another in coherence comes before all that this one is propagated before, also where that
/// is committed already.
#[test]
fn a_store_in_the_middle_of_coherence_is_propagated_with_those_after_it() {
    let rows = " li r1,1 | li r1,2 | lwz r3,0(r2) | lwz r3,0(r2) ;\n stw r1,0(r2) | stw r1,0(r2) | lwsync | lwsync ;\n\
                 | | li r1,1 | li r1,3 ;\n | | stw r1,0(r4) | stw r1,0(r4) ;";
    let places = "0:r2=x; 1:r2=x; 2:r2=x; 2:r4=y; 3:r2=y; 3:r4=x;";
    let text = format!("PPC T\n{{ {places} }}\n P0 | P1 | P2 | P3 ;\n{rows}\nexists (2:r3=1 /\\ 3:r3=1 /\\ x=1)\n");
    litmus(&text, &["\"executions\":36,", "\"observation\":\"Never\""]);
}

/// A conditional store may come right after a store of its own thread that follows on what was reserved.
#[test]
fn a_race_with_a_conditional_store_behind_one_of_its_thread_is_reversed() {
    let rows = " lwz r3,0(r2) | li r1,1 ;\n lwz r4,0(r2) | li r5,2 ;\n | lwarx r3,r0,r2 ;\n | stw r1,0(r2) ;\n | stwcx. r5,r0,r2 ;";
    let text = format!("PPC T\n{{ 0:r2=x; 1:r2=x; }}\n P0 | P1 ;\n{rows}\nexists (0:r3=1 /\\ 0:r4=2)\n");
    litmus(&text, &["\"executions\":9,", "\"observation\":\"Sometimes\"", "\"redundant\":0,"]);
}

/// All but one of the eight ways to read. In that one the store before `eieio` is committed last, and closes a cycle
/// that has no propagation of a store in it.
#[test]
fn a_store_before_an_eieio_is_committed_late_where_that_makes_no_cycle() {
    let rows = " lwz r3,0(r2) | li r1,1 | li r1,1 ;\n sync | stw r1,0(r2) | stw r1,0(r2) ;\n lwz r5,0(r4) | sync | eieio ;\n\
                 | lwz r3,0(r4) | stw r1,0(r4) ;";
    let places = "0:r2=y; 0:r4=w; 1:r2=w; 1:r4=x; 2:r2=x; 2:r4=y;";
    let text = format!("PPC T\n{{ {places} }}\n P0 | P1 | P2 ;\n{rows}\nexists (0:r3=1 /\\ 0:r5=0 /\\ 1:r3=0)\n");
    litmus(&text, &["\"executions\":7,", "\"observation\":\"Never\""]);
}

/// A thread was spawned behind a load of the store behind an `eieio` when the store before it is committed.
#[test]
fn a_store_that_is_committed_late_is_seen_behind_a_spawn() {
    let heads = "atomic_int x, y;\nvoid *child(void *seen) { assert(atomic_load_explicit(&x, memory_order_relaxed) || !seen); return 0; }";
    let left = "long seen = atomic_load_explicit(&y, memory_order_relaxed); pthread_t t; pthread_create(&t, 0, child, (void *)seen);";
    check(
        &program(heads, left, STORES_IN_ORDER, ""),
        "",
        0,
        &["verified: no fault in 3 executions under POWER\n3 executions, 0 blocked, "],
    );
}

/// What goes wrong before the store before an `eieio` is committed does not count where that store then has no place.
#[test]
fn a_fault_needs_the_stores_before_those_that_it_needs() {
    let left = |fence: &str| {
        format!(
            "int b = atomic_load_explicit(&y, memory_order_relaxed); asm volatile(\"{fence}\" ::: \"memory\"); \
             int a = atomic_load_explicit(&x, memory_order_relaxed); assert(!b || a);"
        )
    };
    check(&program("atomic_int x, y;", &left("sync"), STORES_IN_ORDER, ""), "", 0, &["verified: no fault in 3 executions under POWER"]);
    check(&program("atomic_int x, y;", &left(""), STORES_IN_ORDER, ""), "", 42, &["assertion"]);
}

/// What goes wrong while the second half of a read-modify-write is not committed does not count where that half
/// then has no place: two exchanges would have found the same value.
#[test]
fn a_fault_needs_both_halves_of_read_modify_writes() {
    let load = |from: &str| format!("atomic_load_explicit(&{from}, memory_order_relaxed)");
    let swap = |value: &str| format!("atomic_exchange_explicit(&x, {value}, memory_order_relaxed)");
    let asserts = |found: &str| format!("int m = {}; int old = {}; assert(!(m == 1 && old == {found}));", load("w"), swap("7"));
    let text = |found: &str| {
        let passes = format!("atomic_store_explicit(&w, {}, memory_order_relaxed);", load("y"));
        let late = format!("int l = {}; atomic_store_explicit(&y, {} + 1, memory_order_relaxed);", load("z"), swap("l + 8"));
        let heads = format!("atomic_int x, y, z, w; void *pass(void *p) {{ {passes} return 0; }}");
        let text = program(&heads, &asserts(found), &late, "pthread_join(u, 0);");
        text.replace("pthread_join(s, 0);", "pthread_t u; pthread_create(&u, 0, pass, 0); pthread_join(s, 0);")
    };
    check(&text("0"), "", 0, &["verified: no fault in 8 executions under POWER"]);
    check(&text("8"), "", 42, &["assertion"]);
}

/// What a wrong access read is not known: the store of it is never committed, and nothing behind the barrier after it.
#[test]
fn nothing_behind_a_barrier_comes_after_a_wrong_access() {
    let store = |at: &str, value: &str| format!("atomic_store_explicit(&{at}, {value}, memory_order_relaxed);");
    let text = program(
        "atomic_int x, y; int *box;",
        &format!("int r = box[1]; {} asm volatile(\"lwsync\" ::: \"memory\"); {}", store("x", "r"), store("y", "1")),
        "assert(!atomic_load_explicit(&y, memory_order_relaxed));",
        "",
    );
    let text = text.replace("pthread_t s, t;", "pthread_t s, t; box = malloc(4);");
    check(&text, "--keep-going", 42, &["out-of-bounds", "refuted: 1 fault in 1 execution under POWER"]);
}

/// What `--keep-going` lists of a program, as kinds and lines.
fn listed(text: &str, model: &str) -> BTreeSet<(String, u64)> {
    let folder = Folder::new("p.c", text);
    let answer = folder.check(&format!("check p.c --model {model} --keep-going --format json"), 42, &[]);
    let answer: serde_json::Value = serde_json::from_str(&answer.out).expect("the answer is JSON");
    let all = match answer["faults"].as_array() {
        Some(all) => all.clone(),
        None => vec![answer["fault"].clone()],
    };
    all.iter().map(|fault| (fault["kind"].as_str().unwrap_or_default().into(), fault["line"].as_u64().unwrap_or_default())).collect()
}

/// A thread that goes wrong in several ways, in one run or in several: each is listed that a thread comes to which runs
/// in order.
#[test]
fn all_that_goes_wrong_is_listed() {
    let (load, store) = (
        |at: &str| format!("atomic_load_explicit(&{at}, memory_order_relaxed)"),
        |at: &str| format!("atomic_store_explicit(&{at}, 1, memory_order_relaxed);"),
    );
    let divisions = program(
        "atomic_int x, y;",
        &format!("int b = 12 / (1 - {});\nint d = 7 / (1 - {});\nassert(b + d != 19);", load("x"), load("y")),
        &format!("{} {}", store("y"), store("x")),
        "",
    );
    assert_eq!(listed(&divisions, "power"), listed(&divisions, "sc"));
    let pointer = program(
        "atomic_int x; int *_Atomic box; int g = 3;",
        &format!("int b = *{};\nassert(!{});\nint d = 10 / (3 - b);", load("box"), load("x")),
        &format!("{} atomic_store_explicit(&box, &g, memory_order_relaxed);", store("x")),
        "",
    );
    let only_power = listed(&pointer, "power");
    assert!(only_power.is_superset(&listed(&pointer, "sc")) && only_power.iter().any(|fault| fault.0 == "division-by-zero"));
    let frees = program(
        "atomic_int x; int *block;",
        &format!("int a = *block;\nint b = 12 / (1 - {});\nfree(block);\nassert(0);", load("x")),
        &format!("{} free(block);", store("x")),
        "",
    );
    let frees = frees.replace("pthread_t s, t;", "pthread_t s, t; block = calloc(1, sizeof *block);");
    assert_eq!(listed(&frees, "power"), listed(&frees, "sc"));
    assert_eq!(listed(&frees, "aarch64"), listed(&frees, "sc"));
}

/// An access and an end of its object that nothing orders: what comes of the access is explored and listed also where
/// the run happens to commit the end first.
#[test]
fn what_comes_of_an_access_is_listed_in_either_order_with_the_end() {
    let text = program("int *block;", "free(block);", "int a = *block;\nassert(a == 1);\nint b = 12 / a;", "");
    let text = text.replace("pthread_t s, t;", "pthread_t s, t; block = calloc(1, sizeof *block);");
    let expected = listed(&text, "sc");
    assert!(["use-after-free", "assertion"].iter().all(|kind| expected.iter().any(|fault| fault.0 == *kind)));
    assert_eq!(listed(&text, "power"), expected);
    assert_eq!(listed(&text, "aarch64"), expected);
}

/// What a thread reads before it frees the object is right and known in every order of commits, and so is what it
/// stores of it. A thread that accesses what it has freed itself gets no further.
#[test]
fn the_own_free_comes_after_the_accesses_before_it() {
    let text = program(
        "atomic_int x; int *_Atomic box;",
        "int *q = atomic_exchange_explicit(&box, (int *)0, memory_order_acq_rel); int v = q ? *q : 7; free(q);\n\
         atomic_store_explicit(&x, v, memory_order_release);",
        "int *q = malloc(4); *q = 3;\natomic_store_explicit(&box, q, memory_order_relaxed);",
        "assert(seen != 5);",
    );
    let text = text.replace("pthread_join(s, 0);", "int seen = x; pthread_join(s, 0);");
    check(&text, "--keep-going", 42, &["use-after-free", "refuted: 1 fault in 6 executions under POWER"]);
    let again = program("int *block;", "free(block);\nint a = *block;\nassert(a);", "block[0] = 0;", "");
    let again = again.replace("pthread_t s, t;", "pthread_t s, t; block = calloc(1, sizeof *block);");
    assert_eq!(listed(&again, "power"), listed(&again, "sc"));
}

/// A division by zero has no value: nobody reads what would have been stored of it.
#[test]
fn what_goes_wrong_gives_no_value() {
    let text = program(
        "atomic_int x, y;",
        "atomic_store_explicit(&y, 5 + 6 / (1 - atomic_load_explicit(&x, memory_order_relaxed)), memory_order_relaxed);",
        "atomic_store_explicit(&x, 1, memory_order_relaxed); assert(atomic_load_explicit(&y, memory_order_relaxed) != 5);",
        "",
    );
    assert_eq!(listed(&text, "power"), listed(&text, "sc"));
    check(&text, "--keep-going", 42, &["division-by-zero", "refuted: 1 fault in "]);
}

#[test]
fn long_threads_are_no_problem() {
    let pairs = " lwz r3,0(r2) | ;\n stw r1,0(r2) | ;\n".repeat(400);
    litmus(&format!("PPC K\n{{ 0:r2=x; 1:r2=y; }}\n P0 | P1 ;\n li r1,1 | ;\n{pairs}exists (0:r3=0)\n"), &["\"executions\":1,"]);
}

#[test]
fn a_graph_is_told_in_the_order_of_its_commits() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let parts = [
        "assertion: assertion `r1 == 1 || r2 == 3` fails (T0, sb.c:",
        "T1 left",
        "T2 right",
        "load queue.slots[2].seq -> 0 (initial value)",
    ];
    folder.check("check sb.c --model power --witness bug.json -- -DCHECK=assert", 42, &parts);
    folder.check("replay bug.json", 42, &parts);
    folder.check(
        "check sb.c --model power -- -DCHECK(x)=",
        0,
        &["verified: no fault in 4 executions under POWER\n4 executions, 0 blocked, 0 redundant"],
    );
}

#[test]
fn orders_of_c11_are_compiled_by_the_leading_sync_mapping() {
    let message_passing = |store: &str, load: &str| {
        program(
            "atomic_int x, y; int a, b;",
            &format!("atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_{store});"),
            &format!("a = atomic_load_explicit(&y, memory_order_{load}); b = atomic_load_explicit(&x, memory_order_relaxed);"),
            "assert(!(a == 1 && b == 0));",
        )
    };
    check(&message_passing("release", "acquire"), "", 0, &["verified: no fault in 3 executions under POWER"]);
    check(&message_passing("relaxed", "acquire"), "", 42, &["assertion"]);
    check(&message_passing("release", "relaxed"), "", 42, &["assertion"]);
    let store_buffering = program("atomic_int x, y; int a, b;", "x = 1; a = y;", "y = 1; b = x;", "assert(a || b);");
    check(&store_buffering, "", 0, &["verified: no fault in 3 executions under POWER"]);
}

/// What is loaded goes through private memory, a byte at a time, and through `printf`: the data dependency is kept, and
/// no other is made.
#[test]
fn dependencies_go_through_private_memory() {
    let load_buffering = |left: &str| {
        program(
            "atomic_int x, y; int a, b;",
            left,
            "b = atomic_load_explicit(&y, memory_order_relaxed); atomic_store_explicit(&x, b, memory_order_relaxed);",
            "assert(b != 1);",
        )
    };
    let load = "union { int whole; unsigned char bytes[4]; } volatile u; u.whole = atomic_load_explicit(&x, memory_order_relaxed);";
    let store = "atomic_store_explicit(&y, u.bytes[0] - u.bytes[0] + 1, memory_order_relaxed);";
    check(&load_buffering(&format!("{load}{store} a = u.whole;")), "", 42, &["assertion"]);
    let free = "atomic_store_explicit(&y, 1, memory_order_relaxed); a = u.bytes[0];";
    check(&load_buffering(&format!("{load}{free}")), "", 42, &["assertion"]);
    let thin_air = program(
        "atomic_int x, y; int a, b;",
        &format!("{load} atomic_store_explicit(&y, u.bytes[0], memory_order_relaxed);"),
        "b = atomic_load_explicit(&y, memory_order_relaxed); atomic_store_explicit(&x, b, memory_order_relaxed);",
        "assert(b == 0);",
    );
    check(&thin_air, "", 0, &["verified: no fault in 3 executions under POWER"]);
}

/// Bytes that are filled with what was loaded depend on the load, also where that is known by then.
#[test]
fn dependencies_go_through_bytes_that_are_filled() {
    let text = program(
        "#include <string.h>\natomic_int x, y, z;",
        "unsigned char bytes[8]; volatile int n = 3; int a = atomic_load_explicit(&x, memory_order_relaxed); \
         if (atomic_load_explicit(&z, memory_order_relaxed)) return 0; \
         memset(bytes, a, sizeof bytes); atomic_store_explicit(&y, bytes[n], memory_order_relaxed); assert(a < 2);",
        "int b = atomic_load_explicit(&y, memory_order_relaxed); atomic_store_explicit(&x, b + 1, memory_order_relaxed);",
        "",
    );
    check(&text, "", 0, &["verified: no fault in 3 executions under POWER"]);
}

/// What the library returns depends on what it was given: an address that is computed from it orders loads.
#[test]
fn dependencies_go_through_the_library() {
    let message_passing = |index: &str| {
        program(
            "#include <ctype.h>\natomic_int x, y[2];",
            "atomic_store_explicit(&y[0], 1, memory_order_relaxed); asm volatile(\"lwsync\" ::: \"memory\"); \
             atomic_store_explicit(&x, 1, memory_order_relaxed);",
            &format!(
                "int a = atomic_load_explicit(&x, memory_order_relaxed), c = toupper(a); \
                 int b = atomic_load_explicit(&y[{index}], memory_order_relaxed); assert(!(a == 1 && b == 0));"
            ),
            "",
        )
    };
    check(&message_passing("c - c"), "", 0, &["verified: no fault in 3 executions under POWER"]);
    check(&message_passing("0"), "", 42, &["assertion"]);
}

/// What comes after a call depends by control on which function is called.
#[test]
fn dependencies_go_through_calls() {
    let text = program(
        "atomic_int x, y; int seen; void one(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); }",
        "int r = atomic_load_explicit(&y, memory_order_relaxed); seen = r; void (*f)(void) = (void (*)(void))((long)one + (r & 0)); f();",
        "int r = atomic_load_explicit(&x, memory_order_relaxed); atomic_store_explicit(&y, r, memory_order_relaxed);",
        "assert(!seen);",
    );
    check(&text, "", 0, &["verified: no fault in 3 executions under POWER"]);
}

#[test]
fn read_modify_writes_are_atomic() {
    let text = program(
        "atomic_int n;",
        "atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);",
        "atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);",
        "assert(n == 2);",
    );
    check(&text, "", 0, &["verified: no fault in 2 executions under POWER\n2 executions, 0 blocked, 0 redundant"]);
}

/// What a read-modify-write that acquires has read orders the loads after it.
#[test]
fn read_modify_writes_have_orders() {
    let message_passing = |order: &str| {
        program(
            "atomic_int x, y;",
            "atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_release);",
            &format!(
                "int a = atomic_fetch_add_explicit(&y, 0, memory_order_{order}), b = atomic_load_explicit(&x, memory_order_relaxed); \
                 assert(!(a == 1 && b == 0));"
            ),
            "",
        )
    };
    check(&message_passing("acquire"), "", 0, &["verified: no fault in 3 executions under POWER"]);
    check(&message_passing("relaxed"), "", 42, &["assertion"]);
}

/// What no other thread accesses is read and written at once, also by atomic operations and in words of sixteen bytes.
#[test]
fn private_memory_has_every_operation() {
    let left = "atomic_long n = 1; long e = 5; assert(atomic_fetch_add(&n, 2) == 1 && n == 3); \
                assert(!atomic_compare_exchange_strong(&n, &e, 9) && e == 3 && n == 3); \
                assert(atomic_compare_exchange_strong(&n, &e, 9) && n == 9); \
                volatile __int128 w = (__int128)7 << 64 | 2; __int128 v = w; assert((long)(v >> 64) == 7 && (long)v == 2);";
    check(&program("", left, "", ""), "", 0, &["verified: no fault in 1 execution under POWER"]);
}

#[test]
fn locks_order_what_they_protect() {
    let heads = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;";
    let body = "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);";
    check(
        &program(heads, body, body, "assert(n == 2);"),
        "",
        0,
        &["verified: no fault in 2 executions under POWER\n2 executions, 0 blocked, 0 redundant"],
    );
    let heads = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;";
    let lock = |first: &str, second: &str| {
        format!(
            "pthread_mutex_lock(&{first}); pthread_mutex_lock(&{second}); pthread_mutex_unlock(&{second}); pthread_mutex_unlock(&{first});"
        )
    };
    check(&program(heads, &lock("m", "o"), &lock("o", "m"), ""), "", 42, &["deadlock: T0, T1 and T2 wait for ever", "pthread_mutex_lock"]);
}

#[test]
fn an_object_may_not_end_before_an_access() {
    let heads = "int *_Atomic box;";
    let unordered = program(
        heads,
        "int *q = atomic_load_explicit(&box, memory_order_relaxed); if (q) *q = 1;",
        "int *q = malloc(4); box = q; free(q);",
        "",
    );
    check(&unordered, "", 42, &["use-after-free"]);
    // The access comes early in its thread, the end of the object late in its own.
    let late = program(
        "int *_Atomic box; atomic_int n;",
        "int *q = atomic_load_explicit(&box, memory_order_relaxed); if (q) *q = 1;",
        "int *q = malloc(4); box = q; n = 1; n = 2; n = 3; n = 4; free(q);",
        "(void)n;",
    );
    check(&late, "", 42, &["use-after-free"]);
    let heads = "int *_Atomic box; atomic_int done;";
    let ordered = program(
        heads,
        "int *q = atomic_load_explicit(&box, memory_order_acquire); if (q) *q = 1; atomic_store_explicit(&done, 1, memory_order_release);",
        "int *q = malloc(4); *q = 0; atomic_store_explicit(&box, q, memory_order_release); while (!atomic_load_explicit(&done, memory_order_acquire)); free(q);",
        "",
    );
    check(&ordered, "", 0, &["verified"]);
}

#[test]
fn the_rest_of_the_library_works() {
    let text = program(
        "int x;",
        "printf(\"left %d\\n\", 1); char *s = malloc(8); snprintf(s, 8, \"%d\", 42); x = atoi(s); free(s);",
        "printf(\"right\\n\");",
        "assert(x == 42);",
    );
    check(&text, "--leaks", 0, &["verified: no fault in 1 execution under POWER"]);
}

#[test]
fn robustness_is_asked_of_each_graph() {
    let text = program(
        "atomic_int x, y; int a, b;",
        "a = atomic_load_explicit(&x, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_relaxed);",
        "b = atomic_load_explicit(&y, memory_order_relaxed); atomic_store_explicit(&x, 1, memory_order_relaxed);",
        "",
    );
    check(&text, "", 0, &["verified: no fault in 4 executions"]);
    check(&text, "--robustness", 42, &["not-robust", "possible under POWER, but not under SC"]);
}

#[test]
fn what_cannot_be_is_refused() {
    let heads = "union { atomic_uint whole; atomic_ushort half; } u;";
    check(&program(heads, "u.half = 1;", "(void)u.whole;", ""), "", 5, &["mixed-size access not supported under POWER (T", "p.c:"]);
    let text = program("", "", "", "");
    check(
        &text,
        "--algorithm optimal",
        2,
        &["`optimal` does not explore the graphs of POWER: choose --algorithm rsmc, or --model sc, tso or pso"],
    );
    check(&text, "--buffer-bound 1", 2, &["POWER has no store buffers to bound"]);
    Folder::new("p.c", &text).check(
        "check p.c --model sc --algorithm rsmc",
        2,
        &["`rsmc` explores the graphs of POWER and AArch64: choose --model power or aarch64, or --algorithm optimal for --model sc"],
    );
}
