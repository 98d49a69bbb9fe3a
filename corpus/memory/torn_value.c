/* A value of several words is written while it is read, as NUMBER or STRUCTURE: half of it may be old. With -DATOMIC it is one access of 16 bytes, with -DLOCKED a mutex
   protects it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef STRUCTURE
typedef struct { long low, middle, high; } value;
#define MADE ((value){1, 1, 1})
#define HALVES(v) ((v).low == (v).high)
static value same(value v) { return v; }
#else
typedef unsigned __int128 value;
#define MADE (~(value)0)
#define HALVES(v) ((unsigned long)(v) == (unsigned long)((v) >> 64))
static value same(value v) { return v; }
#endif

#ifdef ATOMIC
static _Atomic value shared;
#else
static value shared;
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef LOCKED
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#else
#define LOCK (void)mutex
#define UNLOCK (void)mutex
#endif

static void *make(void *arg)
{
	LOCK;
	shared = MADE;
	UNLOCK;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, make, NULL);
	LOCK;
	value seen = same(shared);
	UNLOCK;
	assert(HALVES(seen));
	pthread_join(t, NULL);
	return 0;
}
