//! The front end: real bitcode with some bytes changed is refused in good order, or gives a program that the verifier accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_llvm::{Source, load};
use raddle_program::verify;
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A program with most of what the front end knows in it.
const PROGRAM: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { int a; double b; } pairs[4];
atomic_int flag;
static _Thread_local int mine;
static int twice(int n) { switch (n) { case 1: return 2; case 2: return 4; default: return n * 2; } }
static void *work(void *argument) {
    struct pair *p = malloc(sizeof *p);
    *p = pairs[mine++];
    atomic_store_explicit(&flag, twice((long)argument), memory_order_release);
    int expected = 2;
    atomic_compare_exchange_strong(&flag, &expected, 3);
    free(p);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, (void *)1);
    int (*f)(int) = atomic_load(&flag) ? twice : abs;
    pairs[1].b = f(-3) / 2.0;
    return pthread_join(t, 0);
}
"#;

/// Its bitcode, compiled once.
static BITCODE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = TempDir::new().expect("there is room");
    let (source, target) = (folder.path().join("a.c"), folder.path().join("a.bc"));
    std::fs::write(&source, PROGRAM).expect("there is room");
    let status = Command::new("clang-22").args(["-c", "-g", "-O1", "-emit-llvm", "-o"]).args([&target, &source]).status();
    assert!(status.expect("clang-22 is installed").success());
    std::fs::read(&target).expect("the compiler wrote it")
});

// Each change is a place in the bitcode and a byte for it.
fuzz_target!(|changes: Vec<(u16, u8)>| {
    let mut code = BITCODE.clone();
    for (at, byte) in changes {
        let at = at as usize % code.len();
        code[at] = byte;
    }
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("changed.bc");
    std::fs::write(&file, code).expect("there is room");
    if let Ok(program) = load(&Source::new([file])) {
        assert_eq!(verify(&program), Ok(()));
    }
});
