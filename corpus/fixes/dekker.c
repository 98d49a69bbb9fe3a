#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int inside;

static void try(int self) {
    atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&wants[1 - self], memory_order_relaxed)) {
        inside++;
        assert(inside == 1);
        inside--;
    }
}

static void *first(void *unused) {
    try(0);
    return 0;
}

static void *second(void *unused) {
    try(1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
