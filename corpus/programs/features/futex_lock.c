/* A lock by futex: 0 free, 1 held, 2 held and waited for (Drepper 2011). Who
 * unlocks wakes only when it was 2 (-DFORGET=1 never wakes). */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifndef FORGET
#define FORGET 0
#endif

atomic_int lock;
int counter;

static void *worker(void *arg)
{
	int seen = 0;
	if (!atomic_compare_exchange_strong(&lock, &seen, 1)) {
		if (seen != 2)
			seen = atomic_exchange(&lock, 2);
		while (seen != 0) {
			syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, NULL);
			seen = atomic_exchange(&lock, 2);
		}
	}
	counter++;
	if (atomic_fetch_sub(&lock, 1) != 1) {
		atomic_store(&lock, 0);
		if (!FORGET)
			syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1);
	}
	return arg;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, NULL, worker, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	assert(counter == 2);
	return 0;
}
