/* Programs with the marks of other checkers. -DDARTAGNAN: those of Dartagnan; else those of GenMC. -DBUG: the reader does not wait. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef DARTAGNAN
#include <dat3m.h>
#else
#include <genmc.h>
#endif

static atomic_int ready;
static int message;

static void *write_it(void *unused)
{
	message = 1;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

static void *read_it(void *unused)
{
#ifdef BUG
	if (!atomic_load_explicit(&ready, memory_order_relaxed))
		return unused;
#elif defined DARTAGNAN
	__VERIFIER_loop_bound(3);
	await_while (!atomic_load_explicit(&ready, memory_order_acquire));
#else
	int seen;
	for (__VERIFIER_loop_begin();
	     __VERIFIER_spin_start(), seen = __VERIFIER_speculative_read(atomic_load_explicit(&ready, memory_order_acquire)),
				     __VERIFIER_spin_end(seen), !seen;)
		;
#endif
	assert(message == 1);
	return unused;
}

int main(void)
{
#ifdef DARTAGNAN
	pthread_t a, b;
	pthread_create(&a, NULL, write_it, NULL);
	pthread_create(&b, NULL, read_it, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	__VERIFIER_assert(message == 1);
#else
	__VERIFIER_thread_t a = __VERIFIER_spawn(write_it, NULL);
	__VERIFIER_thread_t b = __VERIFIER_spawn(read_it, NULL);
	__VERIFIER_thread_t c = __VERIFIER_spawn_symmetric(read_it, NULL, b);
	__VERIFIER_join(a);
	__VERIFIER_join_symmetric(b);
	__VERIFIER_join_symmetric(c);
#endif
	return 0;
}
