#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void enter(int self) {
    atomic_store_explicit(&wants[self], 1, memory_order_release);
    atomic_store_explicit(&turn, 1 - self, memory_order_release);
    while (atomic_load_explicit(&wants[1 - self], memory_order_acquire) &&
           atomic_load_explicit(&turn, memory_order_acquire) == 1 - self) {
    }
}

static void leave(int self) {
    atomic_store_explicit(&wants[self], 0, memory_order_release);
}

static void *first(void *unused) {
    enter(0);
    inside++;
    leave(0);
    return 0;
}

static void *second(void *unused) {
    enter(1);
    inside++;
    leave(1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(inside == 2);
}
