/* A thread-local variable lives as long as its thread (C11, 6.2.4, paragraph 4). Others may access it until then, and the thread itself in the destructors
   that run at its end; the one of `main` lives as long as the program. */
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static _Thread_local int variable = 5;
static int *_Atomic published;
static atomic_int used;
static pthread_key_t key;

#if defined WAITS
#define END() do while (!used); while (0)
#elif defined EXITS
#define END() pthread_exit(NULL)
#elif defined EXITS_C11
#define END() thrd_exit(0)
#elif defined DESTRUCTOR
#define END() pthread_setspecific(key, &variable)
#else
#define END() (void)0
#endif

static void destroy(void *value)
{
	*(int *)value += *published;
}

static void *owner(void *arg)
{
	published = &variable;
	END();
	return arg;
}

static void *user(void *arg)
{
	int *at = published;
	if (at) {
		*at += 2;
	}
	used = 1;
	return arg;
}

static void *reader_of_main(void *arg)
{
	return (void *)(long)(*published + *(int *)arg);
}

int main(void)
{
	pthread_t a, b;
	pthread_key_create(&key, destroy);
#if defined MAIN
	published = &variable;
	pthread_create(&a, NULL, reader_of_main, &variable);
	variable = 6;
	pthread_exit(NULL);
#elif defined WAITS
	pthread_create(&a, NULL, owner, NULL);
	while (!published);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#elif defined CONCURRENT
	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#else
	pthread_create(&a, NULL, owner, NULL);
	pthread_join(a, NULL);
#ifndef DESTRUCTOR
	*published += 2;
#endif
	(void)b;
#endif
	return 0;
}
