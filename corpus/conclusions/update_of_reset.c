// A thread waits for what two others raise and a fourth resets: it may find what the second has made of the reset, after
// the first has raised what was there before.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int y;
static int found, first;

static void *waits(void *p)
{
	int q;
	y = 2;
	do
		q = y;
	while (!(q >= 1));
	found = q;
	return p;
}

static void *raises(void *p)
{
	first = atomic_fetch_add(&y, 1);
	return p;
}

static void *raises_too(void *p)
{
	atomic_fetch_add(&y, 1);
	return p;
}

static void *resets(void *p)
{
	y = 0;
	return p;
}

int main(void)
{
	void *(*const functions[])(void *) = {waits, raises, raises_too, resets};
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	if (first == 2 && found == 1)
		abort();
	return 0;
}
