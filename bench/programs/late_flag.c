/* Two threads, each of which raises its flag, then writes the other words of its record, then looks at the other one's flag. Both see nobody
 * only when a flag can wait together with the DEPTH - 1 stores behind it: with store buffers of DEPTH entries or more. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef DEPTH
#define DEPTH 2
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

atomic_int record[2][DEPTH];
int alone[2];

static void *visit(void *arg)
{
	int me = (int)(intptr_t)arg;
	for (int i = 0; i < DEPTH; i++)
		ST(record[me][i], 1);
	alone[me] = !LD(record[1 - me][0]);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, visit, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(!(alone[0] && alone[1]));
	return 0;
}
