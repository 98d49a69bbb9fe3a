/* Workers take N jobs from a list under a mutex, wait for them with a condition variable, and free them. Nothing but the
 * count of those that are done is atomic. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
#ifndef WORKERS
#define WORKERS 1
#endif

struct job {
	struct job *next;
	int in, out;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct job *head;
static int closed, sum;
static atomic_int done;

static struct job *take(void)
{
	pthread_mutex_lock(&m);
	while (!head && !closed)
		pthread_cond_wait(&c, &m);
	struct job *job = head;
	if (job)
		head = job->next;
	pthread_mutex_unlock(&m);
	return job;
}

static void *worker(void *arg)
{
	(void)arg;
	for (struct job *job; (job = take());) {
		job->out = 2 * job->in;
		atomic_thread_fence(memory_order_seq_cst);
		atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
		pthread_mutex_lock(&m);
		sum += job->out;
		pthread_mutex_unlock(&m);
		free(job);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[WORKERS];
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 1; i <= N; i++) {
		struct job *job = malloc(sizeof *job);
		job->in = i;
		pthread_mutex_lock(&m);
		job->next = head;
		head = job;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	closed = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	assert(sum == N * (N + 1) && atomic_load(&done) == N);
	return 0;
}
