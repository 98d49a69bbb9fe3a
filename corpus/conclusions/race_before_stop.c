/* Two stores that nothing orders, before one of the threads stops for some reason: the race has happened. BEHIND: it stands behind the assumption and never happens. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

#ifdef RIGHT
atomic_int d;
#else
int d;
#endif
atomic_int flag;
sem_t s;

static void *work(void *arg)
{
#ifdef BEHIND
	__VERIFIER_assume(atomic_load(&flag));
#endif
	d = 1;
#if defined(ASSUME)
	__VERIFIER_assume(atomic_load(&flag));
#elif defined(LOOP)
	for (int i = 0; i < 9; i++)
		atomic_store(&flag, i);
#elif defined(WAIT)
	sem_wait(&s);
#elif defined(UNSUPPORTED)
	fork();
#elif defined(ENDLESS)
	for (unsigned i = 1; i != 0; i ^= 2)
		;
#else
	while (!atomic_load(&flag))
		;
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, work, NULL);
	d = 2;
	pthread_join(t, NULL);
	return 0;
}
