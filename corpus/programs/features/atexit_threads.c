/* What main registers is called when a thread exits (-DBY_THREAD=1: what a
 * thread registers is called when main returns). */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef BY_THREAD
#define BY_THREAD 0
#endif

static void last(void)
{
	assert(0);
}

static void *thread(void *arg)
{
	if (BY_THREAD)
		atexit(last);
	else
		exit(0);
	return arg;
}

int main(void)
{
	pthread_t t;
	if (!BY_THREAD)
		atexit(last);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
