/* Two threads take two mutexes in opposite orders and back off: each takes one, tries the other, and gives back what it has
   (ALTERNATE: it begins with the other one then, as std::lock does). Both can keep each other going for ever.
   WRONG: one of them forgets that the other may have come first. SEEN: a third thread claims that a mutex is free when both
   have done. KEPT: a third thread keeps a mutex for ever. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
int count;
atomic_int done;

static void take_both(pthread_mutex_t *one, pthread_mutex_t *other)
{
	for (;;) {
		pthread_mutex_lock(one);
		if (pthread_mutex_trylock(other) == 0)
			return;
		pthread_mutex_unlock(one);
#ifdef ALTERNATE
		pthread_mutex_lock(other);
		if (pthread_mutex_trylock(one) == 0)
			return;
		pthread_mutex_unlock(other);
#endif
	}
}

static void give_both(void)
{
	pthread_mutex_unlock(&left);
	pthread_mutex_unlock(&right);
	atomic_fetch_add(&done, 1);
}

static void *from_left(void *unused)
{
	take_both(&left, &right);
#ifdef WRONG
	assert(count == 0);
#endif
	count++;
	give_both();
	return unused;
}

static void *from_right(void *unused)
{
	take_both(&right, &left);
	count++;
	give_both();
	return unused;
}

static void *look(void *unused)
{
#ifdef SEEN
	if (atomic_load(&done) == 2)
		assert(pthread_mutex_trylock(&left) == 0);
#endif
#ifdef KEPT
	pthread_mutex_lock(&right);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread[3];
	pthread_create(&thread[0], NULL, from_left, NULL);
	pthread_create(&thread[1], NULL, from_right, NULL);
	pthread_create(&thread[2], NULL, look, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert(count == 2);
	return 0;
}
