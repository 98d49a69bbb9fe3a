/* A thread waits at a flag of its own, of which others know only when it is there: a local variable, or one on the
   HEAP. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *_Atomic next;
	atomic_int wait;
};

struct node *_Atomic known;

static void *worker(void *unused)
{
#ifdef HEAP
	struct node *mine = malloc(sizeof *mine);
#else
	struct node node, *mine = &node;
#endif
	atomic_store(&mine->next, NULL);
	atomic_store(&mine->wait, 1);
	atomic_store(&known, mine);
	while (atomic_load(&mine->wait))
		;
#ifdef HEAP
	free(mine);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	struct node *other;
	pthread_create(&thread, NULL, worker, NULL);
	while (!(other = atomic_load(&known)))
		;
	atomic_store(&other->wait, 0);
	pthread_join(thread, NULL);
	return 0;
}
