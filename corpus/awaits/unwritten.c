/* A thread waits for a flag on the heap that nobody has written before it is set. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *flag;

static void *worker(void *unused)
{
	while (!atomic_load(flag))
		;
	return unused;
}

int main(void)
{
	pthread_t thread;
	flag = malloc(sizeof *flag);
	pthread_create(&thread, NULL, worker, NULL);
	atomic_store(flag, 1);
	pthread_join(thread, NULL);
	return 0;
}
