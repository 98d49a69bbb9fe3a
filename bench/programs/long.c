/* THREADS threads of LENGTH stores and loads each to a variable of their own, which main looks at in the end; the first two also store and look at a
 * variable of the other, so that there are 3 executions under SC and 4 under weaker models, however long they are. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef LENGTH
#define LENGTH 600
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_release)

static atomic_int own[THREADS], flag[2];

static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg;
	for (int i = 0; i < LENGTH / 2; i++)
		ST(own[me], LD(own[me]) + 1);
	if (me < 2) {
		ST(flag[me], 1);
		return (void *)(intptr_t)LD(flag[1 - me]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	int sum = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < THREADS; i++)
		sum += LD(own[i]);
	return sum != THREADS * (LENGTH / 2);
}
