/* Two threads wait for a lock that is never given back (LOAD, EXCHANGE, CAS say how); LOCK: a third one waits for a mutex that is never given back either. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken = 1;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
#if defined(LOAD)
	while (atomic_load_explicit(&taken, memory_order_acquire))
		;
#elif defined(EXCHANGE)
	while (atomic_exchange(&taken, 1))
		;
#else
	for (int free = 0; !atomic_compare_exchange_strong(&taken, &free, 1); free = 0)
		;
#endif
	return unused;
}

#ifdef LOCK
static void *other(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}
#endif

int main(void)
{
	pthread_t thread[3];
	pthread_mutex_lock(&mutex);
	pthread_create(&thread[0], NULL, worker, NULL);
	pthread_create(&thread[1], NULL, worker, NULL);
#ifdef LOCK
	pthread_create(&thread[2], NULL, other, NULL);
#endif
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
