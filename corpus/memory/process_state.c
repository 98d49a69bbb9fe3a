/* What belongs to the process is one for all threads: the numbers of rand, the place of strtok, the clock. errno belongs to the thread. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static long mine, yours;
static atomic_int done;
static char words[] = "a b";

#ifndef LOOK
#define LOOK time(NULL)
#endif

static long in_nanoseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

static long in_microseconds(void)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	return now.tv_sec * 1000000 + now.tv_usec;
}

static void *run(void *arg)
{
	(void)in_nanoseconds, (void)in_microseconds;
#if defined RAND || defined RAND_ORDER
	yours = rand();
#elif defined SEED
	srandom(42);
#elif defined TOKEN_RACE
	char own[] = "c d";
	strtok(own, " ");
#elif defined TOKEN_LATER
	strtok(words, " ");
#elif defined CLOCK_JOIN || defined CLOCK_FLAG
	for (int i = 0; i < 5; i++)
		yours = LOOK;
	atomic_store(&done, 1);
#elif defined CLOCK_ORDERS_NOTHING
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	LOOK;
	yours = *(volatile long *)&mine;
#elif defined CLOCK_PASSES
	long start = LOOK;
	while (LOOK < start + 3)
		;
	assert(0);
#elif defined ERRNO
	errno = EBUSY;
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	errno = EPERM;
	pthread_create(&t, NULL, run, NULL);
#if defined RAND || defined RAND_ORDER
	mine = rand();
#elif defined TOKEN_RACE
	strtok(words, " ");
#elif defined CLOCK_FLAG
	if (atomic_load(&done))
		assert(LOOK >= yours);
#elif defined CLOCK_ORDERS_NOTHING
	*(volatile long *)&mine = 1;
	LOOK;
	int seen = atomic_load_explicit(&done, memory_order_relaxed);
#elif defined CLOCK_PASSES && defined TWICE
	LOOK;
#elif defined ERRNO
	assert(errno == EPERM);
#endif
	pthread_join(t, NULL);
#if defined RAND
	assert(mine != yours && (mine == 1804289383 || yours == 1804289383));
#elif defined RAND_ORDER
	assert(mine == 1804289383);
#elif defined SEED
	assert(rand() == 71876166);
#elif defined TOKEN_LATER
	char *next = strtok(NULL, " ");
	assert(next && *next == 'b');
#elif defined CLOCK_JOIN
	assert(LOOK >= yours);
#elif defined CLOCK_ORDERS_NOTHING
	assert(seen || yours);
#endif
	return 0;
}
