/* Spin loops that never end, in several ways. Without --liveness nothing is wrong with that, but an execution that does not come to its end is not complete. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int flag, other;

static void *spin(void *arg)
{
	while (!atomic_load(&flag))
		;
#ifdef WRONG_ORDER
	atomic_store(&other, 1);
#endif
	return arg;
}

#ifdef LOCK
static void *take(void *arg)
{
	int zero = 0;
	while (!atomic_compare_exchange_strong(&flag, &zero, 1))
		zero = 0;
#ifdef RELEASE
	atomic_store(&flag, 0);
#endif
	return arg;
}
#endif

int main(void)
{
	pthread_t t;
#if defined(LOCK)
	/* a lock that is not released */
	pthread_create(&t, NULL, take, NULL);
	take(NULL);
#else
	pthread_create(&t, NULL, spin, NULL);
#endif
#if defined(SET_AND_CLEARED)
	/* who looks too late has missed it */
	atomic_store(&flag, 1);
	atomic_store(&flag, 0);
#elif defined(WRONG_ORDER)
	/* each waits for the other before it sets its own flag */
	while (!atomic_load(&other))
		;
	atomic_store(&flag, 1);
#elif defined(SET)
	atomic_store(&flag, 1);
#elif defined(EXIT)
	exit(0);
#endif
	pthread_join(t, NULL);
	return 0;
}
