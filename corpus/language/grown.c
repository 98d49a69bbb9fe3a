// `realloc` of what another thread has allocated, with the same size in all executions.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *numbers, n_numbers;

static void *append(void *number)
{
	pthread_mutex_lock(&lock);
	int *seen = numbers;
	numbers = realloc(numbers, 8 * sizeof(int));
	numbers[n_numbers++] = (int)(long)number;
#ifdef LATE
	seen[0] = 3;
#else
	(void)seen;
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	numbers = malloc(4 * sizeof(int));
	numbers[n_numbers++] = 4;
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, append, (void *)1);
	pthread_create(&threads[1], NULL, append, (void *)2);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(n_numbers == 3 && numbers[0] == 4 && numbers[1] + numbers[2] == 3);
	free(numbers);
	return 0;
}
