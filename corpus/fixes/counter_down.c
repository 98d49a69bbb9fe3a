#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <stdlib.h>

struct object {
    atomic_int users;
    int value;
};

static struct object *shared;

static void release(void) {
    if (atomic_fetch_sub_explicit(&shared->users, 1, memory_order_relaxed) == 1)
        free(shared);
}

static void *first(void *unused) {
    shared->value = 1;
    release();
    return 0;
}

static void *second(void *unused) {
    release();
    return 0;
}

int main(void) {
    shared = malloc(sizeof *shared);
    atomic_init(&shared->users, 2);
    shared->value = 0;
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
