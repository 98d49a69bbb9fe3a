/* Two threads take two locks in opposite order. Each then waits for what the other holds: a deadlock, whatever main does. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

#if defined(SPIN_LOCKS)
typedef pthread_spinlock_t lock_t;
#define INIT(l) pthread_spin_init(l, 0)
#define LOCK(l) pthread_spin_lock(l)
#define UNLOCK(l) pthread_spin_unlock(l)
#elif defined(WRITE_LOCKS)
typedef pthread_rwlock_t lock_t;
#define INIT(l) pthread_rwlock_init(l, NULL)
#define LOCK(l) pthread_rwlock_wrlock(l)
#define UNLOCK(l) pthread_rwlock_unlock(l)
#else
typedef pthread_mutex_t lock_t;
#define INIT(l) pthread_mutex_init(l, NULL)
#define LOCK(l) pthread_mutex_lock(l)
#define UNLOCK(l) pthread_mutex_unlock(l)
#endif

lock_t a, b;
atomic_int flag, done;

static void take(lock_t *first, lock_t *second)
{
	LOCK(first);
	LOCK(second);
	UNLOCK(second);
	UNLOCK(first);
	atomic_fetch_add(&done, 1);
}

static void *ab(void *arg)
{
	take(&a, &b);
	return arg;
}

static void *ba(void *arg)
{
#ifdef SAME_ORDER
	take(&a, &b);
#else
	take(&b, &a);
#endif
	return arg;
}

#ifdef STALE
static void *wait_for_flag(void *arg)
{
	while (!atomic_load(&flag))
		;
	return arg;
}
#endif

int main(void)
{
	pthread_t t, u;
	INIT(&a);
	INIT(&b);
	pthread_create(&t, NULL, ab, NULL);
	pthread_create(&u, NULL, ba, NULL);
#if defined(STALE)
	pthread_t w;
	pthread_create(&w, NULL, wait_for_flag, NULL);
	atomic_store(&flag, 1);
#elif defined(ASSUME)
	__VERIFIER_assume(atomic_load(&flag));
#elif defined(EXIT)
	exit(0);
#elif defined(LOOP)
	for (int i = 0; i < 5; i++)
		atomic_store(&flag, i);
#elif defined(SPIN)
	while (atomic_load(&done) < 2)
		;
#else
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#endif
	return 0;
}
