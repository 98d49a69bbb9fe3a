/* The atomics of Linux for x86, in the form in which its headers have them. -DPLAIN: without the prefix. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef PLAIN
#define LOCK_PREFIX ""
#else
#define LOCK_PREFIX ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "
#endif

typedef struct {
	int counter;
} atomic_t;

static void atomic_add(int more, atomic_t *v) { asm volatile(LOCK_PREFIX "addl %1,%0" : "+m"(v->counter) : "ir"(more) : "memory"); }

static _Bool atomic_dec_and_test(atomic_t *v)
{
	_Bool is_zero;
	asm volatile(LOCK_PREFIX "decl %[var]\n\t/* output condition code e*/\n" : [var] "+m"(v->counter), "=@cce"(is_zero) : : "memory");
	return is_zero;
}

static _Bool try_cmpxchg(int *at, int *expected, int new)
{
	_Bool done;
	int old = *expected;
	asm volatile("lock; cmpxchgl %[new], %[at]\n\t/* output condition code z*/\n"
		     : "=@ccz"(done), [at] "+m"(*at), [old] "+a"(old)
		     : [new] "r"(new)
		     : "memory");
	if (!done)
		*expected = old;
	return done;
}

static void invert(int *at) { asm volatile(LOCK_PREFIX "notl %0" : "+m"(*at) : : "memory"); }

static void smp_mb(void) { asm volatile("lock; addl $0,-4(%%rsp)" ::: "memory", "cc"); }

static atomic_t count = {2};
static int last, word;

static void *put(void *unused)
{
	int expected = 0;
	if (atomic_dec_and_test(&count))
		last = 1;
	smp_mb();
	while (!try_cmpxchg(&word, &expected, expected + 1))
		;
	return unused;
}

int main(void)
{
	pthread_t a, b;
	int bits = 5;
	invert(&bits);
	assert(bits == ~5);
	atomic_add(3, &count);
	assert(count.counter == 5);
	count.counter = 2;
	pthread_create(&a, NULL, put, NULL);
	pthread_create(&b, NULL, put, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(last == 1 && word == 2 && count.counter == 0);
	return 0;
}
