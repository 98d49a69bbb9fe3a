/* What is written before a call that releases is seen after the call that acquires it. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static int data, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;
static struct timespec soon;
static pthread_t worker;

static void set(void) { data = 1; ready = 1; }
static void *work(void *arg) { data = 1; ready = 1; return arg; }

static void *writer(void *arg)
{
#if defined MUTEX
	pthread_mutex_lock(&mutex); set(); pthread_mutex_unlock(&mutex);
#elif defined SPIN
	pthread_spin_lock(&spin); set(); pthread_spin_unlock(&spin);
#elif defined RWLOCK
	pthread_rwlock_wrlock(&rwlock); set(); pthread_rwlock_unlock(&rwlock);
#elif defined SEM || defined SEM_TRY || defined SEM_TIMED
	set(); sem_post(&sem);
#elif defined ONCE
	pthread_once(&once, set);
#elif defined BARRIER
	set(); pthread_barrier_wait(&barrier);
#elif defined COND
	pthread_mutex_lock(&mutex); set(); pthread_cond_signal(&cond); pthread_mutex_unlock(&mutex);
#elif defined JOIN
	pthread_create(&worker, NULL, work, NULL);
	pthread_join(worker, NULL);
	assert(data == 1);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_spin_init(&spin, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&sem, 0, 0);
	pthread_create(&t, NULL, writer, NULL);
#if defined MUTEX
	pthread_mutex_lock(&mutex); if (ready) assert(data == 1); pthread_mutex_unlock(&mutex);
	if (!pthread_mutex_trylock(&mutex)) { if (ready) assert(data == 1); pthread_mutex_unlock(&mutex); }
	if (!pthread_mutex_timedlock(&mutex, &soon)) { if (ready) assert(data == 1); pthread_mutex_unlock(&mutex); }
#elif defined SPIN
	pthread_spin_lock(&spin); if (ready) assert(data == 1); pthread_spin_unlock(&spin);
	if (!pthread_spin_trylock(&spin)) { if (ready) assert(data == 1); pthread_spin_unlock(&spin); }
#elif defined RWLOCK
	pthread_rwlock_rdlock(&rwlock); if (ready) assert(data == 1); pthread_rwlock_unlock(&rwlock);
	if (!pthread_rwlock_tryrdlock(&rwlock)) { if (ready) assert(data == 1); pthread_rwlock_unlock(&rwlock); }
#elif defined SEM
	sem_wait(&sem); assert(data == 1);
#elif defined SEM_TRY
	if (!sem_trywait(&sem)) assert(data == 1);
#elif defined SEM_TIMED
	if (!sem_timedwait(&sem, &soon)) assert(data == 1);
#elif defined ONCE
	pthread_once(&once, set); assert(data == 1);
#elif defined BARRIER
	pthread_barrier_wait(&barrier); assert(data == 1);
#elif defined COND
	pthread_mutex_lock(&mutex); while (!ready) pthread_cond_wait(&cond, &mutex); assert(data == 1); pthread_mutex_unlock(&mutex);
#endif
	pthread_join(t, NULL);
	return 0;
}
