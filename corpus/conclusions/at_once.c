/* Threads that end before they do anything that others could see: by a fault, by what cannot be run, or never. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int x;

void *wrong(void *p)
{
#ifdef UNSUPPORTED
	fork();
#elif defined ENDLESS
	for (unsigned i = 1; i != 0; i ^= 2)
		;
#else
	assert(p == 0);
#endif
	return 0;
}

void *start(void *p)
{
	pthread_t t;
	pthread_create(&t, 0, wrong, &t);
	x = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
#ifdef LATER
	pthread_create(&t, 0, start, 0);
	return x;
#else
	pthread_create(&t, 0, wrong, &t);
	return x;
#endif
}
