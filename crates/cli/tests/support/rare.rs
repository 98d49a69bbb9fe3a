//! A program with a fault in one or two of many executions.

use super::Folder;

const READERS: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
atomic_int x;
static void *writer(void *arg) { atomic_store_explicit(&x, 1, memory_order_release); return arg; }
static void *reader(void *arg) { (void)arg; return (void *)(intptr_t)atomic_load_explicit(&x, memory_order_acquire); }
int main(void)
{
    pthread_t w, r[N];
    unsigned seen = 0;
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++) pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++) {
        void *result;
        pthread_join(r[i], &result);
        seen |= (unsigned)(intptr_t)result << i;
    }
    NEVER
}
"#;

/// A folder with `rare.c`: so many threads read what one writes, and what each has `seen` is a bit. Some of what they
/// see is asserted never to be.
pub fn rare(n_readers: u32, never: &[&str]) -> Folder {
    let asserted: String = never.iter().map(|seen| format!("assert(!({seen}));\n    ")).collect();
    let text = READERS.replace("NEVER", &asserted);
    Folder::new("rare.c", &format!("#define N {n_readers}{text}"))
}
