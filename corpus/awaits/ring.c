/* A ring buffer of two places with one producer and one consumer: each waits for a difference of what it writes itself and what the other writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define N 3

atomic_int head, tail;
int slot[SIZE], got[N];

static void *produce(void *unused)
{
	for (int i = 0; i < N; i++) {
		while (atomic_load(&tail) - atomic_load(&head) == SIZE)
			;
		slot[atomic_load(&tail) % SIZE] = i + 1;
		atomic_fetch_add(&tail, 1);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < N; i++) {
		while (atomic_load(&tail) == atomic_load(&head))
			;
		got[i] = slot[atomic_load(&head) % SIZE];
		atomic_fetch_add(&head, 1);
	}
	return unused;
}

int main(void)
{
	pthread_t producer, consumer;
	pthread_create(&producer, NULL, produce, NULL);
	pthread_create(&consumer, NULL, consume, NULL);
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	for (int i = 0; i < N; i++)
		assert(got[i] == i + 1);
	return 0;
}
