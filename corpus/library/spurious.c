/* A wait that may end for no reason, in `if` instead of `while`: refuted with --spurious only. With -DWHILE it is verified. With -DNOBODY nobody signals: a deadlock, since a
   wait need not end for no reason. */
#include <assert.h>
#include <pthread.h>
#include <threads.h>

#ifdef C11
#define mutex_t mtx_t
#define cond_t cnd_t
#define LOCK mtx_lock
#define UNLOCK mtx_unlock
#define WAIT cnd_wait
#define SIGNAL cnd_broadcast
#else
#define mutex_t pthread_mutex_t
#define cond_t pthread_cond_t
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
#define WAIT pthread_cond_wait
#define SIGNAL pthread_cond_broadcast
#endif

static mutex_t mutex;
static cond_t cond;
static int ready;

static void *other(void *arg)
{
	LOCK(&mutex);
#ifndef NOBODY
	ready = 1;
	SIGNAL(&cond);
#endif
	UNLOCK(&mutex);
	return arg;
}

static void *waiter(void *arg)
{
	LOCK(&mutex);
#ifdef WHILE
	while (!ready)
#else
	if (!ready)
#endif
		WAIT(&cond, &mutex);
#ifdef COUNTED
	/* Others cannot tell the wait that ended for no reason from one that did not end. */
	static int n;
	n++;
#endif
	assert(ready);
	UNLOCK(&mutex);
	return arg;
}

int main(void)
{
	pthread_t t[3];
#ifdef C11
	mtx_init(&mutex, mtx_plain);
	cnd_init(&cond);
#else
	pthread_mutex_init(&mutex, NULL);
	pthread_cond_init(&cond, NULL);
#endif
#ifdef BEFORE_SPAWN
	LOCK(&mutex);
	WAIT(&cond, &mutex);
	assert(0);
#endif
	pthread_create(&t[0], NULL, other, NULL);
	pthread_create(&t[1], NULL, waiter, NULL);
#ifdef TWO
	pthread_create(&t[2], NULL, waiter, NULL);
	pthread_join(t[2], NULL);
#endif
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
