/* A barrier that turns its sense round: all threads have come before one goes on. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

atomic_int count, sense;
int here[N];

static void *worker(void *argument)
{
	long me = (long)argument;
	here[me] = 1;
	int turned = !atomic_load(&sense);
	if (atomic_fetch_add(&count, 1) == N - 1) {
		atomic_store(&count, 0);
		atomic_store(&sense, turned);
	} else {
		while (atomic_load(&sense) != turned)
			;
	}
	for (int i = 0; i < N; i++)
		assert(here[i]);
	return NULL;
}

int main(void)
{
	pthread_t thread[N];
	for (long i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
