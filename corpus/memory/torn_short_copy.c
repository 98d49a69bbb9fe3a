/* WRITE changes a few shared bytes while another thread reads the first and the last of them, one by one or (-DCOPIED) by a copy of its own: the first may be new
   and the last still old, wherever they lie in their word (-DFROM=n). With -DLOCKED a mutex protects them. An aligned word that is copied and read as a
   whole (-DWORD) is not torn. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef WORD
static long shared;
typedef long copied;
#define FIRST(v) ((v) & 0xff)
#define LAST(v) ((v) >> 56 & 0xff)
#else
#ifndef FROM
#define FROM 0
#endif
#define N 3
static struct { _Alignas(8) char before[FROM + 1], bytes[8 - FROM]; } room;
#define shared (room.bytes)
typedef struct { char bytes[N]; } copied;
#define FIRST(v) ((v).bytes[0])
#define LAST(v) ((v).bytes[N - 1])
#endif

#ifndef WRITE
#define WRITE memcpy(shared, "\1\1\1", 3)
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef LOCKED
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#else
#define LOCK (void)mutex
#define UNLOCK (void)mutex
#endif

static void *change(void *arg)
{
	static const long ones = 0x0101010101010101;
	LOCK;
	WRITE;
	UNLOCK;
	(void)ones;
	return arg;
}

int main(void)
{
	pthread_t t;
	copied seen;
	pthread_create(&t, NULL, change, NULL);
	LOCK;
#ifdef WORD
	seen = shared;
#elif defined COPIED
	memcpy(&seen, shared, N);
#else
	FIRST(seen) = shared[0];
	LAST(seen) = shared[N - 1];
#endif
	UNLOCK;
	assert(!FIRST(seen) || LAST(seen));
	pthread_join(t, NULL);
	return 0;
}
