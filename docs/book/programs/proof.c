#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void lock(void)
{
	while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
		;
}

static void unlock(void)
{
	atomic_store_explicit(&taken, 0, memory_order_release);
}

static void *work(void *unused)
{
	lock();
	counter++;
	unlock();
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2);
}
