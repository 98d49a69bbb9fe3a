/* A local variable of a block lives until the block is left (C11, 6.2.4, paragraph 6); it is another one, without a value, when the block is entered again.
   A thread that is joined within the block, and loops that wait with variables of their own, are right. */
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic published;
static atomic_int done, taken, sink;

static void *reads(void *arg)
{
	int *at = published;
	if (at) {
		sink = *at;
	}
	done = 1;
	return arg;
}

static void *reads_argument(void *arg)
{
	sink = *(int *)arg;
	return arg;
}

static void *takes(void *arg)
{
	while (1) {
		int expected = 0;
		if (atomic_compare_exchange_strong(&taken, &expected, 1)) {
			break;
		}
	}
	sink++;
	taken = 0;
	return arg;
}

static void note(int *at)
{
	published = at;
}

int main(void)
{
	pthread_t t = 0;
#if defined OTHER
	pthread_create(&t, NULL, reads, NULL);
	{
		int variable = 3;
		published = &variable;
	}
	pthread_join(t, NULL);
#elif defined OWN
	{
		int variable = 3;
		note(&variable);
	}
	sink = *published;
#elif defined ROUND_BEFORE
	for (int n = 0; n < 2; n++) {
		int variable;
		if (n == 0) {
			variable = 3;
			note(&variable);
		}
	}
	sink = *published;
#elif defined BEFORE_SPAWN
	{
		int variable = 3;
		published = &variable;
	}
	pthread_create(&t, NULL, reads, NULL);
	pthread_join(t, NULL);
#elif defined WAITS
	pthread_create(&t, NULL, reads, NULL);
	{
		int variable = 3;
		published = &variable;
		while (!done);
	}
	pthread_join(t, NULL);
#elif defined JOINED
	for (int n = 0; n < 3; n++) {
		int variable = n;
		pthread_create(&t, NULL, reads_argument, &variable);
		pthread_join(t, NULL);
		variable++;
	}
#elif defined SPINS
	pthread_create(&t, NULL, takes, NULL);
	takes(NULL);
	pthread_join(t, NULL);
#elif defined UNSET
	for (int n = 0; n < 2; n++) {
		int variable;
		if (n == 0) {
			variable = 3;
		}
		sink = variable;
	}
#elif defined UNSET_ADDRESS
	for (int n = 0; n < 2; n++) {
		int variable;
		if (n == 0) {
			variable = 3;
		}
		note(&variable);
		sink = *published;
	}
#elif defined SET
	for (int n = 0; n < 2; n++) {
		int variable;
		variable = n;
		note(&variable);
		sink = *published + variable;
	}
#endif
	(void)t;
	(void)note;
	(void)reads;
	(void)reads_argument;
	(void)takes;
	return 0;
}
