// Load buffering with structures of up to eight bytes, or sixteen, that are passed and returned by value. Compilers pass
// them as one word, or two. A field of such a word depends on nothing that the other fields depend on, so a store of it
// may come before the load that another field was read by. With -DSAME what is stored is computed of the field that was
// read, and does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef CHARS
typedef signed char field;
#elif defined SHORTS
typedef short field;
#elif defined FLOATS
typedef float field;
#else
typedef int field;
#endif

struct small {
#ifdef LATER
    field kept, read;
#else
    field read, kept;
#endif
#ifdef LONG
    field more;
#endif
};

atomic_int x, y;
int r, s;

#ifdef SAME
#define OF(small) ((small).read * 0 + 1)
#else
#define OF(small) ((small).kept)
#endif

static struct small make(field read, field kept)
{
    struct small made = {.read = read, .kept = kept};
    return made;
}

static int take(struct small taken)
{
    return OF(taken);
}

static struct small pass_on(struct small taken)
{
#ifdef CHANGED
    taken.read += 1;
#endif
    return taken;
}

#ifdef GLOBAL
static struct small of_left, of_right;
#else
#define LOCAL
#endif

static void *left(void *p)
{
#ifdef LOCAL
    struct small of_left;
#endif
    int found = atomic_load_explicit(&x, memory_order_relaxed);
    of_left = make(found, 1);
    atomic_store_explicit(&y, OF(of_left), memory_order_relaxed);
    r = found;
    return 0;
}

static void *right(void *p)
{
#ifdef LOCAL
    struct small of_right;
#endif
    int found = atomic_load_explicit(&y, memory_order_relaxed);
    of_right.read = found;
    of_right.kept = 1;
    atomic_store_explicit(&x, take(pass_on(of_right)), memory_order_relaxed);
    s = found;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r != 1 || s != 1);
}
