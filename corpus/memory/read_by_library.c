/* The library reads a string while another thread shortens it: CALL races with the store, and with -DSEEN sees it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char string[8] = "abc", other[40];

static void *shorten(void *arg)
{
	string[1] = 0;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, shorten, NULL);
#ifdef SEEN
	assert(CALL);
#else
	long result = (long)(CALL);
	(void)result, (void)other;
#endif
	pthread_join(t, NULL);
	return 0;
}
