/* SIZE bytes are filled while COPY reads them: the first and the last may differ, whatever SIZE is. With -DLOCKED they are the same. With -DPARTS each thread has bytes of
   its own. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

#ifndef COPY
#define COPY memcpy(copy, shared, SIZE)
#endif

static char shared[SIZE], copy[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg)
{
#ifdef LOCKED
	pthread_mutex_lock(&mutex);
	memset(shared, 1, SIZE);
	pthread_mutex_unlock(&mutex);
#elif defined PARTS
	memset(shared, 1, SIZE / 2);
#else
	memset(shared, 1, SIZE);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, fill, NULL);
#ifdef LOCKED
	pthread_mutex_lock(&mutex);
	COPY;
	pthread_mutex_unlock(&mutex);
#elif defined PARTS
	memset(shared + SIZE / 2, 1, SIZE / 2);
#else
	COPY;
#endif
	pthread_join(t, NULL);
#ifdef PARTS
	assert(shared[0] == 1 && shared[SIZE - 1] == 1);
#endif
	assert(copy[0] == copy[SIZE - 1]);
	(void)mutex;
	return 0;
}
