/* Loops that write what is there already.
   Where no other thread writes there, and where what another wrote was there before the thread began, such a loop is waiting: verified under every model.
   TWICE: another thread writes there too, and sees the write of two rounds: found where loops are cut.
   LATER: the loop does not write in its last round, and the other thread writes there after the loop: found under PSO where loops are cut. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RELAXED memory_order_relaxed

atomic_int own, flag, done;
int first, second;

static void *write_again(void *arg)
{
#ifdef LATER
	while (!atomic_load_explicit(&flag, RELAXED))
		atomic_store_explicit(&own, 1, RELAXED);
	atomic_store_explicit(&done, 1, RELAXED);
#else
	do
		atomic_store(&own, 1);
	while (!atomic_load(&flag));
#endif
	return arg;
}

static void *look(void *arg)
{
#ifdef TWICE
	atomic_store(&own, 2);
	first = atomic_load(&own);
	atomic_store(&own, 2);
	second = atomic_load(&own);
#elif defined LATER
	first = atomic_load_explicit(&own, RELAXED);
#else
	while (atomic_load(&own) != 1)
		;
#endif
	atomic_store_explicit(&flag, 1, RELAXED);
#ifdef LATER
	while (!atomic_load_explicit(&done, RELAXED))
		;
	atomic_store_explicit(&own, 2, RELAXED);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&u, NULL, look, NULL);
	atomic_store(&own, 0);
	pthread_create(&t, NULL, write_again, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(!(first == 1 && second == 1));
#ifdef LATER
	assert(!(first == 1 && atomic_load(&own) == 1));
#endif
	assert(atomic_load(&flag) == 1);
	return 0;
}
