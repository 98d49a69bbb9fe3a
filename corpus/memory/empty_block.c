/* A block without bytes is made by ALLOCATE and freed by another thread. With -DACCESS that thread writes to it first, with -DAGAIN it is freed twice. */
#include <pthread.h>
#include <stdlib.h>

#ifndef ALLOCATE
#define ALLOCATE malloc(0)
#endif

static char *block;

static void *release(void *arg)
{
#ifdef ACCESS
	if (block)
		block[0] = 1;
#endif
	free(block);
	return arg;
}

int main(void)
{
	pthread_t t;
	block = ALLOCATE;
	pthread_create(&t, NULL, release, NULL);
	void *own = ALLOCATE;
	free(own);
	pthread_join(t, NULL);
#ifdef AGAIN
	if (block)
		free(block);
#endif
	return 0;
}
