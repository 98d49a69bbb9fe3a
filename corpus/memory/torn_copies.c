/* Two threads that only copy a structure as a whole: a copy is not one access, so its members may be of two times. With
   -DRETURNED it is returned in a register, with -DELEMENT an element of an array is passed, which is aligned as a number
   would be, with -DVARIABLE it is a variable argument, with -DBYTES the bytes of an array are copied, with -DHEAP it lies on
   the heap, with -DSTACK in a local variable. With -DLOCKED a mutex protects it; a structure with one member of eight bytes (-DWHOLE) is not taken apart. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef WHOLE
struct pair { long value; };
#define ONE { 0x100000001 }
#define IS_TORN(p) ((int)(p).value != (int)((p).value >> 32))
#elif defined VARIABLE
struct pair { double more[2]; int low, high; };
#define ONE { { 0 }, 1, 1 }
#define IS_TORN(p) ((p).low != (p).high)
#else
struct pair { int low, high; };
#define ONE { 1, 1 }
#define IS_TORN(p) ((p).low != (p).high)
#endif

#if defined HEAP || defined STACK
static struct pair *shared;
#else
static struct pair shared[2];
#endif
static struct pair one = ONE, seen;
static char text[8], ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 }, found[8];
static int which = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef LOCKED
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#else
#define LOCK (void)mutex
#define UNLOCK (void)mutex
#endif

static struct pair get(void)
{
	return shared[0];
}

static struct pair passed(struct pair value)
{
	return value;
}

static struct pair variable(int n, ...)
{
	va_list list;
	va_start(list, n);
	struct pair value = va_arg(list, struct pair);
	va_end(list);
	return value;
}

static void *change(void *arg)
{
	LOCK;
	shared[0] = one;
	shared[which] = one;
	memcpy(text, ones, sizeof text);
	UNLOCK;
	return arg;
}

int main(void)
{
	pthread_t t;
#if defined HEAP
	shared = calloc(2, sizeof *shared);
#elif defined STACK
	struct pair local[2] = { 0 };
	shared = local;
#endif
	pthread_create(&t, NULL, change, NULL);
	LOCK;
#if defined RETURNED
	seen = get();
#elif defined ELEMENT
	seen = passed(shared[which]);
#elif defined VARIABLE
	seen = variable(1, shared[0]);
#elif defined BYTES
	memcpy(found, text, sizeof text);
#else
	seen = shared[0];
#endif
	UNLOCK;
	pthread_join(t, NULL);
	assert(!IS_TORN(seen));
	assert(found[0] == found[7]);
	(void)get, (void)passed, (void)variable;
	return 0;
}
