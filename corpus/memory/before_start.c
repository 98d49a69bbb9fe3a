// An access before the start of an object is out of bounds, whatever lies there.
#include <pthread.h>
#include <stdlib.h>

int first, second;
_Thread_local int mine;
int *shared;
volatile int one = 1;

static void *other(void *unused)
{
	shared[-one] = 2;
	return unused;
}

int main(void)
{
	pthread_t thread;
	int local = 0, *block = malloc(12), *gone = malloc(4);
	free(gone);
	int *last = malloc(4);
	shared = SHARED;
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
	return local + *block + *last + mine;
}
