/* A path that reverses a race leads through one outcome of a choice; the other outcome leads to nothing new from there. */
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);

static atomic_int y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	atomic_store(&y, 3);
	return 0;
}

static void *chooser(void *unused)
{
	pthread_mutex_lock(&lock);
	if (__VERIFIER_nondet_bool())
		atomic_fetch_xor(&y, 1);
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, writer, 0);
	pthread_create(&b, 0, chooser, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
