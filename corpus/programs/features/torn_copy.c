/* A struct is copied while another thread copies into it: the copy may be
 * half old and half new (-DLOCKED=1 copies under a lock). */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#ifndef LOCKED
#define LOCKED 0
#endif

struct pair {
	long first, second;
} shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void copy(struct pair *to, const struct pair *from)
{
	if (LOCKED)
		pthread_mutex_lock(&lock);
	memcpy(to, from, sizeof *to);
	if (LOCKED)
		pthread_mutex_unlock(&lock);
}

static void *writer(void *arg)
{
	struct pair both = {1, 1};
	copy(&shared, &both);
	return arg;
}

int main(void)
{
	pthread_t t;
	struct pair found;
	pthread_create(&t, NULL, writer, NULL);
	copy(&found, &shared);
	assert(found.first == found.second);
	pthread_join(t, NULL);
	return 0;
}
