/* A loop that waits until something else is there by putting back what is there, beside an update and a store. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1;

static void *store(void *unused)
{
	atomic_store_explicit(&x, 0, memory_order_release);
	return unused;
}

static void *wait(void *unused)
{
	int expected;
	do
		expected = 0;
	while (atomic_compare_exchange_strong(&x, &expected, 0));
	return unused;
}

static void *swap(void *unused)
{
	atomic_exchange(&x, 3);
	atomic_load(&x);
	return unused;
}

int main(void)
{
	pthread_t thread[3];
	pthread_create(&thread[0], NULL, store, NULL);
	pthread_create(&thread[1], NULL, wait, NULL);
	pthread_create(&thread[2], NULL, swap, NULL);
	atomic_load(&x);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
