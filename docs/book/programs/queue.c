#include "queue.h"
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static struct queue queue;

static void *produce(void *unused)
{
	for (int value = 1; value <= N; value++)
		put(&queue, value);
	return unused;
}

int main(void)
{
	pthread_t producer;
	pthread_create(&producer, 0, produce, 0);
	int last = 0;
	for (int n = 0; n < N; n++) {
		int value;
		if (get(&queue, &value)) {
			assert(value > last);
			last = value;
		}
	}
	pthread_join(producer, 0);
}
