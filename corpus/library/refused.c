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
#if defined KILL
	pthread_kill(t, SIGUSR1);
#elif defined FORK
	fork();
#endif
	pthread_join(t, NULL);
	return 0;
}
