// What the checks of clang find (--ub), each under the name of its macro; without one nothing is wrong.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int number = INT_MAX;
static struct {
    int first[4];
    int second[4];
} lists;

static int f(int x)
{
    int one = atomic_load(&number) - INT_MAX + 1;
    _Bool flag = 0;
    char bytes[16] = {0};
    (void)flag;
    (void)bytes;
#if defined ADD
    return x + one;
#elif defined SUB
    return -x - one - one;
#elif defined MUL
    return x * (one + one);
#elif defined NEG
    return -(-x - one);
#elif defined DIV
    return (-x - one) / -one;
#elif defined SHIFT
    return one << (one + 31);
#elif defined INDEX
    return lists.first[4 * one];
#elif defined VALUE
    *(char *)&flag = (char)(2 * one);
    return flag;
#elif defined ALIGN
    char *p = bytes + one;
    return *(int *)p;
#elif defined LENGTH
    char some[one - 1];
    return sizeof some;
#elif defined CONVERT
    return (int)(1e10 * one);
#elif defined MOVE
    return bytes - one * (__PTRDIFF_MAX__ / 2) * 2 > bytes;
#else
    return x - one;
#endif
}

static void *run(void *p)
{
    (void)p;
    return f(atomic_load(&number)) == 12345 ? &number : 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
