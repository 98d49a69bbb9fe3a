#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int slots[2];
static atomic_uint head, tail;

static void *first(void *unused) {
    for (int value = 1; value <= 2; value++) {
        unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
        slots[at] = value;
        atomic_store_explicit(&head, at + 1, memory_order_relaxed);
    }
    return 0;
}

static void *second(void *unused) {
    for (int value = 1; value <= 2; value++) {
        unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
        if (at == atomic_load_explicit(&head, memory_order_relaxed))
            return 0;
        assert(slots[at] == value);
        atomic_store_explicit(&tail, at + 1, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
