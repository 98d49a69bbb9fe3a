//! `--symmetry`: what it counts, what it says, and that nothing is missed where something tells threads apart.

use crate::support::{Compiled, CorpusFile, Folder, raddle};
use serde_json::Value;

/// Threads that each take a lock once.
const LOCK: &str = r#"
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *a) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return n != 4;
}
"#;

#[test]
fn a_lock_of_four_threads_has_one_orbit() {
    let folder = Folder::new("lock.c", LOCK);
    let said =
        "verified: no fault in 1 execution under RC11, up to the order of 4 interchangeable threads\n1 execution, 0 blocked, 0 redundant";
    folder.check("check lock.c --symmetry", 0, &[said]);
    folder.check("check lock.c --symmetry --no-symmetry", 0, &["no fault in 24 executions under RC11\n"]);
    for model in ["sc", "tso", "pso", "sra"] {
        folder.check(
            &format!("check lock.c --symmetry --model {model} -j 4"),
            0,
            &["no fault in 1 execution under", "of 4 interchangeable"],
        );
    }
}

/// Two threads that each wait for something to take away and take it; a third one puts something back. Either of the
/// two may be overtaken and stay, or go on.
const TAKE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x = 1;
static int found;
static void *taker(void *a) {
  while (atomic_load(&x) == 0)
    ;
  atomic_exchange(&x, 0);
  return 0;
}
static void *putter(void *a) {
  found = atomic_exchange(&x, 2);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
  pthread_create(&c, 0, putter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(found != 1);
  return 0;
}
"#;

#[test]
fn who_stays_behind_may_be_any() {
    let folder = Folder::new("take.c", TAKE);
    for model in ["sc", "tso", "pso", "ra", "sra", "rc11"] {
        folder.check(&format!("check take.c --model {model} --algorithm graphs --keep-going"), 42, &["14 executions"]);
        folder.check(&format!("check take.c --model {model} --symmetry --keep-going"), 42, &["7 executions", "2 interchangeable"]);
    }
}

#[test]
fn the_answer_for_scripts_has_the_groups() {
    let folder = Folder::new("lock.c", LOCK);
    let object = |options: &str| -> Value {
        let path = folder.path().join("lock.c");
        let words = ["check", path.to_str().expect("the path is text"), "--format", "json"];
        let output = raddle(&words.into_iter().chain(options.split_whitespace()).collect::<Vec<_>>());
        serde_json::from_slice(&output.stdout).expect("it is an object")
    };
    let with = object("--symmetry --model sc");
    assert_eq!((&with["interchangeable"], &with["executions"], &with["algorithm"]), (&[4].into(), &1.into(), &"graphs".into()));
    assert_eq!(object("--no-symmetry").get("interchangeable"), None);
}

#[test]
fn where_there_is_none_it_is_refused() {
    let folder = Folder::new("lock.c", LOCK);
    let refused = [
        ("--model ra --algorithm weak-trace", "choose --algorithm graphs, or leave out --symmetry"),
        ("--model power", "choose --model sc, tso, pso, ra, sra or rc11, or leave out --symmetry"),
        ("--model sc --algorithm optimal", "choose --algorithm graphs without bounds, or leave out --symmetry"),
        ("--model pso --buffer-bound 1", "choose --algorithm graphs without bounds, or leave out --symmetry"),
        ("--model tso --buffer-bound 1", "choose --algorithm graphs without bounds, or leave out --symmetry"),
    ];
    for (options, sentence) in refused {
        folder.check(&format!("check lock.c --symmetry {options}"), 2, &[sentence]);
    }
    folder.check("check lock.c --symmetry --model ra", 0, &["1 execution under RA, up to the order of 4 interchangeable threads"]);
    folder.check("sample lock.c --symmetry", 2, &["samples are drawn from all executions: leave out --symmetry"]);
}

/// Two threads of one function, of which the first one goes wrong where the second one was earlier: in the executions
/// that symmetry would leave out. `LOOK` tells which of them a thread is, `SEEN` is what it has read.
const TOLD_APART: &str = r#"
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
void __VERIFIER_assume(int);
static atomic_int x;
static pthread_t t[2];
static atomic_int between, ended;
static _Thread_local int own;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *go(void *a) {
  int seen = atomic_exchange(&x, 1);
  (void)own, (void)m;
  LOOK;
  return RESULT;
}
int main(void) {
  MAIN;
  return 0;
}
"#;

/// The usual way to start and to join two threads.
const START: &str = "pthread_create(&t[0],0,go,0);pthread_create(&t[1],0,go,0)";
const JOIN: &str = "pthread_join(t[0],0);pthread_join(t[1],0)";

#[track_caller]
fn check_told_apart(what: &str, look: &str, result: &str, main: &str) {
    let folder = Folder::new("apart.c", TOLD_APART);
    let (path, flags) = (folder.path().join("apart.c"), [format!("-DLOOK={look}"), format!("-DRESULT={result}"), format!("-DMAIN={main}")]);
    let file = CorpusFile::new(path.to_str().expect("the path is text"), &flags.each_ref().map(String::as_str));
    let program = Compiled::new(&file).expect("the compiler takes it");
    for model in ["rc11", "sra", "sc", "tso"] {
        for symmetry in ["--no-symmetry", "--symmetry"] {
            let output = program.check(&["--model", model, symmetry]);
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(42), "{what} under {model} with {symmetry}:\n{said}");
        }
    }
}

#[test]
fn threads_that_look_who_they_are_are_told_apart() {
    let both = format!("{START};{JOIN}");
    check_told_apart("the own handle", "assert(!(seen && pthread_self()==t[0]))", "0", &both);
    check_told_apart("a handle that is not the own", "assert(!(seen && pthread_self()!=t[1]))", "0", &both);
    check_told_apart("the number of the thread", "assert(!(seen && gettid()==2))", "0", &both);
    // The second thread to come compares its address with that of the first: one of the two orders is the wrong one.
    for order in ["<", ">"] {
        for address in ["(uintptr_t)&local", "(uintptr_t)&own", "(uintptr_t)malloc(4)"] {
            let look = format!(
                "int local=0;static _Atomic(uintptr_t) p;uintptr_t mine={address},theirs=atomic_exchange(&p,mine);\
                 assert(!(theirs && theirs{order}mine) && (!local || mine))"
            );
            check_told_apart(address, &look, "0", &both);
        }
    }
}

#[test]
fn threads_that_others_tell_apart_are_told_apart() {
    let first = format!("{START};pthread_join(t[0],0);assert(!atomic_load(&ended));pthread_join(t[1],0)");
    check_told_apart("a look between joins", "if(seen)atomic_store(&ended,1)", "0", &first);
    let only = format!("{START};pthread_join(t[0],0);assert(!atomic_load(&ended));pthread_detach(t[1])");
    check_told_apart("a join that is missing", "if(seen)atomic_store(&ended,1)", "0", &only);
    let result = format!("{START};void *r=0;pthread_join(t[0],&r);assert(!r);pthread_join(t[1],0)");
    check_told_apart("a result", "(void)seen", "(void*)(intptr_t)seen", &result);
    let between = format!("pthread_create(&t[0],0,go,0);atomic_store(&between,1);pthread_create(&t[1],0,go,0);{JOIN}");
    check_told_apart("something between the starts", "assert(atomic_load(&between))", "0", &between);
    let arguments = format!("pthread_create(&t[0],0,go,(void*)1);pthread_create(&t[1],0,go,0);{JOIN}");
    check_told_apart("arguments", "assert(!(seen && a))", "0", &arguments);
    let held = "if(!seen)pthread_mutex_lock(&m);else assert(pthread_mutex_trylock(&m))";
    check_told_apart("a lock that is found taken or not", held, "0", &format!("{START};{JOIN}"));
}

/// A thread waits for one that never ends, and what it would do next is not seen in any execution that is left: the
/// first one always finds less than the second.
#[test]
fn what_comes_after_a_join_that_waits_is_followed() {
    let main = format!("{START};pthread_join(t[0],0);assert(0);pthread_join(t[1],0)");
    check_told_apart("a join that waits", "__VERIFIER_assume(seen)", "0", &main);
}
