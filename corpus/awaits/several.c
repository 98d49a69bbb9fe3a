/* A thread that goes round two flags until one of them is up: it is where it was when it has looked at both. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2];

static void *wait(void *unused)
{
	for (int i = 0; !atomic_load(&flag[i]); i ^= 1)
		;
	return unused;
}

static void *set(void *unused)
{
	atomic_store(&flag[1], 1);
	return unused;
}

int main(void)
{
	pthread_t waits, sets;
	pthread_create(&waits, NULL, wait, NULL);
	pthread_create(&sets, NULL, set, NULL);
	pthread_join(waits, NULL);
	pthread_join(sets, NULL);
	return 0;
}
