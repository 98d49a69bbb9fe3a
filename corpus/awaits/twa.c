/* A TWA lock: a ticket lock whose threads wait at a place of their own while they are not the next in line (AGAIN: whenever their place has changed they look at the lock again; who finds the lock free does not look twice). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef PLACES
#define PLACES 2
#endif

atomic_int next, serving, place[PLACES];
int count;

static void wait_far(int ticket)
{
	atomic_int *mine = &place[ticket % PLACES];
	int at = atomic_load(mine);
#ifdef AGAIN
	while (ticket - atomic_load(&serving) > 1) {
		int now;
		while ((now = atomic_load(mine)) == at)
			;
		at = now;
	}
	return;
#endif
	if (ticket - atomic_load(&serving) > 1)
		while (atomic_load(mine) == at)
			;
}

static void *worker(void *unused)
{
	int ticket = atomic_fetch_add(&next, 1);
	int ahead = ticket - atomic_load(&serving);
	if (ahead > 1)
		wait_far(ticket);
#ifdef AGAIN
	if (ahead > 0)
#endif
	while (atomic_load(&serving) != ticket)
		;
	count++;
	atomic_store(&serving, ticket + 1);
	atomic_fetch_add(&place[(ticket + 2) % PLACES], 1);
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
