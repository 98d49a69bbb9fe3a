/* A thread waits for a condition in a loop, and another one finds the mutex locked again and again, with the mutex free in between: each time the waiter must have come back, with --spurious for
   no reason, with -DLIMIT because the limit is over. It is in the same state each time. Refuted whatever SEEN is; with -DIN_A_ROW the mutex need not be free in between. */
#include <assert.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#ifndef SEEN
#define SEEN 4
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static struct timespec limit = { 1, 0 };
static int ready;

static int is_locked(void)
{
#ifdef TIMED
	int error = pthread_mutex_timedlock(&mutex, &limit);
#else
	int error = pthread_mutex_trylock(&mutex);
#endif
	if (error == 0)
		pthread_mutex_unlock(&mutex);
	return error != 0;
}

static void *waiter(void *arg)
{
	pthread_mutex_lock(&mutex);
	while (!ready)
#ifdef LIMIT
		pthread_cond_timedwait(&cond, &mutex, &limit);
#else
		pthread_cond_wait(&cond, &mutex);
#endif
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t t;
	int seen = 0;
	pthread_create(&t, NULL, waiter, NULL);
	while (seen < SEEN && is_locked()) {
		seen++;
#ifndef IN_A_ROW
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
#endif
	}
	assert(seen < SEEN);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	pthread_join(t, NULL);
	return 0;
}
