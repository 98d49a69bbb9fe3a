/* The flag is written as plain memory first: whoever looks at it before that, or right after, races (PLAIN: looks as at
   plain memory). UPDATE: it is read so first, and who looks puts back what is there. NEVER: nothing is written but what
   nobody waits for, and not as plain memory. */
#include <pthread.h>

int flag;

static void *worker(void *unused)
{
#ifdef UPDATE
	(void)*(volatile int *)&flag;
#elif !defined NEVER
	flag = 1;
#endif
#ifdef NEVER
	__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
#else
	__atomic_store_n(&flag, 2, __ATOMIC_RELEASE);
#endif
	return unused;
}

static int look(void)
{
#if defined PLAIN
	return flag;
#elif defined UPDATE
	return __atomic_fetch_or(&flag, 0, __ATOMIC_ACQUIRE);
#else
	return __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
#endif
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	while (look() != 2)
		;
	pthread_join(thread, NULL);
	return 0;
}
