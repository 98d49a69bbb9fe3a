/* A thread holds two mutexes and waits with the one and with the other in turn, in a loop. Another thread takes them in turn, which it can only while the waits end without a signal. Each
   round of the waiter begins in the same state, and none of them can be left out: refuted whatever TURNS is. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

#ifndef TURNS
#define TURNS 4
#endif
#ifdef LIMIT
static struct timespec limit = { 1, 0 };
#define WAIT(cond, mutex) pthread_cond_timedwait(cond, mutex, &limit)
#else
#define WAIT(cond, mutex) pthread_cond_wait(cond, mutex)
#endif

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waits, ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	waits = 1;
	while (!ready) {
		WAIT(&cond, &first);
		WAIT(&cond, &second);
	}
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return arg;
}

int main(void)
{
	pthread_t t;
	int turns = 0;
	pthread_create(&t, NULL, waiter, NULL);
	pthread_mutex_lock(&first);
	int begun = waits;
	pthread_mutex_unlock(&first);
	if (!begun)
		return 0;
	while (turns < TURNS) {
		pthread_mutex_lock(&second);
		pthread_mutex_unlock(&second);
		pthread_mutex_lock(&first);
		pthread_mutex_unlock(&first);
		turns++;
	}
	assert(0);
}
