/* Loops around what may fail or give up, in which the third time is the one that is wrong: refuted, whatever fails. */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spinlock;
static sem_t sem;
static atomic_int word;
static struct timespec limit = { 1, 0 };
static int ready;

static int fails(void)
{
#if defined WEAK
	int expected = 0;
	return !atomic_compare_exchange_weak(&word, &expected, 1);
#elif defined TRYLOCK
	return pthread_mutex_trylock(&mutex) != 0;
#elif defined TIMEDLOCK
	return pthread_mutex_timedlock(&mutex, &limit) != 0;
#elif defined TRYRDLOCK
	return pthread_rwlock_tryrdlock(&rwlock) != 0;
#elif defined TIMEDWRLOCK
	return pthread_rwlock_timedwrlock(&rwlock, &limit) != 0;
#elif defined SPIN_TRYLOCK
	return pthread_spin_trylock(&spinlock) != 0;
#elif defined TRYWAIT
	return sem_trywait(&sem) != 0;
#elif defined TIMEDWAIT
	return sem_timedwait(&sem, &limit) != 0;
#elif defined FUTEX
	return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit, NULL, 0) == -1 && errno == ETIMEDOUT;
#elif defined COND
	return pthread_cond_wait(&cond, &mutex) == 0 && !ready;
#elif defined COND_LIMIT
	return pthread_cond_timedwait(&cond, &mutex, &limit) != 0 && !ready;
#endif
}

static void *other(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	pthread_spin_lock(&spinlock);
	ready = 1;
	word = 1;
	pthread_cond_signal(&cond);
	pthread_spin_unlock(&spinlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_mutex_unlock(&mutex);
	sem_post(&sem);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	pthread_t t;
	int n = 0;
	sem_init(&sem, 0, 0);
	pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, NULL, other, NULL);
#if defined COND || defined COND_LIMIT
	pthread_mutex_lock(&mutex);
#endif
	while (n < 3 && fails())
		n++;
	assert(n < 3);
	return 0;
}
