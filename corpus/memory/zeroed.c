/* A block from calloc is handed over without synchronisation: that its bits are zero is a plain write. HANDED: with synchronisation. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef HANDED
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_relaxed
#define LOAD memory_order_relaxed
#endif

static _Atomic(int *) block;
static int seen;

static void *make(void *unused)
{
	atomic_store_explicit(&block, calloc(3, sizeof(int)), STORE);
	return unused;
}

static void *look(void *unused)
{
	int *found = atomic_load_explicit(&block, LOAD);
	if (found)
		seen = found[2];
	return unused;
}

int main(void)
{
	pthread_t thread[2];
	pthread_create(&thread[0], NULL, make, NULL);
	pthread_create(&thread[1], NULL, look, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return seen;
}
