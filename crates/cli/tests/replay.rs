//! Witnesses are written, and replayed to the same end.

mod support;

use support::{Folder, STORE_BUFFERING};

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
    folder.check("check greeting.c --witness bug.json -- -DEXTRA=", 42, &[]);
    folder.check("replay bug.json", 42, &["assertion `x == 0` fails", "The program printed:", "main\nother\n"]);
}

#[test]
fn a_replay_tells_when_the_program_has_changed() {
    let folder = Folder::new("greeting.c", GREETING);
    folder.check("check greeting.c --witness bug.json -- -DEXTRA=", 42, &[]);
    folder.write("greeting.c", &GREETING.replace("x == 0", "x >= 0"));
    folder.check("replay bug.json", 2, &["the program has changed since the witness was written"]);
    folder.write("greeting.c", "int main(void) { return 0; }\n");
    folder.check("replay bug.json", 2, &["the program has changed since the witness was written"]);
}

#[test]
fn what_is_no_witness_is_refused() {
    let folder = Folder::new("bug.json", "{}");
    folder.check("replay bug.json", 2, &["this is not a witness of Raddle"]);
    folder.check("replay nothing.json", 2, &["nothing.json"]);
}
