// A thread that exits: its cleanup handlers run, then the destructors of what it keeps by keys.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int n_cleaned, n_destroyed;

static void destroy(void *kept)
{
	assert(n_cleaned == 2);
	n_destroyed++;
	free(kept);
}

static void clean(void *unused)
{
	assert(n_destroyed == 0);
	n_cleaned++;
}

static void *work(void *result)
{
	pthread_setspecific(key, malloc(4));
	pthread_cleanup_push(clean, NULL);
	pthread_cleanup_push(clean, NULL);
	pthread_exit(result);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *result;
	pthread_key_create(&key, destroy);
	pthread_create(&t, NULL, work, &t);
	pthread_join(t, &result);
	assert(result == &t && n_cleaned == 2 && n_destroyed == 1);
	return 0;
}
