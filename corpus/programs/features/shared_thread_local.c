/* Instances of a thread-local variable that other threads access by address. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

_Thread_local int mine = 5;
_Thread_local int other = 6;

static void *reader(void *parents)
{
	assert(mine == 5 && other == 6);
	mine = ++*(int *)parents;
	return NULL;
}

static void *worker(void *parents)
{
	pthread_t t;
	assert(mine == 5 && other == 6);
	mine = *(int *)parents;
	pthread_create(&t, NULL, reader, &mine);
	pthread_join(t, NULL);
	assert(mine == 8 && other == 6);
	return NULL;
}

int main(void)
{
	pthread_t t;
	mine = 7;
	other = 8;
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, worker, &mine);
		pthread_join(t, NULL);
	}
	assert(mine == 7 && other == 8);
	return 0;
}
