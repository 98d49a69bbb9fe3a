// A thread holds a mutex and waits for a flag that nobody sets; another one waits for the mutex: a deadlock, although others spin by
// read-modify-writes, each of which puts back what it finds.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, busy = 1;

static void *locks(void *p)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *holds(void *p)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&flag)) {}
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *spins(void *p)
{
#ifdef EXPECT
    int free = 0;
    while (!atomic_compare_exchange_strong(&busy, &free, 1)) free = 0;
#else
    while (atomic_fetch_or_explicit(&busy, 1, memory_order_acquire)) {}
#endif
    atomic_store(&busy, 0);
    return 0;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], 0, locks, 0);
    pthread_create(&threads[1], 0, holds, 0);
    pthread_create(&threads[2], 0, spins, 0);
    pthread_create(&threads[3], 0, spins, 0);
    for (int n = 0; n < 4; n++) pthread_join(threads[n], 0);
}
