/* A work-stealing queue after Chase and Lev: the owner pushes and takes at the bottom, thieves steal at the top. With -DBUG the
   owner takes the last item without competing for it with the thieves, so that it is taken twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
#define SIZE 8
#define EMPTY -1

atomic_int top, bottom, queue[SIZE];
atomic_int taken[ITEMS];

static void push(int item)
{
	int b = atomic_load(&bottom);
	atomic_store(&queue[b % SIZE], item);
	atomic_store(&bottom, b + 1);
}

static int take(void)
{
	int b = atomic_load(&bottom) - 1;
	atomic_store(&bottom, b);
	int t = atomic_load(&top);
	if (t > b) {
		atomic_store(&bottom, b + 1);
		return EMPTY;
	}
	int item = atomic_load(&queue[b % SIZE]);
	if (t < b)
		return item;
#ifndef BUG
	if (!atomic_compare_exchange_strong(&top, &t, t + 1))
		item = EMPTY;
#else
	atomic_store(&top, t + 1);
#endif
	atomic_store(&bottom, b + 1);
	return item;
}

static int steal(void)
{
	int t = atomic_load(&top);
	if (t >= atomic_load(&bottom))
		return EMPTY;
	int item = atomic_load(&queue[t % SIZE]);
	return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : EMPTY;
}

static void use(int item)
{
	if (item != EMPTY)
		assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *thief(void *unused)
{
	for (int i = 0; i < ITEMS / 2; i++)
		use(steal());
	return unused;
}

int main(void)
{
	pthread_t thread[THIEVES];
	for (int i = 0; i < THIEVES; i++)
		pthread_create(&thread[i], NULL, thief, NULL);
	for (int i = 0; i < ITEMS; i += 2) {
		push(i);
		push(i + 1);
		use(take());
	}
	for (int i = 0; i < ITEMS / 2; i++)
		use(take());
	for (int i = 0; i < THIEVES; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
