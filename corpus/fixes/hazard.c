#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hazard, removed, freed;

static void *first(void *unused) {
    atomic_store_explicit(&hazard, 1, memory_order_release);
    if (!atomic_load_explicit(&removed, memory_order_acquire)) {
        assert(!atomic_load_explicit(&freed, memory_order_relaxed));
        atomic_store_explicit(&hazard, 0, memory_order_release);
    }
    return 0;
}

static void *second(void *unused) {
    atomic_store_explicit(&removed, 1, memory_order_release);
    if (!atomic_load_explicit(&hazard, memory_order_acquire))
        atomic_store_explicit(&freed, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
