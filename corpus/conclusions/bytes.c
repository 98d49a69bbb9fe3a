/* Calls with none or too many bytes, blocks that may not be freed, and blocks that are too large. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

volatile size_t none = 0, all = -1;
char *shared;

void *reader(void *p)
{
	char *q = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
	return q && __atomic_load_n(q, __ATOMIC_RELAXED) ? q : p;
}

int main(void)
{
	pthread_t t;
	char *p = malloc(8);
	pthread_create(&t, 0, reader, 0);
	__atomic_store_n(&shared, p, __ATOMIC_RELEASE);
#ifdef NONE
	memcpy(0, 0, none);
	memset(0, 1, none);
	assert(memcmp(0, 0, none) == 0);
	assert(memchr(0, 1, none) == 0);
#elif defined ALL
	memset(p, 1, all);
#elif defined INSIDE
	free(p + 1);
#elif defined GLOBAL
	free(&shared);
#else
	assert(malloc(2 << 20));
#endif
	pthread_join(t, 0);
	return 0;
}
