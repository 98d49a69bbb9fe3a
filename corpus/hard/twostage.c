/* After the benchmark "twostage": writers change two values, each under a lock of its own, one after the other; readers see
   the first in its section and, when it has been set, demand the second in the other. One reader that comes between the two
   sections of a writer, before any other writer has got through, sees one without the other. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 100
#endif

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *writer(void *unused)
{
	pthread_mutex_lock(&first);
	data1 = 1;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	data2 = data1 + 1;
	pthread_mutex_unlock(&second);
	return unused;
}

static void *reader(void *unused)
{
	pthread_mutex_lock(&first);
	int seen = data1;
	pthread_mutex_unlock(&first);
	if (seen == 0)
		return unused;
	pthread_mutex_lock(&second);
	assert(data2 == seen + 1);
	pthread_mutex_unlock(&second);
	return unused;
}

int main(void)
{
	static pthread_t thread[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, i < THREADS - 1 ? writer : reader, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
