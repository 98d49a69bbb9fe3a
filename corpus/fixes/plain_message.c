#include <assert.h>
#include <pthread.h>

static volatile int data, flag;

static void *first(void *unused) {
    data = 42;
    flag = 1;
    return 0;
}

static void *second(void *unused) {
    if (flag) {
        assert(data == 42);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
