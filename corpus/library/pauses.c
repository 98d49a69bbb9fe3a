/* Loops around waits. What main returns shows what was seen; with -DUNROLLED each loop is spelled out, so that no wait is reached twice. Both spellings end with the same statuses. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

void __VERIFIER_assume(int);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static struct timespec limit = { 1, 0 };
static int step, seen, missed;

#ifdef LIMIT
#define WAIT over |= pthread_cond_timedwait(&cond, &mutex, &limit) == ETIMEDOUT;
#else
#define WAIT pthread_cond_wait(&cond, &mutex);
#endif
#ifdef UNROLLED
#define ONE(done) if (!(done)) WAIT
#define UNTIL(done) ONE(done) ONE(done) ONE(done) ONE(done) ONE(done) ONE(done) __VERIFIER_assume(done);
#else
#define UNTIL(done) while (!(done)) WAIT
#endif

static void *waiter(void *arg)
{
	int over = 0;
	pthread_mutex_lock(&mutex);
	UNTIL(step)
	missed = step + 4 * over;
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void try(int weight)
{
	if (pthread_mutex_trylock(&mutex) != 0) {
		seen += weight;
		return;
	}
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, waiter, NULL);
#ifdef TRIES
	try(8);
	pthread_cond_signal(&cond);
	try(16);
#endif
	pthread_mutex_lock(&mutex);
#ifdef SIGNALS
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
#endif
	step++;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
	step++;
	pthread_mutex_unlock(&mutex);
	pthread_join(t, NULL);
	return seen + missed;
}
