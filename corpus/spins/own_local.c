// A thread waits on its own stack, which is held to be private until another thread is seen to write there.
#include <pthread.h>
#include <stdatomic.h>

atomic_int *_Atomic box;

void *waits(void *p) {
    atomic_int node = 1;
    box = &node;
    while (atomic_load_explicit(&node, memory_order_acquire))
        ;
    return 0;
}

void *wakes(void *p) {
    atomic_int *other;
    while (!(other = box))
        ;
    atomic_store_explicit(other, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, waits, 0);
    pthread_create(&t, 0, wakes, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
