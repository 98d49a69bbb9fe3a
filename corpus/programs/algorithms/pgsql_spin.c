/* Workers of PostgreSQL hand a token to each other by a latch and a flag. Waiting for the latch is a spin loop; with -DBOUNDED it counts, so that it is
 * none, and ends after so many looks. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef FENCE
#define FENCE 0
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
#define FENCE_PSO() do { if (FENCE >= 2) atomic_thread_fence(memory_order_seq_cst); } while (0)

static atomic_int latch[2] = {1, 0}, flag[2] = {1, 0};

static int wait_for(int i)
{
#ifdef BOUNDED
	for (int looks = 0; looks < BOUNDED; looks++)
		if (LD(latch[i]))
			return 1;
	return 0;
#else
	while (!LD(latch[i]))
		;
	return 1;
#endif
}

static void *worker(void *arg)
{
	int i = (int)(intptr_t)arg;
	for (int round = 0; round < ROUNDS; round++) {
		if (!wait_for(i))
			return NULL;
		FENCE_PSO();
		assert(LD(flag[i]));
		ST(latch[i], 0);
		ST(flag[i], 0);
		ST(flag[1 - i], 1);
		FENCE_PSO();
		ST(latch[1 - i], 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, (void *)(intptr_t)1);
	worker((void *)(intptr_t)0);
	pthread_join(t, NULL);
	return 0;
}
