// A loop that looks twice at the same variable in a round: where the two looks differ, the next round ends it, so nobody
// waits for ever for the lock that is held meanwhile. With -DCHANGES the loop goes on for as long as it finds the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int version;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef CHANGES
#define GOES_ON ==
#else
#define GOES_ON !=
#endif

static void *writes(void *p)
{
    atomic_store(&version, 1);
    return p;
}

static void *reads(void *p)
{
    pthread_mutex_lock(&mutex);
    while (atomic_load(&version) GOES_ON atomic_load(&version))
        ;
    pthread_mutex_unlock(&mutex);
    return p;
}

static void *waits(void *p)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return p;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, writes, NULL);
    pthread_create(&b, NULL, reads, NULL);
    pthread_create(&c, NULL, waits, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
