/* A thread waits for what never comes, and main spins on a flag that stands behind the wait, or joins the thread. No thread can go on and one of them waits: a deadlock.
   Where the thread that should bring it fails an assumption there is no deadlock: everything after the assumption does not happen. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
sem_t s;
atomic_int done;

static void *waiter(void *arg)
{
#if defined(CONDITION)
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
#elif defined(BARRIER)
	pthread_barrier_wait(&barrier);
#elif defined(LOCK)
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#else
	sem_wait(&s);
#endif
	atomic_store(&done, 1);
	return arg;
}

static void *bringer(void *arg)
{
#if defined(LOCK)
	pthread_mutex_lock(&m);
#endif
#if defined(ASSUME)
	__VERIFIER_assume(__VERIFIER_nondet_bool());
	sem_post(&s);
#elif defined(NEVER)
	__VERIFIER_assume(0);
	sem_post(&s);
#elif defined(BRING)
	sem_post(&s);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;
	sem_init(&s, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&u, NULL, bringer, NULL);
#if defined(LOCK)
	pthread_join(u, NULL);
#endif
	pthread_create(&t, NULL, waiter, NULL);
#if defined(JOIN)
	pthread_join(t, NULL);
	assert(atomic_load(&done));
#else
	while (!atomic_load(&done))
		;
#endif
	return 0;
}
