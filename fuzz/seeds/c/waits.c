// Store buffering behind a spin lock, with a choice and a loop that waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int x, y, r1, r2;
atomic_int lock, done;
void *left(void *p) {
    int free = 0;
    while (!atomic_compare_exchange_weak(&lock, &free, 1)) free = 0;
    atomic_store_explicit(&lock, 0, memory_order_release);
    x = 1;
    r1 = y;
    atomic_fetch_add(&done, 1);
    return 0;
}
void *right(void *p) {
    y = 1;
    r2 = x;
    atomic_fetch_add(&done, 1);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, left, 0);
    pthread_create(&t, 0, right, 0);
    while (atomic_load(&done) < 2);
    printf("%d %d\n", r1, r2);
    assert(r1 == 1 || r2 == 1);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x + y + r1 + r2 < 4);
    return 0;
}
