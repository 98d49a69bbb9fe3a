/* Values that the program leaves open, with and without a range. -DFAULT: one of them is wrong. -DBOOL: nothing is left
 * out. -DFLOAT, -DPOINTER: something always is. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);

static int shared;

static void *add(void *unused)
{
	shared += __VERIFIER_nondet_bool();
	return unused;
}

int main(void)
{
	pthread_t other;
#ifdef BOOL
	int value = __VERIFIER_nondet_bool();
#elif defined FLOAT
	double value = __VERIFIER_nondet_double();
#elif defined POINTER
	assert(!__VERIFIER_nondet_pointer());
	int value = 1;
#else
	int value = __VERIFIER_nondet_int();
	assert(__VERIFIER_nondet_uchar() <= 255);
#endif
	pthread_create(&other, 0, add, 0);
	pthread_join(other, 0);
#ifdef FAULT
	assert(value != 3 || !shared);
#else
	assert(value == value && shared <= 1);
#endif
	return 0;
}
