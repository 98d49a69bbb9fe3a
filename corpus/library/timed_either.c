/* A wait with a time limit that somebody ends may end in both ways. With -DIN_TIME it is claimed to end by the signal, lock or post only, with -DTOO_LATE by the limit only:
   both are wrong. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int waits;
static struct timespec limit = { 1, 0 };

static void *other(void *arg)
{
#if defined COND
	pthread_mutex_lock(&mutex);
	if (waits)
		pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
#elif defined MUTEX
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#elif defined RWLOCK
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
#elif defined SEM
	sem_post(&sem);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	int result;
	sem_init(&sem, 0, 0);
	pthread_create(&t, NULL, other, NULL);
#if defined COND
	pthread_mutex_lock(&mutex);
	waits = 1;
	result = pthread_cond_timedwait(&cond, &mutex, &limit);
	pthread_mutex_unlock(&mutex);
#elif defined MUTEX
	result = pthread_mutex_timedlock(&mutex, &limit);
#elif defined RWLOCK
	result = pthread_rwlock_timedwrlock(&rwlock, &limit);
#elif defined SEM
	result = sem_timedwait(&sem, &limit) == 0 ? 0 : errno;
#endif
#if defined MUTEX
	if (result == 0)
		pthread_mutex_unlock(&mutex);
#elif defined RWLOCK
	if (result == 0)
		pthread_rwlock_unlock(&rwlock);
#endif
	assert(result == 0 || result == ETIMEDOUT);
#ifdef IN_TIME
	assert(result == 0);
#elif defined TOO_LATE
	assert(result == ETIMEDOUT);
#endif
	pthread_join(t, NULL);
	return 0;
}
