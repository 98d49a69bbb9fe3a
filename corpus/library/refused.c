/* What the library does not have is refused, with exit code 5. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *end(void *arg) { return arg; }

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, end, NULL);
#if defined CANCEL
	pthread_cancel(t);
#elif defined KILL
	pthread_kill(t, SIGUSR1);
#elif defined TRYJOIN
	pthread_tryjoin_np(t, NULL);
#elif defined ROBUST
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
#elif defined FORK
	fork();
#endif
	pthread_join(t, NULL);
	return 0;
}
