#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *first(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

static void *second(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
