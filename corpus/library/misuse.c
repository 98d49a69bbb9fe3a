/* Each WHAT does something that POSIX leaves undefined. Refuted. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem;
static mtx_t mtx;
static cnd_t cnd;
static pthread_t first, second;

static void *end(void *arg) { return arg; }
static int finish(void *arg) { return arg != NULL; }

#define IN_THREAD(name, what) static void *name(void *arg) { what; return arg; }
#define RUN(name) do { pthread_create(&second, NULL, name, NULL); pthread_join(second, NULL); } while (0)

IN_THREAD(unlock_mutex, pthread_mutex_unlock(&mutex))
IN_THREAD(unlock_mtx, mtx_unlock(&mtx))
IN_THREAD(unlock_spin, pthread_spin_unlock(&spin))
IN_THREAD(unlock_rwlock, pthread_rwlock_unlock(&rwlock))
IN_THREAD(destroy_mutex, pthread_mutex_destroy(&mutex))
IN_THREAD(wait_cond, pthread_cond_wait(&cond, &mutex))
IN_THREAD(timedwait_cond, pthread_cond_timedwait(&cond, &mutex, &(struct timespec){ 0 }))
IN_THREAD(wait_properly, pthread_mutex_lock(&mutex); pthread_cond_wait(&cond, &mutex); pthread_mutex_unlock(&mutex))
IN_THREAD(wait_barrier, pthread_barrier_wait(&barrier))
IN_THREAD(wait_sem, sem_wait(&sem))
IN_THREAD(join_first, pthread_join(first, NULL))
IN_THREAD(detach_first, pthread_detach(first))
IN_THREAD(join_self, pthread_join(pthread_self(), NULL))
IN_THREAD(detach_self, pthread_detach(pthread_self()))

int main(void)
{
	pthread_spin_init(&spin, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&sem, 0, 0);
	mtx_init(&mtx, mtx_plain);
	cnd_init(&cnd);
#if defined LOCK_DESTROYED
	pthread_mutex_destroy(&mutex); pthread_mutex_lock(&mutex);
#elif defined TRYLOCK_DESTROYED
	pthread_mutex_destroy(&mutex); pthread_mutex_trylock(&mutex);
#elif defined UNLOCK_DESTROYED
	pthread_mutex_destroy(&mutex); pthread_mutex_unlock(&mutex);
#elif defined DESTROY_DESTROYED
	pthread_mutex_destroy(&mutex); pthread_mutex_destroy(&mutex);
#elif defined MTX_LOCK_DESTROYED
	mtx_destroy(&mtx); mtx_lock(&mtx);
#elif defined RDLOCK_DESTROYED
	pthread_rwlock_destroy(&rwlock); pthread_rwlock_rdlock(&rwlock);
#elif defined WRLOCK_DESTROYED
	pthread_rwlock_destroy(&rwlock); pthread_rwlock_wrlock(&rwlock);
#elif defined TRYRDLOCK_DESTROYED
	pthread_rwlock_destroy(&rwlock); pthread_rwlock_tryrdlock(&rwlock);
#elif defined RWLOCK_DESTROY_DESTROYED
	pthread_rwlock_destroy(&rwlock); pthread_rwlock_destroy(&rwlock);
#elif defined SPIN_DESTROYED
	pthread_spin_destroy(&spin); pthread_spin_lock(&spin);
#elif defined SPIN_TRY_DESTROYED
	pthread_spin_destroy(&spin); pthread_spin_trylock(&spin);
#elif defined SIGNAL_DESTROYED
	pthread_cond_destroy(&cond); pthread_cond_signal(&cond);
#elif defined BROADCAST_DESTROYED
	pthread_cond_destroy(&cond); pthread_cond_broadcast(&cond);
#elif defined WAIT_DESTROYED
	pthread_cond_destroy(&cond); RUN(wait_properly);
#elif defined CND_DESTROYED
	cnd_destroy(&cnd); cnd_signal(&cnd);
#elif defined COND_DESTROY_DESTROYED
	pthread_cond_destroy(&cond); pthread_cond_destroy(&cond);
#elif defined SEM_WAIT_DESTROYED
	sem_destroy(&sem); sem_wait(&sem);
#elif defined SEM_POST_DESTROYED
	sem_destroy(&sem); sem_post(&sem);
#elif defined SEM_TRY_DESTROYED
	sem_destroy(&sem); sem_trywait(&sem);
#elif defined SEM_DESTROY_WAITED
	pthread_create(&first, NULL, wait_sem, NULL); sem_destroy(&sem); pthread_join(first, NULL);
#elif defined BARRIER_DESTROYED
	pthread_barrier_destroy(&barrier); pthread_barrier_wait(&barrier);
#elif defined BARRIER_DESTROY_DESTROYED
	pthread_barrier_destroy(&barrier); pthread_barrier_destroy(&barrier);
#elif defined BARRIER_DESTROY_WAITED
	pthread_create(&first, NULL, wait_barrier, NULL); pthread_barrier_destroy(&barrier); pthread_join(first, NULL);
#elif defined COND_DESTROY_WAITED
	pthread_create(&first, NULL, wait_properly, NULL); pthread_cond_destroy(&cond); pthread_join(first, NULL);
#elif defined DESTROY_LOCKED
	pthread_mutex_lock(&mutex); RUN(destroy_mutex);
#elif defined DESTROY_READ_LOCKED
	pthread_rwlock_rdlock(&rwlock); pthread_rwlock_destroy(&rwlock);
#elif defined DESTROY_SPINNED
	pthread_spin_lock(&spin); pthread_spin_destroy(&spin);
#elif defined UNLOCK_UNLOCKED
	pthread_mutex_unlock(&mutex);
#elif defined UNLOCK_TWICE
	pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); pthread_mutex_unlock(&mutex);
#elif defined UNLOCK_ANOTHERS
	pthread_mutex_lock(&mutex); RUN(unlock_mutex);
#elif defined MTX_UNLOCK_ANOTHERS
	mtx_lock(&mtx); RUN(unlock_mtx);
#elif defined SPIN_UNLOCK_ANOTHERS
	pthread_spin_lock(&spin); RUN(unlock_spin);
#elif defined SPIN_UNLOCK_UNLOCKED
	pthread_spin_unlock(&spin);
#elif defined RWLOCK_UNLOCK_ANOTHERS
	pthread_rwlock_wrlock(&rwlock); RUN(unlock_rwlock);
#elif defined RWLOCK_UNLOCK_UNLOCKED
	pthread_rwlock_unlock(&rwlock);
#elif defined RWLOCK_UNLOCK_TWICE
	pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock); pthread_rwlock_unlock(&rwlock);
#elif defined WAIT_NOT_HELD
	RUN(wait_cond);
#elif defined WAIT_ANOTHERS
	pthread_mutex_lock(&mutex); RUN(wait_cond);
#elif defined TIMEDWAIT_NOT_HELD
	RUN(timedwait_cond);
#elif defined JOIN_TWICE
	pthread_create(&first, NULL, end, NULL); pthread_join(first, NULL); pthread_join(first, NULL);
#elif defined JOIN_DETACHED
	pthread_create(&first, NULL, end, NULL); pthread_detach(first); pthread_join(first, NULL);
#elif defined JOIN_CREATED_DETACHED
	pthread_attr_t attr;
	pthread_attr_init(&attr); pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&first, &attr, end, NULL); pthread_join(first, NULL);
#elif defined JOIN_SELF
	RUN(join_self);
#elif defined JOIN_SELF_DETACHED
	pthread_create(&first, NULL, detach_self, NULL); pthread_join(first, NULL);
#elif defined JOIN_BY_TWO
	pthread_create(&first, NULL, end, NULL); pthread_create(&second, NULL, join_first, NULL);
	pthread_join(first, NULL); pthread_join(second, NULL);
#elif defined JOIN_AFTER_ANOTHER
	pthread_create(&first, NULL, end, NULL); RUN(join_first); pthread_join(first, NULL);
#elif defined DETACH_AFTER_ANOTHER
	pthread_create(&first, NULL, end, NULL); RUN(join_first); pthread_detach(first);
#elif defined DETACH_BY_TWO
	pthread_create(&first, NULL, end, NULL); RUN(detach_first); pthread_detach(first);
#elif defined DETACH_JOINED
	pthread_create(&first, NULL, end, NULL); pthread_join(first, NULL); pthread_detach(first);
#elif defined DETACH_TWICE
	pthread_create(&first, NULL, end, NULL); pthread_detach(first); pthread_detach(first);
#elif defined THRD_JOIN_DETACHED
	thrd_t t;
	thrd_create(&t, finish, NULL); thrd_detach(t); thrd_join(t, NULL);
#elif defined THRD_JOIN_TWICE
	thrd_t t;
	thrd_create(&t, finish, NULL); thrd_join(t, NULL); thrd_join(t, NULL);
#elif defined NEVER_INITIALISED
	pthread_mutex_t *m = malloc(sizeof *m);
	pthread_mutex_lock(m);
#elif defined LOCAL_NEVER_INITIALISED
	pthread_mutex_t m;
	pthread_mutex_lock(&m);
#elif defined RWLOCK_NEVER_INITIALISED
	pthread_rwlock_t *l = malloc(sizeof *l);
	pthread_rwlock_rdlock(l);
#elif defined COND_NEVER_INITIALISED
	pthread_cond_t *c = malloc(sizeof *c);
	pthread_cond_signal(c);
#elif defined SEM_NEVER_INITIALISED
	sem_t *s = malloc(sizeof *s);
	sem_post(s);
#elif defined SPIN_NEVER_INITIALISED
	pthread_spinlock_t *s = malloc(sizeof *s);
	pthread_spin_lock((pthread_spinlock_t *)s);
#elif defined SHARED_NEVER_INITIALISED
	static pthread_mutex_t *shared;
	shared = malloc(sizeof *shared);
	pthread_create(&first, NULL, (void *(*)(void *))pthread_mutex_trylock, shared);
	pthread_mutex_lock(shared);
#elif defined LOCK_TWICE
	pthread_mutex_lock(&mutex); pthread_mutex_lock(&mutex);
#elif defined SPIN_TWICE
	pthread_spin_lock(&spin); pthread_spin_lock(&spin);
#elif defined WRITE_WHILE_READING
	pthread_rwlock_rdlock(&rwlock); pthread_rwlock_wrlock(&rwlock);
#elif defined READ_WHILE_WRITING
	pthread_rwlock_wrlock(&rwlock); pthread_rwlock_rdlock(&rwlock);
#endif
	return 0;
}
