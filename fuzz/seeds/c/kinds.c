// Most of what the front end knows.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { int a; double b; } pairs[4];
atomic_int flag;
static _Thread_local int mine;
static int twice(int n) { switch (n) { case 1: return 2; case 2: return 4; default: return n * 2; } }
static void *work(void *argument) {
    struct pair *p = malloc(sizeof *p);
    *p = pairs[mine++];
    atomic_store_explicit(&flag, twice((long)argument), memory_order_release);
    int expected = 2;
    atomic_compare_exchange_strong(&flag, &expected, 3);
    free(p);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, (void *)1);
    int (*f)(int) = atomic_load(&flag) ? twice : abs;
    pairs[1].b = f(-3) / 2.0;
    return pthread_join(t, 0);
}
