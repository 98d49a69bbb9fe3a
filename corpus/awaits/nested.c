/* A loop in a loop, each of which waits for something else: a thread whose outer loop could end waits in the inner one.
   SAME: both wait for the same variable, so that the outer loop goes on whenever the inner one does. OTHER: a value that leaves
   both. SUM: one loop that waits for the sum of two variables. TWICE: two loops that wait for the same value, which is there as
   soon as the other thread has seen that it is not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int outer, inner;
int left;

static void *wait(void *unused)
{
#ifdef SUM
	while (atomic_load(&outer) + atomic_load(&inner) != 2)
		;
#elif defined(TWICE)
	while (atomic_load(&outer) != 1)
		while (atomic_load(&outer) != 1)
			;
#elif defined(SAME)
	while (atomic_fetch_or(&outer, 0) != 2)
		while (atomic_load(&outer) == 0)
			;
#elif defined(OTHER)
	while (atomic_fetch_or(&outer, 0) != 2) {
		int found;
		while ((found = atomic_load(&outer)) == 0)
			;
		if (found == 3) {
			left = 1;
			break;
		}
	}
#else
	while (atomic_load(&outer) != 1)
		while (atomic_load(&inner) == 0)
			;
#endif
	return unused;
}

static void *give(void *unused)
{
#ifdef TWICE
	while (atomic_load(&outer))
		;
#endif
	atomic_store(&outer, 1);
#ifdef SUM
	atomic_store(&inner, 1);
#elif defined(OTHER)
	atomic_store(&outer, 3);
	atomic_store(&outer, 2);
#elif defined(SAME)
	atomic_store(&outer, 2);
#endif
	return unused;
}

int main(void)
{
	pthread_t waits, gives;
	pthread_create(&waits, NULL, wait, NULL);
	pthread_create(&gives, NULL, give, NULL);
	pthread_join(waits, NULL);
	pthread_join(gives, NULL);
	assert(!left);
	return 0;
}
