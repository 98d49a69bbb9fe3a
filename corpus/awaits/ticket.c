/* A ticket lock taken once by each of N threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

atomic_int next, serving;
int count;

static void *worker(void *unused)
{
	int ticket = atomic_fetch_add(&next, 1);
	while (atomic_load(&serving) != ticket)
		;
	count++;
	atomic_store(&serving, ticket + 1);
	return unused;
}

int main(void)
{
	pthread_t thread[N];
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	assert(count == N);
	return 0;
}
