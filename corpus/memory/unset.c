/* Local variables that have a value on some paths only, or on all that read them. SET says how. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };
struct padded { int i; char c; };
struct fields { unsigned a : 3, b : 5; };

static atomic_int flag;
static struct padded *block;

static void *raise(void *arg)
{
	(void)*(volatile char *)&block->c;
	atomic_store(&flag, 1);
	return arg;
}

static void set_first(struct pair *v) { v->a = 1; }
static void set_padded(struct padded *v) { v->i = 1, v->c = 1; }
static int sum(struct padded v) { return v.i + v.c; }
static void set_fields(struct fields *v) { v->a = 1, v->b = 2; }

static int look(void)
{
	int early = atomic_load(&flag);
#if defined IF
	long v;
	if (early)
		v = 1;
	return v == 1;
#elif defined IF_ELSE
	double v;
	if (early)
		v = 1;
	else
		v = 2;
	return v == 1;
#elif defined CORRELATED
	int v;
	if (early)
		v = 1;
	return early && v == 1;
#elif defined LOOP
	int v;
	for (int i = 0; i < early; i++)
		v = i;
	return v;
#elif defined LOOP_TWICE
	int v;
	for (int i = 0; i < 2; i++)
		v = i;
	return v;
#elif defined SWITCH
	short v;
	switch (early) {
	case 1:
		v = 3;
	}
	return v;
#elif defined POINTER
	int target = 1, *v;
	if (early)
		v = &target;
	return *v;
#elif defined ADDRESS
	int v, *at = &v;
	if (early)
		*at = 1;
	return *at;
#elif defined MEMBER
	struct pair v;
	v.a = 1;
	if (early)
		v.b = 1;
	return v.b;
#elif defined OTHER_MEMBER
	struct pair v, copy;
	v.a = 1;
	copy = v;
	return copy.a;
#elif defined MEMBER_OF_COPY
	struct pair v, copy;
	v.a = 1;
	copy = v;
	return copy.b;
#elif defined PADDING
	struct { char c; int i; } v, copy;
	v.c = 1;
	v.i = 1;
	copy = v;
	return copy.i;
#elif defined BIT_FIELD
	struct { unsigned a : 3, b : 5; } v;
	v.a = 1;
	v.b = 2;
	return v.a;
#elif defined CLEARED
	struct pair v;
	memset(&v, 0, sizeof v);
	return v.b;
#elif defined COPY_OF_PART
	struct pair v, copy;
	set_first(&v);
	copy = v;
	return copy.a;
#elif defined PASSED
	struct padded v;
	set_padded(&v);
	return sum(v);
#elif defined FIELDS_KEPT
	struct fields v;
	set_fields(&v);
	return v.a;
#elif defined SHARED_COPY
	struct padded v = *block;
	return v.i;
#elif defined ELEMENT
	int v[4];
	v[1 + early] = 1;
	return v[2];
#endif
}

int main(void)
{
	pthread_t t;
	block = malloc(sizeof *block);
	set_padded(block);
	pthread_create(&t, NULL, raise, NULL);
	int seen = look() + (sum == NULL || set_first == NULL || set_fields == NULL);
	pthread_join(t, NULL);
	return seen > 3;
}
