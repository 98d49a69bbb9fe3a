/* A program with much private code between few visible actions, as a runtime library has it: each worker makes a pool of memory, fills a table of
 * words, sorts and formats them, and then hands a line to a queue under a lock, JOBS times. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef JOBS
#define JOBS 2
#endif
#ifndef WORDS
#define WORDS 150
#endif

/* A pool: memory is taken from blocks, and given back all at once. */
struct block {
	struct block *next;
	size_t used, size;
	char bytes[];
};

struct pool {
	struct block *blocks;
	size_t taken;
};

static void *take(struct pool *pool, size_t size)
{
	size = (size + 15) & ~(size_t)15;
	struct block *block = pool->blocks;
	if (!block || block->used + size > block->size) {
		size_t room = size > 4000 ? size : 4000;
		block = malloc(sizeof *block + room);
		block->next = pool->blocks;
		block->used = 0;
		block->size = room;
		pool->blocks = block;
	}
	void *at = block->bytes + block->used;
	block->used += size;
	pool->taken += size;
	return at;
}

static void clear(struct pool *pool)
{
	while (pool->blocks) {
		struct block *next = pool->blocks->next;
		free(pool->blocks);
		pool->blocks = next;
	}
}

/* A table of words with chains. */
struct entry {
	struct entry *next;
	const char *word;
	unsigned count;
};

struct table {
	struct entry *chains[64];
	unsigned entries;
};

static unsigned hash(const char *word)
{
	unsigned h = 2166136261u;
	for (; *word; word++)
		h = (h ^ (unsigned char)*word) * 16777619u;
	return h;
}

static void add(struct pool *pool, struct table *table, const char *word)
{
	struct entry **at = &table->chains[hash(word) % 64];
	for (; *at; at = &(*at)->next) {
		if (strcmp((*at)->word, word) == 0) {
			(*at)->count++;
			return;
		}
	}
	char *copy = take(pool, strlen(word) + 1);
	strcpy(copy, word);
	*at = take(pool, sizeof **at);
	(*at)->next = NULL;
	(*at)->word = copy;
	(*at)->count = 1;
	table->entries++;
}

static int by_word(const void *a, const void *b)
{
	return strcmp((*(struct entry *const *)a)->word, (*(struct entry *const *)b)->word);
}

/* Makes a line about pseudo-random words. */
static void job(unsigned seed, char *line, size_t size)
{
	struct pool pool = {0};
	struct table *table = take(&pool, sizeof *table);
	memset(table, 0, sizeof *table);
	for (int i = 0; i < WORDS; i++) {
		char word[16];
		seed = seed * 1103515245u + 12345u;
		snprintf(word, sizeof word, "w%u", seed >> 16 & 127);
		add(&pool, table, word);
	}
	struct entry **sorted = take(&pool, table->entries * sizeof *sorted);
	unsigned n = 0;
	for (int chain = 0; chain < 64; chain++)
		for (struct entry *entry = table->chains[chain]; entry; entry = entry->next)
			sorted[n++] = entry;
	qsort(sorted, n, sizeof *sorted, by_word);
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum = sum * 31 + sorted[i]->count * hash(sorted[i]->word);
	snprintf(line, size, "%u words, first %s, sum %u, %zu bytes", n, sorted[0]->word, sum, pool.taken);
	clear(&pool);
}

/* A queue of lines under a lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char queue[WORKERS * JOBS][64];
static int queued;

static void *worker(void *arg)
{
	for (int i = 0; i < JOBS; i++) {
		char line[64] = "";
		job((unsigned)(size_t)arg * 100 + i, line, sizeof line);
		pthread_mutex_lock(&lock);
		memcpy(queue[queued], line, sizeof line);
		queued++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[WORKERS];
	for (size_t i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	assert(queued == WORKERS * JOBS);
	return 0;
}
