#include <pthread.h>

pthread_mutex_t fork[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *number)
{
	long me = (long)number;
	pthread_mutex_lock(&fork[me]);
	pthread_mutex_lock(&fork[1 - me]);
	pthread_mutex_unlock(&fork[1 - me]);
	pthread_mutex_unlock(&fork[me]);
	return NULL;
}

int main(void)
{
	pthread_t guest[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&guest[i], NULL, dine, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(guest[i], NULL);
	return 0;
}
