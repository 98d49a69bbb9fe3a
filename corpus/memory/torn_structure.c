/* A structure of two halves in one word is moved through registers, passed, returned, or assigned by way of a local one, while another thread accesses its members: one may be
   new and the other old. With -DLOCKED a mutex protects it; a member of a packed structure (-DPACKED) is one access.
   With -DALIGNED the word in which both halves lie is aligned as a number would be. */
#include <assert.h>
#include <pthread.h>

#ifdef PACKED
struct pair { char before; int low __attribute__((packed)); int high; };
#elif defined ALIGNED
struct pair { int low, high; long more; };
#else
struct pair { int low, high; };
#endif

static struct pair from = {.low = 1, .high = 1}, to;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef LOCKED
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#else
#define LOCK (void)mutex
#define UNLOCK (void)mutex
#endif

static struct pair same(struct pair value)
{
	return value;
}

static void *change(void *arg)
{
	LOCK;
#if defined RETURNED
	to = same(from);
#elif defined LOCAL
	struct pair local = from;
	to = local;
#elif defined PACKED
	to.low = 0x01010101;
#else
	to.low = 1;
	to.high = 1;
#endif
	UNLOCK;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, change, NULL);
	LOCK;
#if defined RETURNED || defined LOCAL
	int low = to.low, high = to.high;
	assert(!low || high);
#elif defined PACKED
	int low = to.low;
	assert(low == 0 || low == 0x01010101);
#else
	struct pair seen = same(to);
	assert(!seen.high || seen.low);
#endif
	UNLOCK;
	pthread_join(t, NULL);
	(void)same;
	(void)from;
	return 0;
}
