/* A lock for readers and a writer that subtracts first, takes it back where that was too much, and waits. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ALL 100

atomic_int lock = ALL;
int data;

static void *read_twice(void *unused)
{
	while (atomic_fetch_sub(&lock, 1) <= 0) {
		atomic_fetch_add(&lock, 1);
		while (atomic_load(&lock) <= 0)
			;
	}
	int first = data;
	assert(first == data);
	atomic_fetch_add(&lock, 1);
	return unused;
}

static void *write_once(void *unused)
{
	while (atomic_fetch_sub(&lock, ALL) != ALL) {
		atomic_fetch_add(&lock, ALL);
		while (atomic_load(&lock) != ALL)
			;
	}
	data++;
	atomic_fetch_add(&lock, ALL);
	return unused;
}

int main(void)
{
	pthread_t reader, writer;
	pthread_create(&reader, NULL, read_twice, NULL);
	pthread_create(&writer, NULL, write_once, NULL);
	pthread_join(reader, NULL);
	pthread_join(writer, NULL);
	return 0;
}
