// One execution waits for ever, another one goes wrong at once: what the first was waiting for is no part of the second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int raddle_choose(int n);

static atomic_int flag;

static void *waits(void *p)
{
    while (!atomic_load(&flag))
        ;
    return p;
}

static void *fails(void *p)
{
    assert(0);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, raddle_choose(2) ? fails : waits, NULL);
    return 0;
}
