// Which function the first thread that is spawned runs is a choice: it is another thread in each case.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int raddle_choose(int n);

static atomic_int x;
static int a;

static void *adds(void *unused)
{
    a += 2;
    int r = a;
    return (void *)(long)(r - 1);
}

static void *loads(void *unused)
{
    return (void *)(long)(atomic_load_explicit(&x, memory_order_acquire) + 2);
}

static void *chooses(void *unused)
{
    return (void *)(long)(raddle_choose(2) + 3);
}

int main(void)
{
    static void *(*const all[])(void *) = { adds, loads, chooses };
    int n = raddle_choose(3);
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, all[n], 0);
    pthread_join(thread, &result);
    assert(a == (n == 0 ? 2 : 0));
    assert(result == (void *)(long)(n + 1) || (n == 2 && result == (void *)4l));
}
