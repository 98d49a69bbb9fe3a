/* Both threads open a semaphore by its name; it is one. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int data;

static void *post(void *arg)
{
	sem_t *s = sem_open("/ready", 0);
	assert(s != SEM_FAILED);
	data = 1;
	sem_post(s);
	sem_close(s);
	return arg;
}

int main(void)
{
	pthread_t t;
	assert(sem_open("/ready", 0) == SEM_FAILED && errno == ENOENT);
	sem_t *s = sem_open("/ready", O_CREAT | O_EXCL, 0600, 0);
	assert(s != SEM_FAILED);
	assert(sem_open("/ready", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
	pthread_create(&t, NULL, post, NULL);
	sem_wait(s);
	assert(data == 1);
	pthread_join(t, NULL);
	sem_close(s);
	sem_unlink("/ready");
	return 0;
}
