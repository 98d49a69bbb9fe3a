/* Several threads open the same semaphore by name: one creates it, with its count, and no post is lost. Verified; with -DEXCLUSIVE exactly one creates it. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int created;

static void *thread(void *arg)
{
#ifdef EXCLUSIVE
	sem_t *s = sem_open("/one", O_CREAT | O_EXCL, 0600, 1);
	if (s != SEM_FAILED)
		atomic_fetch_add(&created, 1);
	else
		assert(errno == EEXIST);
	s = sem_open("/one", 0);
	assert(s != SEM_FAILED);
#else
	sem_t *s = sem_open("/one", O_CREAT, 0600, 1);
#endif
	sem_wait(s);
	sem_post(s);
	sem_post(s);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int value;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	sem_t *s = sem_open("/one", 0);
	assert(s != SEM_FAILED && sem_getvalue(s, &value) == 0 && value == 3);
#ifdef EXCLUSIVE
	assert(created == 1);
#endif
	return 0;
}
