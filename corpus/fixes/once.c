#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <stdlib.h>

struct object {
    int value;
};

static _Atomic(struct object *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *get(void) {
    struct object *found = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!found) {
        pthread_mutex_lock(&lock);
        found = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!found) {
            found = malloc(sizeof *found);
            found->value = 7;
            atomic_store_explicit(&instance, found, memory_order_relaxed);
        }
        pthread_mutex_unlock(&lock);
    }
    return found;
}

static void *first(void *unused) {
    assert(get()->value == 7);
    return 0;
}

static void *second(void *unused) {
    assert(get()->value == 7);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
