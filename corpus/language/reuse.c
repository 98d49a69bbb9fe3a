// Memory that is used again: with --reuse a new node may be where a freed one was, so that a compare-exchange on a
// pointer succeeds although the stack is another one (ABA). Nobody accesses a freed node before that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static _Atomic(struct node *) top;
static struct node *first, *second;
static int has_taken_both;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *make(struct node *next, int value)
{
	struct node *made = malloc(sizeof *made);
	made->next = next;
	made->value = value;
	return made;
}

// It has seen `first` on top and `second` below, and goes on.
static void *pop_late(void *unused)
{
	struct node *seen = first;
	atomic_compare_exchange_strong(&top, &seen, second);
	return NULL;
}

#ifdef CROSS
// A node that is made by a thread other than the one that freed it.
static void *push(void *unused)
{
	pthread_mutex_lock(&lock);
	if (has_taken_both) {
		struct node *none = NULL;
		atomic_compare_exchange_strong(&top, &none, make(NULL, 3));
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}
#endif

static void *pop_both_and_push(void *unused)
{
	struct node *seen = first;
	pthread_mutex_lock(&lock);
	if (atomic_compare_exchange_strong(&top, &seen, second)) {
		seen = second;
		has_taken_both = atomic_compare_exchange_strong(&top, &seen, NULL);
	}
	if (has_taken_both) {
#ifndef KEPT
		free(first);
#endif
#ifdef STALE
		atomic_store(&top, NULL);
		first->value = 4;
#endif
#ifdef OTHER_SIZE
		struct node *third = malloc(sizeof *third + 8);
		third->value = 3;
		atomic_store(&top, third);
#elif !defined CROSS
		struct node *none = NULL;
		atomic_compare_exchange_strong(&top, &none, make(NULL, 3));
#endif
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	second = make(NULL, 2);
	first = make(second, 1);
	atomic_store(&top, first);
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, pop_late, NULL);
	pthread_create(&threads[1], NULL, pop_both_and_push, NULL);
#ifdef CROSS
	pthread_create(&threads[2], NULL, push, NULL);
	pthread_join(threads[2], NULL);
#endif
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	// Who has taken both finds none of them on top.
	assert(!has_taken_both || atomic_load(&top) != second);
	return 0;
}
