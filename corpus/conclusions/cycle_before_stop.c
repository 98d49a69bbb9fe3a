/* Store buffering before one of the threads stops for some reason: that both miss the other's store is possible under TSO, and not under SC. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

atomic_int x, y, flag;
int seen[2];
sem_t s;

static void fence(void)
{
#ifdef RIGHT
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *work(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	fence();
	seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
#if defined(ASSUME)
	__VERIFIER_assume(atomic_load(&flag));
#elif defined(LOOP)
	for (int i = 0; i < 9; i++)
		atomic_store_explicit(&flag, i, memory_order_relaxed);
#elif defined(WAIT)
	sem_wait(&s);
#else
	while (!atomic_load(&flag))
		;
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, work, NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	fence();
	seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, NULL);
	return 0;
}
