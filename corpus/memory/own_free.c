// A thread frees a node that it has just read, and that another thread has published. What the reader read is stored where
// a third thread looks at it. Where the node is published too early (without -DRELEASED), it may be freed before it is
// filled; the access before its own free is right in whatever order a machine does the two.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELEASED
#define PUBLISHED memory_order_release
#else
#define PUBLISHED memory_order_relaxed
#endif

struct node {
    int value;
};

static atomic_int x;
static struct node *_Atomic top;

static void *reader(void *p)
{
    (void)atomic_load(&x);
    return 0;
}

static void *taker(void *p)
{
    struct node *node = atomic_exchange_explicit(&top, (struct node *)0, memory_order_acq_rel);
    int value = node ? node->value : 7;
    free(node);
    atomic_store_explicit(&x, value, memory_order_release);
    return 0;
}

static void *giver(void *p)
{
    struct node *node = malloc(sizeof *node);
    node->value = 3;
    atomic_store_explicit(&top, node, PUBLISHED);
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, taker, 0);
    pthread_create(&c, 0, giver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
