// A sequence lock: its reader tries again while a writer is at it, and whenever the sequence has changed meanwhile. It
// does not try for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, a, b;

static void *writes(void *p)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    atomic_fetch_add(&sequence, 1);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    int before, x, y;
    do {
        while ((before = atomic_load(&sequence)) & 1)
            ;
        x = atomic_load(&a);
        y = atomic_load(&b);
    } while (atomic_load(&sequence) != before);
    assert(x == y);
    pthread_join(t, NULL);
    return 0;
}
