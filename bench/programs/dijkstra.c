/* Dijkstra's mutual exclusion (CACM 1965) for two threads. Each thread first makes OPS stores that the other one looks at; a thread that would
 * have to wait gives up. NOCHECK leaves out the property, so that everything is explored. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef OPS
#define OPS 1
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
#define N 2

atomic_int wants[N], inside[N], turn, done[N], critical;

static int enter(int i)
{
	ST(wants[i], 1);
	if (LD(turn) != i) {
		if (LD(wants[1 - i]))
			return 0;
		ST(turn, i);
	}
	ST(inside[i], 1);
	return !LD(inside[1 - i]);
}

static void *worker(void *arg)
{
	int i = (int)(intptr_t)arg;
	for (int k = 1; k <= OPS; k++)
		ST(done[i], k);
	(void)LD(done[1 - i]);
	if (!enter(i))
		return NULL;
#ifndef NOCHECK
	int before = atomic_fetch_add(&critical, 1);
	assert(before == 0);
	atomic_fetch_sub(&critical, 1);
#endif
	ST(inside[i], 0);
	ST(wants[i], 0);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
