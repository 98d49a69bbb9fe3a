/* After the benchmark "reorder": SETTERS threads write a and then b, and one looks at both, which it takes to be set both or
   neither. It has to come between the two writes of the first setter that runs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SETTERS
#define SETTERS 9
#endif

atomic_int a, b;

static void *set(void *unused)
{
	atomic_store(&a, 1);
	atomic_store(&b, -1);
	return unused;
}

static void *look(void *unused)
{
	int first = atomic_load(&a), second = atomic_load(&b);
	assert((first == 0 && second == 0) || (first == 1 && second == -1));
	return unused;
}

int main(void)
{
	pthread_t setter[SETTERS], checker;
	for (int i = 0; i < SETTERS; i++)
		pthread_create(&setter[i], NULL, set, NULL);
	pthread_create(&checker, NULL, look, NULL);
	for (int i = 0; i < SETTERS; i++)
		pthread_join(setter[i], NULL);
	pthread_join(checker, NULL);
	return 0;
}
