/* Two threads free an object, one of them while its stores of two sizes are still in the buffer: they reach memory in
 * their order, though both are wrong then. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(void *) shown;

static void *maker(void *arg)
{
	void *object = malloc(8);
	(void)arg;
	atomic_store_explicit((atomic_int *)object, 0, memory_order_relaxed);
	atomic_store_explicit(&shown, object, memory_order_relaxed);
	atomic_store_explicit((atomic_long *)object, 1, memory_order_relaxed);
	free(object);
	return NULL;
}

static void *other(void *arg)
{
	void *object = atomic_load_explicit(&shown, memory_order_relaxed);
	(void)arg;
	if (object)
		free(object);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, maker, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
