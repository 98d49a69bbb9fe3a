/* A compare-exchange that a write of other bytes makes fail: a read depends on it only where it succeeds. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
	_Atomic uint64_t whole;
	_Atomic uint32_t half[2];
	_Atomic uint16_t quarter[4];
} u;

static void *write_half(void *unused)
{
	atomic_store(&u.half[1], 2);
	return 0;
}

static void *compare_exchange(void *unused)
{
	uint64_t expected = 0;
	atomic_compare_exchange_strong(&u.whole, &expected, 1);
	return 0;
}

static void *read_quarter(void *unused)
{
	return (void *)(uintptr_t)atomic_load(&u.quarter[0]);
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, write_half, 0);
	pthread_create(&b, 0, compare_exchange, 0);
	pthread_create(&c, 0, read_quarter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
