/* The parker of a Java runtime: a thread waits until it gets the permit, of which there is at most one. Taking it without the lock needs a fence
 * after the store: else the store may come late and take away a permit that was given since, and the thread waits for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef FENCE
#define FENCE 0 /* 0 none, 1 store-load fences (TSO, PSO), 2 all fences (POWER) */
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static atomic_int permit, done;

static void park(void)
{
	if (LD(permit) > 0) {
		ST(permit, 0);
		if (FENCE >= 1)
			atomic_thread_fence(memory_order_seq_cst);
		return;
	}
	if (pthread_mutex_trylock(&lock) != 0)
		return;
	if (LD(permit) == 0)
		pthread_cond_wait(&given, &lock);
	ST(permit, 0);
	pthread_mutex_unlock(&lock);
}

static void unpark(void)
{
	pthread_mutex_lock(&lock);
	int before = LD(permit);
	ST(permit, 1);
	pthread_mutex_unlock(&lock);
	if (before == 0)
		pthread_cond_signal(&given);
}

static void *waiter(void *arg)
{
	while (!LD(done))
		park();
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, waiter, NULL);
	unpark();
	ST(done, 1);
	if (FENCE >= 2)
		atomic_thread_fence(memory_order_seq_cst);
	unpark();
	pthread_join(t, NULL);
	return 0;
}
