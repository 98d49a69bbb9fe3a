//! `raddle check --model ra`: what is a fault, what is refused, and what the report says of a graph.

use crate::support::{Folder, STORE_BUFFERING, two_threads};

/// A program whose two threads run `left` and `right`, and its heads.
fn program(heads: &str, left: &str, right: &str, end: &str) -> String {
    two_threads(&format!("#include <stdlib.h>\n{heads}"), left, right, end)
}

#[track_caller]
fn check(text: &str, options: &str, code: i32, parts: &[&str]) {
    let folder = Folder::new("p.c", text);
    folder.check(&format!("check p.c --model ra {options}"), code, parts);
}

#[test]
fn a_graph_is_told_with_what_makes_its_reads_possible() {
    let folder = Folder::new("sb.c", STORE_BUFFERING);
    let parts = [
        "assertion: assertion `r1 == 1 || r2 == 3` fails (T0, sb.c:",
        "T1 left",
        "T2 right",
        "store queue.slots[2].seq = 3\n",
        "load queue.slots[2].seq -> 0 (initial value)",
        "may read the initial value of `queue.slots[2].seq` and not what 3 wrote: 3 does not happen before",
        "refuted: 1 fault in ",
        "under RA",
    ];
    folder.check("check sb.c --model ra --witness bug.json -- -DCHECK=assert", 42, &parts);
    folder.check("replay bug.json", 42, &parts[..6]);
    folder.check(
        "check sb.c --model ra -- -DCHECK(x)=",
        0,
        &["verified: no fault in 4 executions under RA\n4 executions, 0 blocked, 0 redundant"],
    );
}

#[test]
fn forced_coherence_is_told() {
    let text = program("atomic_int x; int a, b;", "x = 1; a = x;", "x = 2; b = x;", "assert(!(a == 2 && b == 2));");
    check(&text, "", 42, &["co of `x`: ", ", since ", "which reads from"]);
}

/// A copy is cut where the accesses of others to what is copied begin and end.
#[test]
fn a_copy_may_meet_an_access_to_a_part_of_it() {
    let heads = "struct { int a, b; } pair, seen;";
    let text = program(heads, "pair.a = 1;", "seen = pair;", "assert(seen.b == 0 && (seen.a == 0 || seen.a == 1));");
    check(&text, "", 0, &["verified: no fault in 2 executions under RA\n2 executions, 0 blocked, 0 redundant"]);
}

#[test]
fn sizes_that_mix_are_refused_where_they_meet() {
    let heads = "union { atomic_uint whole; atomic_ushort half; } u;";
    let text = program(heads, "u.half = 1;", "(void)u.whole;", "");
    check(&text, "", 5, &["mixed-size access not supported under RA (T2, p.c:7"]);
    // A local variable that is gone and another one in its place are not the same bytes.
    let local = |name: &str, kind: &str| {
        format!(
            "void *set_{name}(void *q) {{ *({kind} *)q = 1; return 0; }}\nvoid {name}(void) {{ {kind} v = 0; pthread_t t; \
             pthread_create(&t, 0, set_{name}, &v); pthread_join(t, 0); assert(v == 1); }}\n"
        )
    };
    let both = format!("{}{}", local("wide", "int"), local("narrow", "char"));
    check(&program(&both, "wide(); narrow();", "narrow();", ""), "", 0, &["verified: no fault in 1 execution under RA"]);
}

#[test]
fn what_threads_wait_for_is_written_in_one_order() {
    let both = program("#include <semaphore.h>\nsem_t s;", "sem_wait(&s);", "sem_init(&s, 0, 1); sem_post(&s);", "");
    check(&both, "", 0, &["verified"]);
    let disputed = program("#include <semaphore.h>\nsem_t s;", "sem_init(&s, 0, 1); sem_wait(&s);", "sem_init(&s, 0, 1);", "");
    check(
        &disputed,
        "",
        5,
        &["what threads wait for (a lock, a semaphore) is written by several threads in no order: not supported under RA (T"],
    );
}

#[test]
fn other_algorithms_are_refused_with_what_to_choose() {
    let folder = Folder::new("p.c", "int main(void) { return 0; }\n");
    folder.check("check p.c --model ra --algorithm optimal", 2, &["choose --algorithm weak-trace"]);
    folder.check("check p.c --model tso --algorithm weak-trace", 2, &["choose --model ra, or --algorithm optimal for --model tso"]);
    folder.check("check p.c --model ra --buffer-bound 2", 2, &["RA has no store buffers to bound"]);
    folder.check("check p.c --model ra --algorithm weak-trace --format json", 0, &["weak-trace"]);
}

#[test]
fn a_free_must_be_ordered_with_every_access() {
    let heads = "atomic_int *p0;";
    let before = |text: String| text.replace("pthread_t s, t;", "pthread_t s, t; p0 = calloc(1, 4);");
    let unordered = before(program(heads, "free(p0);", "*p0 = 1;", ""));
    check(&unordered, "", 42, &["use-after-free: "]);
    let twice = before(program(heads, "free(p0);", "free(p0);", ""));
    check(&twice, "", 42, &["double-free: "]);
    let ordered = before(program("atomic_int *p0; atomic_int done;", "*p0 = 1; done = 1;", "if (done) free(p0);", ""));
    check(&ordered, "", 0, &["verified: no fault in 2 executions"]);
    let after = before(program("atomic_int *p0; atomic_int done;", "free(p0); done = 1;", "if (done) *p0 = 1;", ""));
    check(&after, "", 42, &["use-after-free: access to 4 bytes of freed memory"]);
}

#[test]
fn races_count_by_the_orders_of_the_source() {
    let racy = program(
        "int data; atomic_int flag;",
        "data = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        "if (atomic_load_explicit(&flag, memory_order_relaxed)) data = 2;",
        "",
    );
    check(&racy, "", 0, &["verified"]);
    check(&racy, "--races", 42, &["data-race: ", "`data`"]);
    let ordered = program("int data; atomic_int flag;", "data = 1; flag = 1;", "if (flag) data = 2;", "");
    check(&ordered, "--races", 0, &["verified"]);
}

#[test]
fn faults_are_found_as_under_other_models() {
    let text = program(
        "pthread_mutex_t a, b;",
        "pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);",
        "pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);",
        "",
    );
    check(&text, "", 42, &["deadlock: ", "lock b, which T", "refuted"]);
    let unread =
        program("int *p0;", "*p0 = 1;", "assert(*p0 == 0 || *p0 == 1);", "").replace("pthread_t s, t;", "pthread_t s, t; p0 = malloc(4);");
    check(&unread, "--uninit", 42, &["uninitialised-read: "]);
    check(&program("", "(void)p;", "(void)malloc(3);", ""), "--leaks", 42, &["leak: "]);
    let waits = program("atomic_int go;", "while (!go);", "(void)p;", "");
    check(&waits, "", 3, &["0 executions, 1 blocked"]);
    check(&waits, "--liveness", 42, &["livelock: "]);
    // Who reads an old value does not do so for ever.
    let comes = program("atomic_int go;", "while (!go);", "go = 1;", "");
    check(&comes, "--liveness", 0, &["verified: no fault in 1 execution under RA\n1 execution, 0 blocked"]);
}

#[test]
fn fences_are_in_some_order() {
    let text = |fence: &str| {
        let side = |a: &str, b: &str, r: &str| {
            format!("atomic_store_explicit(&{a}, 1, memory_order_relaxed); {fence} {r} = atomic_load_explicit(&{b}, memory_order_relaxed);")
        };
        program("atomic_int x, y; int r1, r2;", &side("x", "y", "r1"), &side("y", "x", "r2"), "assert(r1 || r2);")
    };
    check(&text("atomic_thread_fence(memory_order_seq_cst);"), "", 0, &["verified: no fault in 4 executions under RA"]);
    check(&text("atomic_thread_fence(memory_order_acq_rel);"), "", 42, &["assertion"]);
}
