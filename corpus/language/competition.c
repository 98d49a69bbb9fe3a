/* What names mean in SV-COMP (--svcomp). The value is wrong, and that is seen by the macro defined: -DREACH: reach_error, -DABORT: abort,
 * -DASSERT: an assertion, -DRACE: a data race, -DFREED: an access to freed memory, -DLEFT: memory that is not freed. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) { assert(0); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *add(void *unused)
{
#ifndef RACE
	pthread_mutex_lock(&mutex);
#endif
	value++;
#ifndef RACE
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	int *object = malloc(sizeof *object);
	pthread_create(&thread, NULL, add, NULL);
	add(NULL);
	pthread_join(thread, NULL);
#ifndef LEFT
	free(object);
#endif
#ifdef FREED
	value += *object;
#endif
#ifndef RACE
	if (value == 2) {
#ifdef REACH
		reach_error();
#elif defined ABORT
		abort();
#elif defined ASSERT
		assert(value == 3);
#endif
	}
#endif
	return 0;
}
