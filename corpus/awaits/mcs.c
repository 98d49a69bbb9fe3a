/* The queue lock of Mellor-Crummey and Scott, taken once by each of N threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
	_Atomic(struct node *) next;
	atomic_int locked;
} nodes[N];
_Atomic(struct node *) tail;
int count;

static void lock(struct node *me)
{
	atomic_store(&me->next, NULL);
	struct node *before = atomic_exchange(&tail, me);
	if (before) {
		atomic_store(&me->locked, 1);
		atomic_store(&before->next, me);
		while (atomic_load(&me->locked))
			;
	}
}

static void unlock(struct node *me)
{
	if (!atomic_load(&me->next)) {
		struct node *last = me;
		if (atomic_compare_exchange_strong(&tail, &last, NULL))
			return;
		while (!atomic_load(&me->next))
			;
	}
	atomic_store(&atomic_load(&me->next)->locked, 0);
}

static void *worker(void *me)
{
	lock(me);
	count++;
	unlock(me);
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
