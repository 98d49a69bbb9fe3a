/* A loop, stores that wait in buffers, and two threads that can interrupt one another: something for every bound to cut. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen[2];

static void *work(void *arg)
{
	for (int i = 1; i <= 3; i++)
		atomic_store_explicit(&x, i, memory_order_relaxed);
	seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, NULL);
	return 0;
}
