/* What POSIX says that calls give back. Verified. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, checked, recursive;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static struct timespec limit;

static void *of_another(void *arg)
{
	assert(pthread_mutex_trylock(&normal) == EBUSY);
	assert(pthread_mutex_unlock(&checked) == EPERM);
	assert(pthread_mutex_unlock(&recursive) == EPERM);
	assert(pthread_mutex_trylock(&recursive) == EBUSY);
	assert(pthread_cond_wait(&cond, &checked) == EPERM);
	assert(pthread_cond_timedwait(&cond, &checked, &limit) == EPERM);
	assert(pthread_rwlock_tryrdlock(&rwlock) == 0);
	assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
	assert(pthread_rwlock_unlock(&rwlock) == 0);
	assert(pthread_spin_trylock(&spin) == EBUSY);
	return arg;
}

static void mutexes(void)
{
	pthread_t t;
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	assert(pthread_mutexattr_settype(&attr, 77) == EINVAL);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checked, &attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attr);
	pthread_spin_init(&spin, 0);
	assert(pthread_mutex_unlock(&checked) == EPERM);
	pthread_mutex_lock(&normal);
	pthread_mutex_lock(&checked);
	pthread_mutex_lock(&recursive);
	assert(pthread_mutex_lock(&checked) == EDEADLK);
	assert(pthread_mutex_timedlock(&checked, &limit) == EDEADLK);
	assert(pthread_mutex_trylock(&checked) == EBUSY);
	assert(pthread_mutex_trylock(&normal) == EBUSY);
	assert(pthread_mutex_timedlock(&normal, &limit) == ETIMEDOUT);
	assert(pthread_mutex_lock(&recursive) == 0);
	assert(pthread_mutex_trylock(&recursive) == 0);
	assert(pthread_mutex_timedlock(&recursive, &limit) == 0);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_spin_lock(&spin);
	pthread_create(&t, NULL, of_another, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 4; i++)
		assert(pthread_mutex_unlock(&recursive) == 0);
	assert(pthread_mutex_unlock(&recursive) == EPERM);
	assert(pthread_mutex_destroy(&recursive) == 0);
}

static void semaphores(void)
{
	sem_t s, *a, *b;
	int value;
	assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
	assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
	assert(sem_post(&s) == -1 && errno == EOVERFLOW);
	assert(sem_getvalue(&s, &value) == 0 && value == SEM_VALUE_MAX);
	assert(sem_wait(&s) == 0 && sem_post(&s) == 0);
	sem_destroy(&s);
	sem_init(&s, 0, 0);
	assert(sem_trywait(&s) == -1 && errno == EAGAIN);
	assert(sem_timedwait(&s, &limit) == -1 && errno == ETIMEDOUT);
	assert(sem_open("/errors", 0) == SEM_FAILED && errno == ENOENT);
	assert(sem_unlink("/errors") == -1 && errno == ENOENT);
	assert(sem_open("/errors", O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1) == SEM_FAILED && errno == EINVAL);
	a = sem_open("/errors", O_CREAT, 0600, 2);
	assert(sem_open("/errors", O_CREAT | O_EXCL, 0600, 2) == SEM_FAILED && errno == EEXIST);
	b = sem_open("/errors", O_CREAT, 0600, 7);
	assert(a == b && sem_getvalue(b, &value) == 0 && value == 2);
	assert(sem_open("/errors", 0) == a);
	assert(sem_unlink("/errors") == 0);
	b = sem_open("/errors", O_CREAT | O_EXCL, 0600, 5);
	assert(a != b && sem_getvalue(b, &value) == 0 && value == 5);
	assert(sem_wait(a) == 0 && sem_getvalue(a, &value) == 0 && value == 1);
	assert(sem_unlink("/errors") == 0 && sem_unlink("/errors") == -1);
}

static void c11(void)
{
	mtx_t m, again;
	mtx_init(&m, mtx_timed);
	mtx_init(&again, mtx_plain | mtx_recursive);
	assert(mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy);
	assert(mtx_timedlock(&m, &limit) == thrd_timedout);
	assert(mtx_unlock(&m) == thrd_success);
	assert(mtx_lock(&again) == thrd_success && mtx_trylock(&again) == thrd_success);
	assert(mtx_unlock(&again) == thrd_success && mtx_unlock(&again) == thrd_success);
	mtx_destroy(&m);
	mtx_destroy(&again);
}

int main(void)
{
#ifdef AFTER_SPAWN
	pthread_t t;
	pthread_create(&t, NULL, (void *(*)(void *))pthread_self, NULL);
#endif
	mutexes();
	semaphores();
	c11();
	return 0;
}
