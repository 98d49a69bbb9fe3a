/* A weak compare-exchange that finds what it expects may fail: refuted with --spurious only; never with -DSTRONG. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef STRONG
#define EXCHANGE atomic_compare_exchange_strong
#else
#define EXCHANGE atomic_compare_exchange_weak
#endif

#define ONCE(x) do { int expected = 0; assert(EXCHANGE((x), &expected, 1)); } while (0)
#define AGAIN(x) do { int expected = 0; while (!EXCHANGE((x), &expected, 1)) assert(expected == 0); } while (0)
#ifdef LOOP
#define TRY AGAIN
#else
#define TRY ONCE
#endif

static atomic_int global;

static void *thread(void *arg)
{
#if defined LOCAL_OF_THREAD
	atomic_int x = 0;
	TRY(&x);
#elif defined GLOBAL_OF_THREAD
	TRY(&global);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
#if defined LOCAL
	atomic_int x = 0;
	TRY(&x);
#elif defined GLOBAL
	TRY(&global);
#elif defined HEAP
	atomic_int *x = calloc(1, sizeof *x);
	TRY(x);
	free(x);
#elif defined THREAD_LOCAL
	static _Thread_local atomic_int x;
	TRY(&x);
#endif
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
#if defined LOCAL_AFTER
	atomic_int x = 0;
	TRY(&x);
#endif
	return 0;
}
