/* A thread waits for a flag on the heap that another one frees, and never sets. */
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
	atomic_init(flag, 0);
	pthread_create(&thread, NULL, worker, NULL);
	free(flag);
	pthread_join(thread, NULL);
	return 0;
}
