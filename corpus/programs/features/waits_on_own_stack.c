/* A queue lock whose nodes lie on the stacks of the threads: a thread spins on
 * memory of its own that others learn of through the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	_Atomic(struct node *) next;
	atomic_int waits;
};
_Atomic(struct node *) tail;
int counter;

static void *worker(void *arg)
{
	struct node me, *none;
	atomic_init(&me.next, NULL);
	atomic_init(&me.waits, 1);
	struct node *before = atomic_exchange(&tail, &me);
	if (before != NULL) {
		atomic_store(&before->next, &me);
		while (atomic_load(&me.waits))
			;
	}
	counter++;
	none = &me;
	if (!atomic_compare_exchange_strong(&tail, &none, NULL)) {
		struct node *after;
		while ((after = atomic_load(&me.next)) == NULL)
			;
		atomic_store(&after->waits, 0);
	}
	return arg;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, NULL, worker, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	assert(counter == 2);
	return 0;
}
