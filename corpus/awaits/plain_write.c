/* The flag is written as plain memory first: whoever looks at it before that, or right after, races (PLAIN: looks as at plain memory). */
#include <pthread.h>

int flag;

static void *worker(void *unused)
{
	flag = 1;
	__atomic_store_n(&flag, 2, __ATOMIC_RELEASE);
	return unused;
}

static int look(void)
{
#ifdef PLAIN
	return flag;
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
