/* A thread joins another while it holds the lock that the other wants: a deadlock, although main fails an assumption. */
#include <pthread.h>

extern void __VERIFIER_assume(int);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *inner(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *outer(void *arg)
{
	pthread_t t;
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, inner, NULL);
#ifdef RIGHT
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
#else
	pthread_join(t, NULL);
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, outer, NULL);
	__VERIFIER_assume(0);
	return 0;
}
