/* Each thread is joined or detached once, by whom it may be. Verified. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t first;

static void *end(void *arg) { return arg; }

static void *detach_self(void *arg)
{
	pthread_detach(pthread_self());
	return arg;
}

static void *join_first(void *arg)
{
	void *result;
	pthread_join(first, &result);
	assert(result == &first);
	return arg;
}

static void *own_child(void *arg)
{
	pthread_t child;
	pthread_create(&child, NULL, end, NULL);
	pthread_join(child, NULL);
	return arg;
}

int main(void)
{
	pthread_t t[2];
#if defined BY_ANOTHER
	pthread_create(&first, NULL, end, &first);
	pthread_create(&t[0], NULL, join_first, NULL);
	pthread_join(t[0], NULL);
#elif defined SELF_DETACHED
	pthread_create(&t[0], NULL, detach_self, NULL);
	pthread_create(&t[1], NULL, end, NULL);
	pthread_join(t[1], NULL);
#elif defined DETACHED_LATE
	pthread_create(&t[0], NULL, end, NULL);
	pthread_create(&t[1], NULL, end, NULL);
	pthread_join(t[1], NULL);
	pthread_detach(t[0]);
#elif defined NESTED
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, own_child, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
#endif
	return 0;
}
