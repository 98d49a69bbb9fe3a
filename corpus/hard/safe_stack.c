/* The safe stack that Vyukov has put as a puzzle: a list of free cells that gives a cell to one thread at a time. Three threads
   pop and push with four operations in all of each; the order in which two of them get the same cell is some twenty steps
   with several preemptions away. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define CELLS 3
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

atomic_int head, count, next[CELLS];
atomic_int owner[CELLS];

static int pop(void)
{
	while (atomic_load(&count) > 1) {
		int first = atomic_load(&head);
		int second = atomic_exchange(&next[first], -1);
		if (second < 0)
			continue;
		int expected = first;
		if (atomic_compare_exchange_strong(&head, &expected, second)) {
			atomic_fetch_sub(&count, 1);
			return first;
		}
		atomic_exchange(&next[first], second);
	}
	return -1;
}

static void push(int cell)
{
	int first = atomic_load(&head);
	do {
		atomic_store(&next[cell], first);
	} while (!atomic_compare_exchange_strong(&head, &first, cell));
	atomic_fetch_add(&count, 1);
}

static void *worker(void *argument)
{
	int me = (int)(long)argument;
	for (int i = 0; i < ROUNDS; i++) {
		int cell = pop();
		if (cell < 0)
			continue;
		atomic_store(&owner[cell], me);
		assert(atomic_load(&owner[cell]) == me);
		push(cell);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	atomic_store(&count, CELLS);
	for (int i = 0; i < CELLS; i++)
		atomic_store(&next[i], i + 1 < CELLS ? i + 1 : -1);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
