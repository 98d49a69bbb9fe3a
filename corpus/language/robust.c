/* A thread ends while it holds a robust mutex. -DLOST: nobody says that what it guards is consistent. -DPLAIN: the mutex is not robust. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *dies(void *unused)
{
	pthread_mutex_lock(&m);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_t t;
	pthread_mutexattr_init(&attributes);
#ifndef PLAIN
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
	pthread_mutex_init(&m, &attributes);
	pthread_create(&t, NULL, dies, NULL);
	pthread_join(t, NULL);
	assert(pthread_mutex_lock(&m) == EOWNERDEAD);
#ifdef LOST
	pthread_mutex_unlock(&m);
	assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
	assert(pthread_mutex_trylock(&m) == ENOTRECOVERABLE);
#else
	assert(pthread_mutex_consistent(&m) == 0 && pthread_mutex_consistent(&m) == EINVAL);
	pthread_mutex_unlock(&m);
	assert(pthread_mutex_lock(&m) == 0);
	pthread_mutex_unlock(&m);
#endif
	return 0;
}
