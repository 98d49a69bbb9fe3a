/* A loop that reads two variables, of which one changes: who has read the first before that and the second after it is not
   stuck. And one that exchanges: what it has written itself is no news to it. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

void *waiter(void *p)
{
#ifdef EXCHANGE
	while (atomic_exchange(&first, 1) != 2)
		;
#else
	while (!(first | second))
		;
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, waiter, 0);
#ifdef SECOND
	second = 1;
#elif !defined NEITHER
	first = 1;
#endif
	pthread_join(t, 0);
	return 0;
}
