/* Pointers of every kind go through an int: the lower 32 bits of none are all zero. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int word;
static char large[3000000];
static _Alignas(4096) char page[4096];
static __thread int own;

static void check_locals(void)
{
	int local;
	char array[600000];
	int *volatile at = &local;
	char *volatile first = array;
	assert((int)(long)at && (int)(long)first && (int)(long)&own);
}

static void *check(void *arg)
{
	assert((int)(long)&word && (int)(long)large && (int)(long)&large[sizeof large - 1] && (unsigned)(uintptr_t)check);
	assert((int)(long)page && (uintptr_t)page % 4096 == 0);
	check_locals();
	for (int i = 0; i < 4100; i++) {
		char *block = malloc(i == 7 ? 3000000 : 3);
		assert((int)(long)block);
		free(block);
	}
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, check, NULL);
	assert((int)t && (int)pthread_self());
	pthread_join(t, NULL);
	return 0;
}
