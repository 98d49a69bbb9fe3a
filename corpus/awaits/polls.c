/* A thread looks under a lock whether it is its turn, again and again. INSIDE: it leaves the loop while it holds the lock.
   ALONE: the other thread does not take the lock. NEVER: its turn does not come. WRONG: what it finds is claimed to be the
   first of two values. BACKS_OFF: it tries a second lock, which the other thread keeps until the first has got it. SPIN,
   READS, WRITES: locks that are spin locks, or taken for reading by who looks, or for writing by both. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined SPIN
pthread_spinlock_t gate, kept;
#define LOOK(lock) pthread_spin_lock(lock)
#define LOCK(lock) pthread_spin_lock(lock)
#define TRY(lock) pthread_spin_trylock(lock)
#define UNLOCK(lock) pthread_spin_unlock(lock)
#elif defined READS || defined WRITES
pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER, kept = PTHREAD_RWLOCK_INITIALIZER;
#ifdef READS
#define LOOK(lock) pthread_rwlock_rdlock(lock)
#define TRY(lock) pthread_rwlock_tryrdlock(lock)
#else
#define LOOK(lock) pthread_rwlock_wrlock(lock)
#define TRY(lock) pthread_rwlock_trywrlock(lock)
#endif
#define LOCK(lock) pthread_rwlock_wrlock(lock)
#define UNLOCK(lock) pthread_rwlock_unlock(lock)
#else
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
#define LOOK(lock) pthread_mutex_lock(lock)
#define LOCK(lock) pthread_mutex_lock(lock)
#define TRY(lock) pthread_mutex_trylock(lock)
#define UNLOCK(lock) pthread_mutex_unlock(lock)
#endif
atomic_int turn, both;

static int poll_for_turn(void)
{
	for (;;) {
		LOOK(&gate);
		int found = turn;
#ifdef INSIDE
		if (found)
			break;
		UNLOCK(&gate);
#else
		UNLOCK(&gate);
		if (found)
			return found;
#endif
	}
	int found = turn;
	UNLOCK(&gate);
	return found;
}

static void *waits(void *unused)
{
#ifdef BACKS_OFF
	for (;;) {
		LOOK(&gate);
		if (TRY(&kept) == 0)
			break;
		UNLOCK(&gate);
	}
	both = 1;
	UNLOCK(&kept);
	UNLOCK(&gate);
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
	LOCK(&gate);
#endif
	turn = to;
#ifndef ALONE
	UNLOCK(&gate);
#endif
}

static void *gives(void *unused)
{
#ifdef BACKS_OFF
	LOCK(&kept);
	while (!both)
		;
	UNLOCK(&kept);
#elif !defined NEVER
	set(1);
	set(2);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread[2];
#ifdef SPIN
	pthread_spin_init(&gate, 0);
	pthread_spin_init(&kept, 0);
#endif
	pthread_create(&thread[0], NULL, waits, NULL);
	pthread_create(&thread[1], NULL, gives, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	(void)poll_for_turn, (void)set;
	return 0;
}
