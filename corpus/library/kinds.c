/* What else the calls promise. Verified, or refuted where the name of the macro says so. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_int count, waiting, destroyed;
static int go, woken[2];

static void initialise(void) { count++; }
static void destroy(void *value) { destroyed += *(int *)value; }

static void *thread(void *arg)
{
	int n = arg != NULL;
#if defined BARRIER
	for (int round = 0; round < 2; round++)
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			count++;
#elif defined ONCE
	pthread_once(&once, initialise);
	assert(count == 1);
#elif defined SIGNAL_FIRST_REFUTED || defined SIGNAL_SECOND_REFUTED || defined BROADCAST
	pthread_mutex_lock(&mutex);
	waiting++;
	pthread_cond_wait(&cond, &mutex);
	woken[n] = 1;
	pthread_mutex_unlock(&mutex);
#elif defined SPECIFIC
	static int values[2] = { 1, 2 };
	assert(pthread_getspecific(key) == NULL);
	pthread_setspecific(key, &values[n]);
	assert(pthread_getspecific(key) == &values[n]);
#endif
	(void)n;
	return arg;
}

int main(void)
{
	pthread_t t[2];
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_key_create(&key, destroy);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, i ? t : NULL);
#if defined SIGNAL_FIRST_REFUTED || defined SIGNAL_SECOND_REFUTED || defined BROADCAST
	pthread_mutex_lock(&mutex);
	if (waiting < 2) {
		pthread_mutex_unlock(&mutex);
		_Exit(0);
	}
#if defined BROADCAST
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
#else
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
#if defined SIGNAL_FIRST_REFUTED
	assert(!woken[0]);
#else
	assert(!woken[1]);
#endif
	assert(!woken[0] || !woken[1]);
	_Exit(0);
#endif
#endif
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
#if defined BARRIER
	assert(count == 2);
#elif defined BROADCAST
	assert(woken[0] && woken[1]);
#elif defined SPECIFIC
	assert(destroyed == 3);
#endif
	return 0;
}
