/* Store buffering in which a call of the library is all that stands between the store and the load of each thread. Under TSO and PSO it is refuted exactly where the call has no
   locked instruction, under RA everywhere. (docs/library-order.md has the table.) */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static atomic_int x, y;
static int seen[2];

/* Each thread has objects of its own, so that nothing but the call is between. */
struct objects {
	pthread_mutex_t mutex, recursive;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_cond_t cond;
	pthread_once_t once;
	pthread_barrier_t barrier;
	pthread_t other;
	pthread_key_t key;
	sem_t sem;
	mtx_t mtx;
	cnd_t cnd;
	once_flag flag;
	int count;
} own[2];

static struct timespec soon;

static void nothing(void) {}
static void *end(void *arg) { return arg; }

/* FIRST is done by main before the threads begin, BEFORE by each thread before its store, CALL between store and load. */
#define FIRST(o)
#define BEFORE(o)
#define CALL(o)

#if defined MUTEX_LOCK
#undef CALL
#define CALL(o) pthread_mutex_lock(&o->mutex)
#elif defined MUTEX_UNLOCK
#undef BEFORE
#define BEFORE(o) pthread_mutex_lock(&o->mutex)
#undef CALL
#define CALL(o) pthread_mutex_unlock(&o->mutex)
#elif defined MUTEX_TRYLOCK
#undef CALL
#define CALL(o) pthread_mutex_trylock(&o->mutex)
#elif defined MUTEX_TRYLOCK_FAILS
#undef FIRST
#define FIRST(o) pthread_mutex_lock(&o->mutex)
#undef CALL
#define CALL(o) pthread_mutex_trylock(&o->mutex)
#elif defined MUTEX_TIMEDLOCK_FAILS
#undef FIRST
#define FIRST(o) pthread_mutex_lock(&o->mutex)
#undef CALL
#define CALL(o) pthread_mutex_timedlock(&o->mutex, &soon)
#elif defined MUTEX_LOCK_AGAIN
#undef BEFORE
#define BEFORE(o) pthread_mutex_lock(&o->recursive)
#undef CALL
#define CALL(o) pthread_mutex_lock(&o->recursive)
#elif defined MUTEX_UNLOCK_ONE
#undef BEFORE
#define BEFORE(o) do { pthread_mutex_lock(&o->recursive); pthread_mutex_lock(&o->recursive); } while (0)
#undef CALL
#define CALL(o) pthread_mutex_unlock(&o->recursive)
#elif defined MUTEX_INIT
#undef CALL
#define CALL(o) pthread_mutex_init(&o->mutex, NULL)
#elif defined MUTEX_DESTROY
#undef CALL
#define CALL(o) pthread_mutex_destroy(&o->mutex)
#elif defined RDLOCK
#undef CALL
#define CALL(o) pthread_rwlock_rdlock(&o->rwlock)
#elif defined WRLOCK
#undef CALL
#define CALL(o) pthread_rwlock_wrlock(&o->rwlock)
#elif defined RDUNLOCK
#undef BEFORE
#define BEFORE(o) pthread_rwlock_rdlock(&o->rwlock)
#undef CALL
#define CALL(o) pthread_rwlock_unlock(&o->rwlock)
#elif defined WRUNLOCK
#undef BEFORE
#define BEFORE(o) pthread_rwlock_wrlock(&o->rwlock)
#undef CALL
#define CALL(o) pthread_rwlock_unlock(&o->rwlock)
#elif defined TRYRDLOCK_FAILS
#undef FIRST
#define FIRST(o) pthread_rwlock_wrlock(&o->rwlock)
#undef CALL
#define CALL(o) pthread_rwlock_tryrdlock(&o->rwlock)
#elif defined TRYWRLOCK_FAILS
#undef FIRST
#define FIRST(o) pthread_rwlock_rdlock(&o->rwlock)
#undef CALL
#define CALL(o) pthread_rwlock_trywrlock(&o->rwlock)
#elif defined TIMEDWRLOCK_FAILS
#undef FIRST
#define FIRST(o) pthread_rwlock_rdlock(&o->rwlock)
#undef CALL
#define CALL(o) pthread_rwlock_timedwrlock(&o->rwlock, &soon)
#elif defined SPIN_LOCK
#undef CALL
#define CALL(o) pthread_spin_lock(&o->spin)
#elif defined SPIN_UNLOCK
#undef BEFORE
#define BEFORE(o) pthread_spin_lock(&o->spin)
#undef CALL
#define CALL(o) pthread_spin_unlock(&o->spin)
#elif defined SPIN_TRYLOCK
#undef CALL
#define CALL(o) pthread_spin_trylock(&o->spin)
#elif defined SPIN_TRYLOCK_FAILS
#undef FIRST
#define FIRST(o) pthread_spin_lock(&o->spin)
#undef CALL
#define CALL(o) pthread_spin_trylock(&o->spin)
#elif defined SEM_WAIT
#undef CALL
#define CALL(o) sem_wait(&o->sem)
#elif defined SEM_POST
#undef CALL
#define CALL(o) sem_post(&o->sem)
#elif defined SEM_TRYWAIT
#undef CALL
#define CALL(o) sem_trywait(&o->sem)
#elif defined SEM_TRYWAIT_FAILS
#undef FIRST
#define FIRST(o) sem_wait(&o->sem)
#undef CALL
#define CALL(o) sem_trywait(&o->sem)
#elif defined SEM_TIMEDWAIT_FAILS
#undef FIRST
#define FIRST(o) sem_wait(&o->sem)
#undef CALL
#define CALL(o) sem_timedwait(&o->sem, &soon)
#elif defined SEM_GETVALUE
#undef CALL
#define CALL(o) sem_getvalue(&o->sem, &o->count)
#elif defined SEM_OPEN
#undef FIRST
#define FIRST(o) sem_open("/order", O_CREAT, 0600, 1)
#undef CALL
#define CALL(o) sem_open("/order", 0)
#elif defined COND_SIGNAL
#undef CALL
#define CALL(o) pthread_cond_signal(&o->cond)
#elif defined COND_BROADCAST
#undef CALL
#define CALL(o) pthread_cond_broadcast(&o->cond)
#elif defined COND_TIMEDWAIT
#undef BEFORE
#define BEFORE(o) pthread_mutex_lock(&o->mutex)
#undef CALL
#define CALL(o) pthread_cond_timedwait(&o->cond, &o->mutex, &soon)
#elif defined ONCE
#undef CALL
#define CALL(o) pthread_once(&o->once, nothing)
#elif defined ONCE_DONE
#undef FIRST
#define FIRST(o) pthread_once(&o->once, nothing)
#undef CALL
#define CALL(o) pthread_once(&o->once, nothing)
#elif defined BARRIER_WAIT
#undef CALL
#define CALL(o) pthread_barrier_wait(&o->barrier)
#elif defined CREATE
#undef CALL
#define CALL(o) pthread_create(&o->other, NULL, end, NULL)
#elif defined JOIN
#undef FIRST
#define FIRST(o) pthread_create(&o->other, NULL, end, NULL)
#undef CALL
#define CALL(o) pthread_join(o->other, NULL)
#elif defined DETACH
#undef FIRST
#define FIRST(o) pthread_create(&o->other, NULL, end, NULL)
#undef CALL
#define CALL(o) pthread_detach(o->other)
#elif defined SELF
#undef CALL
#define CALL(o) pthread_equal(pthread_self(), o->other)
#elif defined SPECIFIC
#undef FIRST
#define FIRST(o) pthread_key_create(&o->key, NULL)
#undef CALL
#define CALL(o) pthread_setspecific(o->key, pthread_getspecific(o->key))
#elif defined YIELD
#undef CALL
#define CALL(o) sched_yield()
#elif defined MTX_LOCK
#undef CALL
#define CALL(o) mtx_lock(&o->mtx)
#elif defined MTX_UNLOCK
#undef BEFORE
#define BEFORE(o) mtx_lock(&o->mtx)
#undef CALL
#define CALL(o) mtx_unlock(&o->mtx)
#elif defined MTX_TRYLOCK_FAILS
#undef FIRST
#define FIRST(o) mtx_lock(&o->mtx)
#undef CALL
#define CALL(o) mtx_trylock(&o->mtx)
#elif defined CND_SIGNAL
#undef CALL
#define CALL(o) cnd_signal(&o->cnd)
#elif defined CALL_ONCE_DONE
#undef FIRST
#define FIRST(o) call_once(&o->flag, nothing)
#undef CALL
#define CALL(o) call_once(&o->flag, nothing)
#endif

static void *thread(void *arg)
{
	int n = arg != NULL;
	struct objects *o = &own[n];
	BEFORE(o);
	atomic_store_explicit(n ? &y : &x, 1, memory_order_relaxed);
	CALL(o);
	seen[n] = atomic_load_explicit(n ? &x : &y, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	for (int i = 0; i < 2; i++) {
		struct objects *o = &own[i];
		pthread_mutex_init(&o->mutex, NULL);
		pthread_mutex_init(&o->recursive, &recursive);
		pthread_rwlock_init(&o->rwlock, NULL);
		pthread_spin_init(&o->spin, 0);
		pthread_cond_init(&o->cond, NULL);
		o->once = PTHREAD_ONCE_INIT;
		pthread_barrier_init(&o->barrier, NULL, 1);
		sem_init(&o->sem, 0, 1);
		mtx_init(&o->mtx, mtx_plain);
		cnd_init(&o->cnd);
		FIRST(o);
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, i ? t : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(seen[0] || seen[1]);
	return 0;
}
