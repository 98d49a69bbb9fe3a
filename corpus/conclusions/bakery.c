// Lamport's bakery lock, all seq_cst. With -DTIE two threads with the same number both enter, with -DWITHIN the wait for
// the number of the other one is left out where that is the smaller one already. A thread waits until the other one does
// not choose any more, which may not have begun.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int choosing[2], number[2];
static int inside;

static void *enter(void *argument)
{
    int me = (int)(long)argument, other = 1 - me;
    choosing[me] = 1;
    number[me] = 1 + number[other];
    choosing[me] = 0;
    while (choosing[other])
        ;
#ifdef TIE
    while (number[other] && number[other] < number[me])
        ;
#elif defined WITHIN
    if (number[other] && number[other] < number[me])
        while (number[other])
            ;
#else
    while (number[other] && (number[other] < number[me] || (number[other] == number[me] && other < me)))
        ;
#endif
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
