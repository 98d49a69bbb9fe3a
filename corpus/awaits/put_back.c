/* A loop that waits until something else is there by putting back what is there, beside an update and a store. TAKEN: beside an
 * update of what the loop reads when it goes on. */
#include <pthread.h>
#include <stdatomic.h>

#ifdef TAKEN
#define WRONG 3
static atomic_int x;
#else
#define WRONG 0
static atomic_int x = 1;
#endif

static void *store(void *unused)
{
#ifndef TAKEN
	atomic_store_explicit(&x, 0, memory_order_release);
#endif
	return unused;
}

static void *wait(void *unused)
{
	int expected;
	do
		expected = WRONG;
	while (atomic_compare_exchange_strong(&x, &expected, WRONG));
	return unused;
}

static void *swap(void *unused)
{
	atomic_exchange(&x, 3);
#ifndef TAKEN
	atomic_load(&x);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread[3];
	pthread_create(&thread[0], NULL, store, NULL);
	pthread_create(&thread[1], NULL, wait, NULL);
	pthread_create(&thread[2], NULL, swap, NULL);
#ifndef TAKEN
	atomic_load(&x);
#endif
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
