/* Threads that hand over to one another by flags: every loop ends. A thread that has looked too early is parked on a stale value: it can go on, so nobody is stuck. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

atomic_int first, second, third;
sem_t s;

static void *middle(void *arg)
{
	while (!atomic_load(&first))
		;
#ifdef SEMAPHORE
	sem_post(&s);
#else
	atomic_store(&second, 1);
#endif
	while (!atomic_load(&third))
		;
	return arg;
}

int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, middle, NULL);
#ifndef FORGET_FIRST
	atomic_store(&first, 1);
#endif
#ifdef SEMAPHORE
	sem_wait(&s);
#else
	while (!atomic_load(&second))
		;
#endif
#ifndef FORGET_THIRD
	atomic_store(&third, 1);
#endif
	pthread_join(t, NULL);
	return 0;
}
