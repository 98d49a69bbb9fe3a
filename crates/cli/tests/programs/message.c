#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int sent;

static void *send(void *nothing)
{
	message = 42;
	atomic_store_explicit(&sent, 1, memory_order_relaxed);
	return nothing;
}

int main(void)
{
	pthread_t sender;
	pthread_create(&sender, NULL, send, NULL);
	int received = atomic_load_explicit(&sent, memory_order_relaxed) ? message : 0;
	pthread_join(sender, NULL);
	return received == 42 ? 0 : received;
}
