// A pointer is written in two halves and read as a whole, one after the other. Where the read cannot be run because it
// is made of parts, what it would have given must not go wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int target = 1;
static _Atomic uint64_t whole;

static void *look(void *unused)
{
	(void)unused;
	int *found = (int *)(uintptr_t)atomic_load(&whole);
	assert(*found == 1);
	return NULL;
}

static void *touch(void *unused)
{
	(void)unused;
	atomic_store((_Atomic uint32_t *)&whole + 1, (uint32_t)((uint64_t)(uintptr_t)&target >> 32));
	return NULL;
}

int main(void)
{
	pthread_t looker, toucher;
	atomic_store((_Atomic uint32_t *)&whole, (uint32_t)(uintptr_t)&target);
	pthread_create(&toucher, NULL, touch, NULL);
	pthread_join(toucher, NULL);
	pthread_create(&looker, NULL, look, NULL);
	pthread_join(looker, NULL);
	return 0;
}
