/* Loops around waits with a time limit end when what they wait for is there, however often the limit was over before. Verified; with -DWRONG refuted: the limit may be over. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t mtx;
static cnd_t cnd;
static sem_t sem;
static struct timespec limit = { 1, 0 };
static int ready;

static void *other(void *arg)
{
#if defined COND
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
#elif defined CND
	mtx_lock(&mtx);
	ready = 1;
	cnd_broadcast(&cnd);
	mtx_unlock(&mtx);
#elif defined MUTEX
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_mutex_unlock(&mutex);
#elif defined SEM
	ready = 1;
	sem_post(&sem);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	int over = 0;
	mtx_init(&mtx, mtx_timed);
	cnd_init(&cnd);
	sem_init(&sem, 0, 0);
	pthread_create(&t, NULL, other, NULL);
#if defined COND
	pthread_mutex_lock(&mutex);
	while (!ready)
		over |= pthread_cond_timedwait(&cond, &mutex, &limit) == ETIMEDOUT;
	pthread_mutex_unlock(&mutex);
#elif defined CND
	mtx_lock(&mtx);
	while (!ready)
		over |= cnd_timedwait(&cnd, &mtx, &limit) == thrd_timedout;
	mtx_unlock(&mtx);
#elif defined MUTEX
	while (pthread_mutex_timedlock(&mutex, &limit) == ETIMEDOUT)
		over = 1;
	pthread_mutex_unlock(&mutex);
#elif defined SEM
	while (sem_timedwait(&sem, &limit) == -1)
		over = errno == ETIMEDOUT;
	assert(ready);
#endif
#ifdef WRONG
	assert(!over);
#endif
	pthread_join(t, NULL);
	return 0;
}
