//! What executions come from, where the answer is known: two threads that write one variable three times each have 20
//! orders of these writes, and 2 of two writes of another one.

use crate::support::Folder;
use serde_json::Value;

const PRODUCT: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *one(void *unused) {
  for (int i = 1; i <= 3; i++) atomic_store(&x, i);
  atomic_store(&y, 1);
  return unused;
}
void *other(void *unused) {
  for (int i = 4; i <= 6; i++) atomic_store(&x, i);
  atomic_store(&y, 2);
  return unused;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
"#;

const LOCKED: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct { atomic_int here, there; } counts;
int guarded;
void *count(void *unused) {
  pthread_mutex_lock(&lock);
  guarded++;
  pthread_mutex_unlock(&lock);
  atomic_fetch_add(&counts.there, 1);
  return unused;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
"#;

/// The executions, and for each variable how many come from it.
fn branching(folder: &Folder, command: &str) -> (u64, Vec<(String, u64)>) {
    let answer = folder.raddle(&format!("check {command} -v --format json"));
    let report: Value = serde_json::from_str(&answer.out).expect("the answer is JSON");
    let number = |value: &Value| value.as_u64().expect("it is a number");
    let row = |row: &Value| (row["variable"].as_str().unwrap_or("?").to_string(), number(&row["executions"]));
    (number(&report["executions"]), report["branching"].as_array().expect("there are rows").iter().map(row).collect())
}

fn rows(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
    rows.iter().map(|(name, n)| (name.to_string(), *n)).collect()
}

#[test]
fn orders_of_two_variables() {
    let folder = Folder::new("product.c", PRODUCT);
    for model in ["sc", "tso", "pso", "sra", "rc11", "power", "aarch64"] {
        assert_eq!(branching(&folder, &format!("product.c --model {model}")), (40, rows(&[("x", 38), ("y", 20)])), "{model}");
    }
    for algorithm in ["classic", "source", "optimal", "graphs"] {
        let command = format!("product.c --model sc --algorithm {algorithm}");
        assert_eq!(branching(&folder, &command), (40, rows(&[("x", 38), ("y", 20)])), "{algorithm}");
    }
    assert_eq!(branching(&folder, "product.c --model sc --context-bound 9").1[1], ("y".to_string(), 20));
    assert_eq!(branching(&folder, "product.c --model ra"), (1, rows(&[])), "reads alone tell executions apart");
}

#[test]
fn orders_of_a_lock_and_a_member() {
    let folder = Folder::new("locked.c", LOCKED);
    for command in ["--model ra", "--model sra", "--model rc11", "--model sc --algorithm graphs"] {
        let answer = branching(&folder, &format!("locked.c {command}"));
        assert_eq!(answer, (36, rows(&[("lock", 30), ("counts.there", 30)])), "{command}");
    }
    // A branch of schedules or commits may bring another order of other locations along.
    for model in ["sc", "tso", "pso", "power", "aarch64"] {
        let (n, mut rows) = branching(&folder, &format!("locked.c --model {model}"));
        rows.sort();
        let names: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
        assert_eq!((n, &names[..]), (36, &["counts.there", "lock"][..]), "{model}");
        assert!(rows.iter().all(|row| (24..=30).contains(&row.1)), "{model}: {rows:?}");
    }
}

#[test]
fn the_table_names_variables_and_lines() {
    let folder = Folder::new("product.c", PRODUCT);
    let table = "Where the 40 executions come from (one may come from several):\n  95 % x  product.c:5, product.c:10\n  50 % y  product.c:6, product.c:11\n";
    folder.check("check product.c --model tso -v", 0, &[table]);
    let quiet = folder.raddle("check product.c --model tso");
    assert!(!quiet.out.contains("come from"), "few executions are nobody's trouble: {}", quiet.out);
    folder.check("check product.c --model tso -v --robustness", 0, &["  95 % x"]);
}

#[test]
fn choices_are_named() {
    let program = "extern int __VERIFIER_nondet_int(void);\nint main(void) { int n = __VERIFIER_nondet_int(); return n > 1000; }\n";
    let folder = Folder::new("open.c", program);
    folder.check("check open.c --nondet 0..3 -v", 0, &["  75 % values that the program leaves open"]);
}
