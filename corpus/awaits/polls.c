/* A thread looks under a lock whether it is its turn, again and again. INSIDE: it leaves the loop while it holds the lock.
   ALONE: the other thread does not take the lock. NEVER: its turn does not come. WRONG: what it finds is claimed to be the
   first of two values. BACKS_OFF: it tries a second lock, which the other thread keeps until the first has got it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
atomic_int turn, both;

static int poll_for_turn(void)
{
	for (;;) {
		pthread_mutex_lock(&gate);
		int found = turn;
#ifdef INSIDE
		if (found)
			break;
		pthread_mutex_unlock(&gate);
#else
		pthread_mutex_unlock(&gate);
		if (found)
			return found;
#endif
	}
	int found = turn;
	pthread_mutex_unlock(&gate);
	return found;
}

static void *waits(void *unused)
{
#ifdef BACKS_OFF
	for (;;) {
		pthread_mutex_lock(&gate);
		if (pthread_mutex_trylock(&kept) == 0)
			break;
		pthread_mutex_unlock(&gate);
	}
	both = 1;
	pthread_mutex_unlock(&kept);
	pthread_mutex_unlock(&gate);
#else
	int found = poll_for_turn();
#ifdef WRONG
	assert(found == 1);
#else
	(void)found;
#endif
#endif
	return unused;
}

static void set(int to)
{
#ifndef ALONE
	pthread_mutex_lock(&gate);
#endif
	turn = to;
#ifndef ALONE
	pthread_mutex_unlock(&gate);
#endif
}

static void *gives(void *unused)
{
#ifdef BACKS_OFF
	pthread_mutex_lock(&kept);
	while (!both)
		;
	pthread_mutex_unlock(&kept);
#elif !defined NEVER
	set(1);
	set(2);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread[2];
	pthread_create(&thread[0], NULL, waits, NULL);
	pthread_create(&thread[1], NULL, gives, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	(void)poll_for_turn, (void)set;
	return 0;
}
