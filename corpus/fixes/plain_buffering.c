#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r, s;

static void *first(void *unused) {
    x = 1;
    r = y;
    return 0;
}

static void *second(void *unused) {
    y = 1;
    s = x;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r == 1 || s == 1);
}
