//! Threads that lock, wait and join: every outcome of every schedule.

use crate::check;

/// Starts functions 1 and 2 and waits for them.
const TWO: &str = "pthread_create g 0 @1 0; pthread_create h 0 @2 0; pthread_join *g 0; pthread_join *h 0";

#[test]
fn joining_gives_the_result() {
    check(&["pthread_create h 0 @1 7; pthread_join *h x; x = sub *x 0", "return p"], &["x=7"]);
    check(&["pthread_create h 0 @1 7; pthread_join *h x; x = sub *x 0", "pthread_exit 9; return p"], &["x=9"]);
    check(&["thrd_create h @1 7; thrd_join *h x; x = sub *x 0", "thrd_exit 9"], &["x=9"]);
}

#[test]
fn a_thread_is_joined_once() {
    check(&["pthread_create h 0 @1 0; pthread_join *h 0; pthread_join *h 0", "return 0"], &["thread-misuse"]);
    check(&["pthread_create h 0 @1 0; pthread_detach *h; pthread_join *h 0", "return 0"], &["thread-misuse"]);
    check(&["pthread_create h 0 @1 0; pthread_join 5 0", "return 0"], &["thread-misuse"]);
    check(&["h = pthread_self; pthread_join *h 0"], &["thread-misuse"]);
    let detached = "pthread_attr_init a; pthread_attr_setdetachstate a 1; pthread_create h a @1 0; pthread_join *h 0";
    check(&[detached, "return 0"], &["thread-misuse"]);
}

#[test]
fn a_mutex_excludes() {
    let count = "pthread_mutex_lock m; x = sub *x 1; pthread_mutex_unlock m";
    check(&[TWO, count, count], &["x=4294967294"]);
    let count = "x = sub *x 1";
    check(&[TWO, count, count], &["x=4294967294", "x=4294967295"]);
    check(&[TWO, "pthread_mutex_lock m; pthread_mutex_unlock m", "x = pthread_mutex_trylock m"], &["deadlock", "x=0", "x=16"]);
}

#[test]
fn a_mutex_is_unlocked_by_its_owner() {
    check(&["pthread_create h 0 @1 0", "pthread_mutex_unlock m"], &["mutex-misuse"]);
    check(&["pthread_mutex_lock m; pthread_create h 0 @1 0", "pthread_mutex_unlock m"], &["mutex-misuse"]);
    check(&["pthread_mutex_lock m; pthread_mutex_destroy m"], &["mutex-misuse"]);
}

#[test]
fn the_kind_of_a_mutex_says_what_locking_twice_means() {
    let with_kind = |kind: u32, then: &str| {
        let start = format!("pthread_mutexattr_init a; pthread_mutexattr_settype a {kind}; pthread_mutex_init m a");
        format!("{start}; pthread_create h 0 @1 0; {then}")
    };
    let twice =
        "pthread_mutex_lock m; x = pthread_mutex_lock m; pthread_mutex_unlock m; y = pthread_mutex_unlock m; pthread_mutex_destroy m";
    check(&[&with_kind(0, twice), "return 0"], &["deadlock"]);
    check(&[&with_kind(1, twice), "return 0"], &["x=0 y=0"]);
    check(&[&with_kind(2, twice), "return 0"], &["x=35 y=1"]);
    let again = "pthread_mutex_lock m; x = pthread_mutex_trylock m; y = pthread_mutex_timedlock m 0";
    check(&[&with_kind(0, again), "return 0"], &["x=16 y=110"]);
    check(&[&with_kind(1, again), "return 0"], &["x=0 y=0"]);
}

#[test]
fn a_lock_that_nobody_gives_back_is_a_deadlock() {
    check(&["pthread_mutex_lock m; pthread_create h 0 @1 0", "pthread_mutex_lock m"], &["deadlock"]);
    check(&["pthread_mutex_lock m; pthread_create h 0 @1 0", "x = pthread_mutex_timedlock m 0"], &["x=110"]);
}

#[test]
fn a_condition_wakes_who_waits() {
    let wait = "pthread_mutex_lock m; pthread_cond_wait c m; x = pthread_mutex_unlock m";
    let signal = "pthread_mutex_lock m; pthread_cond_signal c; pthread_mutex_unlock m";
    // The signal may come before the wait.
    check(&[TWO, wait, signal], &["deadlock", "x=0"]);
    let first = "pthread_mutex_lock m; pthread_create h 0 @1 0; pthread_cond_wait c m; x = pthread_mutex_unlock m";
    check(&[first, signal], &["x=0"]);
    check(&["pthread_create h 0 @1 0", "pthread_cond_wait c m"], &["mutex-misuse"]);
    let timed = "pthread_mutex_lock m; x = pthread_cond_timedwait c m 0; pthread_mutex_unlock m";
    // To wait for a signal that does not come is no execution: the limit is over first.
    check(&[TWO, timed, signal], &["Blocked(Assume)", "x=0", "x=110"]);
}

#[test]
fn a_signal_wakes_one_of_several() {
    let start = "pthread_create g 0 @1 0; pthread_create h 0 @2 0; sem_wait s; sem_wait s";
    let main = |wake: &str| format!("{start}; pthread_mutex_lock m; {wake} c; pthread_mutex_unlock m");
    let wait = |then: &str| format!("pthread_mutex_lock m; sem_post s; pthread_cond_wait c m; pthread_mutex_unlock m; {then}");
    check(&[&main("pthread_cond_signal"), &wait("x = sem_wait t"), &wait("y = sem_post t")], &["deadlock"]);
    check(&[&main("pthread_cond_signal"), &wait("pthread_cond_signal c"), &wait("x = pthread_cond_signal c")], &["x=0"]);
    check(&[&main("pthread_cond_broadcast"), &wait("x = sem_wait t"), &wait("y = sem_post t")], &["x=0 y=0"]);
}

#[test]
fn readers_share_and_writers_do_not() {
    let hold = |lock: &str, then: &str| format!("{lock} l; pthread_create h 0 @1 0; pthread_join *h 0; {then}");
    check(&[&hold("pthread_rwlock_rdlock", "x = pthread_rwlock_unlock l"), "pthread_rwlock_rdlock l; pthread_rwlock_unlock l"], &["x=0"]);
    check(&[&hold("pthread_rwlock_rdlock", "pthread_rwlock_unlock l"), "x = pthread_rwlock_trywrlock l"], &["x=16"]);
    check(&[&hold("pthread_rwlock_wrlock", "pthread_rwlock_unlock l"), "x = pthread_rwlock_tryrdlock l"], &["x=16"]);
    check(&[&hold("pthread_rwlock_wrlock", "pthread_rwlock_unlock l"), "pthread_rwlock_rdlock l"], &["deadlock"]);
    check(&[&hold("pthread_rwlock_rdlock", "pthread_rwlock_unlock l"), "pthread_rwlock_wrlock l"], &["deadlock"]);
    check(&[&hold("pthread_rwlock_wrlock", "pthread_rwlock_unlock l"), "pthread_rwlock_unlock l"], &["mutex-misuse"]);
    let unlock = "pthread_rwlock_rdlock l; pthread_rwlock_unlock l; pthread_rwlock_unlock l";
    check(&["pthread_create h 0 @1 0", unlock], &["mutex-misuse"]);
}

#[test]
fn a_barrier_lets_rounds_through() {
    let main = "pthread_barrier_init b 0 2; pthread_create h 0 @1 0; x = pthread_barrier_wait b; y = pthread_barrier_wait b";
    let serial = u32::MAX;
    let expected = ["x=0 y=0".to_string(), format!("x=0 y={serial}"), format!("x={serial} y=0"), format!("x={serial} y={serial}")];
    check(&[main, "pthread_barrier_wait b; pthread_barrier_wait b"], &expected.each_ref().map(String::as_str));
    check(&[main, "pthread_barrier_wait b"], &["deadlock"]);
}

#[test]
fn a_semaphore_counts() {
    let main = |count: u32| format!("sem_init s 0 {count}; pthread_create h 0 @1 0; x = sem_wait s; y = sem_trywait s");
    check(&[&main(1), "sem_post s"], &["x=0 y=0", "x=0 y=4294967295"]);
    check(&[&main(0), "return 0"], &["deadlock"]);
    check(&[&main(2), "return 0"], &["x=0 y=0"]);
}

#[test]
fn waiting_for_private_memory_makes_it_shared() {
    let main = "a = malloc 64; sem_init *a 0 0; pthread_create h 0 @1 *a; x = sem_wait *a; a = sub 0 0";
    check(&[main, "sem_post p"], &["a=0 x=0"]);
    check(&[main, "return p"], &["deadlock"]);
    check(&["sem_wait s"], &["deadlock"]);
}

#[test]
fn a_spin_lock_has_an_owner() {
    let count = "pthread_spin_lock l; x = sub *x 1; pthread_spin_unlock l";
    check(&[TWO, count, count], &["x=4294967294"]);
    check(&[TWO, "pthread_spin_lock l", "pthread_spin_unlock l"], &["mutex-misuse"]);
}

#[test]
fn once_means_once_and_waits_for_it() {
    let twice = "pthread_once o @3; y = sub *x 0";
    check(&[TWO, twice, "pthread_once o @3", "x = sub *x 1"], &["x=4294967295 y=4294967295"]);
    check(&[TWO, "call_once o @3", "call_once o @3", "x = sub *x 1"], &["x=4294967295"]);
}

#[test]
fn a_static_variable_is_made_by_one_thread() {
    // What the first byte of the guard says is seen by compiled code: it is zero as long as the variable is not made.
    let first = "pthread_create h 0 @1 0; x = __cxa_guard_acquire g; __cxa_guard_release g; pthread_join *h 0";
    let second = "memcpy c g 1; b = sub *c 0; y = __cxa_guard_acquire g; __cxa_guard_release g";
    check(&[first, second], &["b=0 x=0 y=1", "b=0 x=1 y=0", "b=1 x=1 y=0"]);
}

#[test]
fn destructors_of_keys_run_when_a_thread_ends() {
    let main = "pthread_key_create k @2; pthread_create h 0 @1 x; pthread_join *h 0";
    check(&[main, "pthread_setspecific *k p; y = pthread_getspecific *k; y = sub 1 0", "x = sub 5 *p"], &["x=5 y=1"]);
    check(&[main, "pthread_setspecific *k p; pthread_exit 0", "x = sub 5 *p"], &["x=5"]);
    check(&[main, "pthread_getspecific *k; return p", "x = sub 5 *p"], &["x=0"]);
}

#[test]
fn sorting_and_searching_call_back() {
    let fill = "pthread_create h 0 @2 0; a = sub 3 0; a+8 = sub 1 0; a+16 = sub 2 0";
    let main = format!("{fill}; qsort a 3 8 @1; k = sub 3 0; b = bsearch k a 3 8 @1; b = sub *b a+16");
    check(&[&main, "sub *p *q", "return 0"], &["a=1 a+16=3 a+8=2 b=0 k=3"]);
}
