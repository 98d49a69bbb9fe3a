/* Plain accesses of several sizes to the same bytes: a number that is looked at byte by byte, and bytes that are cleared
   as a whole, handed over by a lock or by a flag. Without the lock (-DUNLOCKED) they race; who takes plain accesses as
   they come may see the number half done. An atomic word that is cleared by plain bytes before it is published, and
   looked at as a word from then on (-DPUBLISHED). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static union {
	uint64_t whole;
	uint8_t bytes[8];
	struct { uint32_t low, high; } halves;
} number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static struct { uint8_t kind; uint8_t rest[3]; } seen;

static void *writer(void *arg)
{
#ifndef UNLOCKED
	pthread_mutex_lock(&lock);
#endif
	number.whole = 0x0101010101010101;
	number.bytes[2]++;
#ifndef UNLOCKED
	pthread_mutex_unlock(&lock);
#endif
#ifdef PUBLISHED
	memset(&seen, 7, sizeof seen);
	atomic_store_explicit(&ready, 1, memory_order_release);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
#ifndef UNLOCKED
	pthread_mutex_lock(&lock);
#endif
	uint32_t low = number.halves.low, high = number.halves.high;
	assert((low == 0 && high == 0) || (low == 0x01020101 && high == 0x01010101));
#ifndef UNLOCKED
	pthread_mutex_unlock(&lock);
#endif
#ifdef PUBLISHED
	if (atomic_load_explicit(&ready, memory_order_acquire)) {
		uint32_t all;
		memcpy(&all, &seen, sizeof all);
		assert(all == 0x07070707 && seen.kind == 7);
	}
#endif
	pthread_join(t, NULL);
	assert(number.whole == 0x0101010101020101 && number.bytes[2] == 2);
	return 0;
}
