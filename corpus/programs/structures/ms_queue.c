/* Queue of Michael and Scott, of nodes that are never given back: each of N threads puts in its number, and each of the
 * first TAKERS takes one out. With -DWRONG a node is linked before its value is there for those who take it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
#ifndef TAKERS
#define TAKERS N
#endif
#ifdef WRONG
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define CAS(x, e, v, order) atomic_compare_exchange_strong_explicit(&(x), &(e), (v), order, memory_order_relaxed)

struct node {
	int value;
	_Atomic(struct node *) next;
};

struct node nodes[N + 1];
_Atomic(struct node *) head = &nodes[N], tail = &nodes[N];
int taken[N];

static void put(struct node *node)
{
	for (;;) {
		struct node *last = LD(tail), *next = LD(last->next), *none = NULL;
		if (next != NULL) {
			CAS(tail, last, next, memory_order_release);
		} else if (CAS(last->next, none, node, LINK)) {
			CAS(tail, last, node, memory_order_release);
			return;
		}
	}
}

static int take(void)
{
	for (;;) {
		struct node *first = LD(head), *last = LD(tail), *next = LD(first->next);
		if (next == NULL)
			return 0;
		if (first == last) {
			CAS(tail, last, next, memory_order_release);
		} else {
			int value = next->value;
			if (CAS(head, first, next, memory_order_acq_rel))
				return value;
		}
	}
}

static void *worker(void *number)
{
	int n = (int)(intptr_t)number;
	nodes[n].value = n + 1;
	put(&nodes[n]);
	if (n < TAKERS)
		taken[n] = take();
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int n = 0; n < N; n++)
		pthread_create(&threads[n], NULL, worker, (void *)(intptr_t)n);
	for (int n = 0; n < N; n++)
		pthread_join(threads[n], NULL);
	for (int n = 0; n < TAKERS; n++)
		for (int m = 0; m < n; m++)
			assert(taken[n] == 0 || taken[n] != taken[m]);
	return 0;
}
