#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void lock(void) {
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_relaxed)) {
    }
}

static void unlock(void) {
    atomic_flag_clear_explicit(&taken, memory_order_relaxed);
}

static void *first(void *unused) {
    lock();
    counter++;
    unlock();
    return 0;
}

static void *second(void *unused) {
    return first(unused);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
}
