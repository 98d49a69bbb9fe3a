/* A thread frees what main writes, or overruns an array, and then stops: the access is wrong all the same. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

int *shared;
atomic_int flag, last = 4;
int array[4];

static void *work(void *arg)
{
#ifdef OVERRUN
	array[atomic_load(&last)] = 1;
#else
	free(shared);
#endif
#ifdef ASSUME
	__VERIFIER_assume(atomic_load(&flag));
#else
	while (!atomic_load(&flag))
		;
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	shared = malloc(sizeof *shared);
	pthread_create(&t, NULL, work, NULL);
#ifndef OVERRUN
	*shared = 1;
#endif
	pthread_join(t, NULL);
	return 0;
}
