// A local variable that another thread uses with its consent, and once more when its function may have returned.
#include <pthread.h>
#include <stdatomic.h>

atomic_int *_Atomic box;
atomic_int done;

void *lend(void *p) {
    atomic_int local = 0;
    box = &local;
    while (!done)
        ;
    return 0;
}

void *borrow(void *p) {
    atomic_int *borrowed = box;
    if (!borrowed)
        return 0;
    *borrowed = 1;
    done = 1;
#ifdef AGAIN
    *borrowed = 2;
#endif
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, lend, 0);
    pthread_create(&t, 0, borrow, 0);
    pthread_join(t, 0);
    if (done)
        pthread_join(s, 0);
    return 0;
}
