// A thread goes wrong beside one whose accesses of several sizes some models refuse in the middle of a read-modify-write.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long word;
static int zero;

static void *updates(void *p)
{
    __atomic_fetch_nand(&word, 5, __ATOMIC_SEQ_CST);
    __atomic_fetch_add((short *)&word, 3, __ATOMIC_RELAXED);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, updates, NULL);
    assert(zero);
    return 0;
}
