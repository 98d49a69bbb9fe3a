/* Every execution stops at an assumption (or at most some: SOME), so nothing was checked behind it. */
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

atomic_int x;

static void *set(void *arg)
{
	atomic_store(&x, 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
#ifdef SOME
	__VERIFIER_assume(atomic_load(&x) == 1);
#else
	__VERIFIER_assume(atomic_load(&x) == 2);
#endif
	pthread_join(t, NULL);
	return 0;
}
