/* Locked instructions of x86. -DUNLOCKED: one without lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int word, count;
static volatile long bits;
static int guarded;

static int compare(volatile int *at, int old, int new)
{
	unsigned char done;
	__asm__ __volatile__("lock; cmpxchgl %3, %1; sete %0" : "=q"(done), "+m"(*at), "+a"(old) : "r"(new) : "memory", "cc");
	return done;
}

static int exchange(volatile int *at, int new)
{
	__asm__ __volatile__("xchgl %0, %1" : "+r"(new), "+m"(*at) : : "memory");
	return new;
}

static int add(volatile int *at, int more)
{
	__asm__ __volatile__("lock xaddl %0, %1" : "+r"(more), "+m"(*at) : : "memory", "cc");
	return more;
}

static int set_bit(volatile long *at, long which)
{
	unsigned char was;
	__asm__ __volatile__("lock; btsq %2, %1; setc %0" : "=q"(was), "+m"(*at) : "r"(which) : "memory", "cc");
	return was;
}

static int is_last(volatile int *at)
{
	int zero;
	__asm__ __volatile__("lock decl %0" : "+m"(*at), "=@cce"(zero) : : "memory");
	return zero;
}

static void *work(void *unused)
{
	while (!compare(&word, 0, 1))
		__asm__ __volatile__("pause" : : : "memory");
	guarded++;
	assert(exchange(&word, 0) == 1);
	set_bit(&bits, 5);
#ifdef UNLOCKED
	__asm__ __volatile__("incl %0" : "+m"(count) : : "cc");
#else
	add(&count, 1);
#endif
	return unused;
}

int main(void)
{
	static volatile long row[2];
	pthread_t a, b;
	assert(!set_bit(row, 65) && set_bit(row, 65) && row[1] == 2 && row[0] == 0);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(guarded == 2 && count == 2);
	assert(!is_last(&count) && is_last(&count));
	return 0;
}
