/* A node is cleared or copied as a whole and then accessed by its fields, which
 * have other sizes than the words of a copy (-DRELAXED=1 publishes too early). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct node {
	int key;
	char mark;
	short count;
	struct node *next;
};
_Atomic(struct node *) head;

static void *writer(void *arg)
{
	struct node *n = malloc(sizeof *n);
	memset(n, 0, sizeof *n);
	n->key = 3;
	n->mark = 1;
	atomic_store_explicit(&head, n, PUBLISH);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	struct node *n = atomic_load_explicit(&head, memory_order_acquire);
	if (n != NULL) {
		struct node copy = *n;
		assert(copy.key == 3 && n->mark == 1 && n->next == NULL);
	}
	pthread_join(t, NULL);
	free(atomic_load(&head));
	return 0;
}
