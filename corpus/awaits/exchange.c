/* A lock that is exchanged (TEST: looked at first, CAS: compared and exchanged, FLAG: an atomic_flag, FIRST: exchanged first and looked at
   until it is free, FIRST_CAS: the same by compare-exchanges, FIRST_BIT: a bit that is set) taken once by each of N threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif


atomic_int lock;
atomic_flag flag = ATOMIC_FLAG_INIT;
int count;

static void take(void)
{
#if defined(TEST)
	do {
		while (atomic_load(&lock))
			;
	} while (atomic_exchange(&lock, 1));
#elif defined(FIRST)
	while (atomic_exchange(&lock, 1))
		while (atomic_load(&lock))
			;
#elif defined(FIRST_CAS)
	for (int free = 0; !atomic_compare_exchange_weak(&lock, &free, 1);)
		do
			free = atomic_load(&lock);
		while (free);
#elif defined(FIRST_BIT)
	while (atomic_fetch_or(&lock, 1) & 1)
		while (atomic_load(&lock) & 1)
			;
#elif defined(CAS)
	for (int free = 0; !atomic_compare_exchange_strong(&lock, &free, 1); free = 0)
		;
#elif defined(FLAG)
	while (atomic_flag_test_and_set(&flag))
		;
#else
	while (atomic_exchange(&lock, 1))
		;
#endif
}

static void *worker(void *unused)
{
	take();
	count++;
#ifdef FLAG
	atomic_flag_clear(&flag);
#else
	atomic_store(&lock, 0);
#endif
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
