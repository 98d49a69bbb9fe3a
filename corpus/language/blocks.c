/* Blocks that are one step. -DLOOP: a lock that is tried again and again. -DHALF: the second half of a change is outside of the block.
 * -DOUTSIDE: what is not in a block sees the block done or not begun. -DFAILS: a block in which an assumption fails has done nothing.
 * -DRETURNS: a thread ends in a block. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int m, x, y;

static void __VERIFIER_atomic_acquire(void)
{
	__VERIFIER_assume(m == 0);
	m = 1;
}

static void __VERIFIER_atomic_release(void)
{
	assert(m == 1);
	m = 0;
}

static void lock(void)
{
#ifdef LOOP
	for (int done = 0; !done;) {
		__VERIFIER_atomic_begin();
		done = m == 0;
		if (done)
			m = 1;
		__VERIFIER_atomic_end();
	}
#else
	__VERIFIER_atomic_acquire();
#endif
}

static void *count(void *unused)
{
	lock();
	x++;
	__VERIFIER_atomic_release();
	return unused;
}

static void *change(void *unused)
{
	__VERIFIER_atomic_begin();
	x = 1;
#ifdef FAILS
	__VERIFIER_assume(0);
#endif
#ifdef RETURNS
	return unused;
#endif
#ifdef HALF
	__VERIFIER_atomic_end();
	y = 1;
#else
	y = 1;
	__VERIFIER_atomic_end();
#endif
	return unused;
}

static void *look(void *unused)
{
#ifdef OUTSIDE
	int b = y, a = x;
	assert(!b || a);
#else
	__VERIFIER_atomic_begin();
	assert(x == y);
	__VERIFIER_atomic_end();
#endif
	return unused;
}

#ifndef FIRST
#define FIRST count
#define SECOND count
#endif

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, FIRST, NULL);
	pthread_create(&b, NULL, SECOND, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	(void)change, (void)look, (void)count;
	assert(FIRST != count || x == 2);
	return 0;
}
