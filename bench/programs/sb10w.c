/* CAV 2016, figure 11: Dekker's idiom guards ten stores of each thread to one variable. With -DSYNC at most one thread gets there. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifdef SYNC
#define FENCE() __asm__ volatile("sync" ::: "memory")
#else
#define FENCE() ((void)0)
#endif
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

static atomic_int flag[2], z;

static void *enter(void *number)
{
	long me = (long)number;
	ST(flag[me], 1);
	FENCE();
	if (LD(flag[1 - me]) == 1)
		return NULL;
	for (int i = 0; i < 10; i++)
		ST(z, 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, enter, (void *)1);
	enter((void *)0);
	pthread_join(t, NULL);
	return 0;
}
