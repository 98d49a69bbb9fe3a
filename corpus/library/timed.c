/* Waits with a time limit end although nobody lets them go on. Verified; with -DFOR_EVER the same waits without a limit are deadlocks. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t read_locked = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static mtx_t mtx, mtx_held;
static cnd_t cnd;
static struct timespec limit = { 1, 0 };

#ifdef FOR_EVER
#define EITHER(waits, limited, result) waits
#else
#define EITHER(waits, limited, result) assert((limited) == (result))
#endif

static void *thread(void *arg)
{
#if defined COND
	pthread_mutex_lock(&mutex);
	EITHER(pthread_cond_wait(&cond, &mutex), pthread_cond_timedwait(&cond, &mutex, &limit), ETIMEDOUT);
	assert(pthread_mutex_unlock(&mutex) == 0);
#elif defined COND_CLOCK
	pthread_mutex_lock(&mutex);
	EITHER(pthread_cond_wait(&cond, &mutex), pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &limit), ETIMEDOUT);
	pthread_mutex_unlock(&mutex);
#elif defined MUTEX
	EITHER(pthread_mutex_lock(&held), pthread_mutex_timedlock(&held, &limit), ETIMEDOUT);
#elif defined MUTEX_CLOCK
	EITHER(pthread_mutex_lock(&held), pthread_mutex_clocklock(&held, CLOCK_MONOTONIC, &limit), ETIMEDOUT);
#elif defined READ
	EITHER(pthread_rwlock_rdlock(&rwlock), pthread_rwlock_timedrdlock(&rwlock, &limit), ETIMEDOUT);
#elif defined WRITE
	EITHER(pthread_rwlock_wrlock(&rwlock), pthread_rwlock_timedwrlock(&rwlock, &limit), ETIMEDOUT);
#elif defined WRITE_CLOCK
	EITHER(pthread_rwlock_wrlock(&read_locked), pthread_rwlock_clockwrlock(&read_locked, CLOCK_MONOTONIC, &limit), ETIMEDOUT);
#elif defined READ_CLOCK
	EITHER(pthread_rwlock_rdlock(&rwlock), pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &limit), ETIMEDOUT);
#elif defined SEM
	EITHER(sem_wait(&sem), sem_timedwait(&sem, &limit) == -1 && errno == ETIMEDOUT, 1);
#elif defined SEM_CLOCK
	EITHER(sem_wait(&sem), sem_clockwait(&sem, CLOCK_MONOTONIC, &limit) == -1 && errno == ETIMEDOUT, 1);
#elif defined MTX
	EITHER(mtx_lock(&mtx_held), mtx_timedlock(&mtx_held, &limit), thrd_timedout);
#elif defined CND
	mtx_lock(&mtx);
	EITHER(cnd_wait(&cnd, &mtx), cnd_timedwait(&cnd, &mtx, &limit), thrd_timedout);
	assert(mtx_unlock(&mtx) == thrd_success);
#elif defined TWICE
	/* Both locks are held by threads that wait for each other, but not for ever. */
	pthread_mutex_lock(&mutex);
	EITHER(pthread_mutex_lock(&held), pthread_mutex_timedlock(&held, &limit), ETIMEDOUT);
	pthread_mutex_unlock(&mutex);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	mtx_init(&mtx, mtx_timed);
	mtx_init(&mtx_held, mtx_timed);
	cnd_init(&cnd);
	sem_init(&sem, 0, 0);
	pthread_mutex_lock(&held);
	mtx_lock(&mtx_held);
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_rdlock(&read_locked);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
