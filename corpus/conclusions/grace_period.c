// An updater replaces an object, waits until nobody reads and frees the old one, as RCU does. A reader that has said that
// it is there may have got the old one, although the updater could have found nobody there before. With -DRELAXED the wait
// is a relaxed load, which orders nothing before the free.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define WAIT memory_order_relaxed
#else
#define WAIT memory_order_acquire
#endif

struct config {
    int width;
};

static _Atomic(struct config *) current;
static atomic_int reading;
static int width;

static void *reader(void *unused)
{
    atomic_store(&reading, 1);
    struct config *config = atomic_load(&current);
    width = config->width;
    atomic_store(&reading, 0);
    return unused;
}

int main(void)
{
    struct config *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    old->width = 1;
    new->width = 2;
    atomic_store(&current, old);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    atomic_store(&current, new);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&reading, WAIT))
        ;
    free(old);
    pthread_join(thread, NULL);
    free(new);
}
