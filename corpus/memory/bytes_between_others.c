/* A structure that is passed by value as one word. What is stored is a byte of it that is a constant, or (SAME) the one
   that was loaded; other bytes lie around it, so that the compiler clears single bytes in the middle of the word. COPY takes
   the structure through a global variable. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined(WIDE)
struct packed {
	unsigned char first[5];
	unsigned char last;
};
#define LOADED(s) (s).first[2]
#elif defined(MIDDLE)
struct packed {
	unsigned char first;
	unsigned short loaded;
	unsigned char last;
};
#define LOADED(s) (s).loaded
#else
struct packed {
	unsigned char first, loaded, last;
};
#define LOADED(s) (s).loaded
#endif

atomic_uint x, y;
unsigned from_x, from_y;
struct packed kept;

static unsigned char chosen(struct packed s)
{
#ifdef SAME
	return LOADED(s) ? 7 : 0 * s.last;
#else
	return s.last;
#endif
}

static void *one(void *unused)
{
	unsigned r = atomic_load_explicit(&x, memory_order_relaxed);
	struct packed s = {0};
	from_x = r;
#ifdef WIDE
	s.first[0] = 1;
#else
	s.first = 1;
#endif
	LOADED(s) = r;
	s.last = 7;
#ifdef COPY
	kept = s;
	s = kept;
#endif
	atomic_store_explicit(&y, chosen(s), memory_order_relaxed);
	return unused;
}

static void *other(void *unused)
{
	unsigned q = atomic_load_explicit(&y, memory_order_relaxed);
	from_y = q;
	atomic_store_explicit(&x, 1 + (q ^ q), memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!(from_x == 1 && from_y == 7));
	return 0;
}
