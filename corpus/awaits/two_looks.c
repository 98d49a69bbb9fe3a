/* A loop that looks at two flags: it may have found the first one up, which is put down then, and wait for the second one. It
   goes on when it looks again, so that who waits for its lock is in no deadlock. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int first = 1, second = 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait(void *unused)
{
	pthread_mutex_lock(&lock);
	while (atomic_load(&first) && atomic_load(&second) == 1)
		;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *put_down(void *unused)
{
	atomic_store(&first, 0);
	return unused;
}

static void *take(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	void *(*what[])(void *) = { wait, put_down, take };
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, what[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
