/* The queue lock of Craig, Landin and Hagersten, taken once by each of N threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
	atomic_int locked;
} nodes[N + 1];
_Atomic(struct node *) tail = &nodes[N];
int count;

static void *worker(void *argument)
{
	struct node *me = argument;
	atomic_store(&me->locked, 1);
	struct node *before = atomic_exchange(&tail, me);
	while (atomic_load(&before->locked))
		;
	count++;
	atomic_store(&me->locked, 0);
	return NULL;
}

int main(void)
{
	pthread_t thread[N];
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, worker, &nodes[i]);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	assert(count == N);
	return 0;
}
