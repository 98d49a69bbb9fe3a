/* A long fill is seen in two bytes, the last one first: the fill may be half done. With -DPUBLISHED the pointer is read after the fill is done. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096

static char bytes[SIZE];
static _Atomic(char *) published;

static void *fill(void *arg)
{
	char *made = malloc(SIZE);
	memset(made, 1, SIZE);
	memset(bytes, 1, SIZE);
	atomic_store_explicit(&published, made, memory_order_release);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, fill, NULL);
#ifdef PUBLISHED
	char *seen = atomic_load_explicit(&published, memory_order_acquire);
	if (seen)
		assert(seen[0] == 1 && seen[SIZE - 1] == 1);
#else
	char last = bytes[SIZE - 1], first = bytes[0];
	assert(first == last);
#endif
	pthread_join(t, NULL);
	return 0;
}
