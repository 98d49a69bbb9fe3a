/* Bytes of shared objects that were never written: what is in the own store buffer counts as written, and nothing else. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *words, flag;
unsigned short *halves;
__int128 *wide;

void *work(void *p)
{
#ifdef PART
	halves[0] = 1;
	assert(*(unsigned *)halves);
#elif defined WIDE
	wide[0] = 5;
	assert((int)wide[0] == 5);
#elif defined OTHER
	words[0] = 1;
	assert(words[2]);
#else
	words[0] = 1;
	/* Where the flag is not seen, and the other store is the first to reach memory, neither is there yet. */
	assert(words[0] && flag < 2);
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	words = malloc(12), halves = malloc(16), wide = malloc(32);
	words[1] = halves[4] = wide[1] = 1;
	pthread_create(&t, 0, work, 0);
	flag = 1;
	words[0] = 2;
	assert(words[1] && halves[4] && wide[1]);
	pthread_join(t, 0);
	return 0;
}
