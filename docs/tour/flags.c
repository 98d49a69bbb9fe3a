#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int here[2];
int alone[2];

static void *visit(void *number)
{
	long me = (long)number;
	atomic_store_explicit(&here[me], 1, memory_order_relaxed);
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	alone[me] = !atomic_load_explicit(&here[1 - me], memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t visitor[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&visitor[i], NULL, visit, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(visitor[i], NULL);
	assert(!(alone[0] && alone[1]));
	return 0;
}
