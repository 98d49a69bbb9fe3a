/* longjmp out of calls, cleanup handlers, cancelling, signals. -DGONE: the function has returned. -DKEPT: no handler unlocks. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n_handled;
static jmp_buf kept;

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void handle(int number)
{
	n_handled += number == SIGUSR1;
}

static void deep(int depth, jmp_buf back)
{
	int here[4] = {depth};
	if (here[0] == 0)
		longjmp(back, 9);
	deep(depth - 1, back);
}

static int keep(void)
{
	return setjmp(kept);
}

static int far(int before)
{
	jmp_buf back;
	volatile int steps = before;
	int code = setjmp(back);
	if (code == 0) {
		steps++;
		deep(3, back);
	}
	return code * 100 + steps * 10 + before;
}

static void *work(void *unused)
{
	assert(far(1) == 921);
	pthread_mutex_lock(&m);
#ifdef KEPT
	pthread_testcancel();
	pthread_mutex_unlock(&m);
#else
	pthread_cleanup_push(unlock, &m);
	raise(SIGUSR1);
	pthread_testcancel();
	pthread_cleanup_pop(1);
#endif
	return unused;
}

int main(void)
{
	pthread_t t;
	void *result;
	signal(SIGUSR1, handle);
	pthread_create(&t, NULL, work, NULL);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == NULL || result == PTHREAD_CANCELED);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	(void)unlock, (void)handle;
#ifdef GONE
	if (keep() == 0)
		longjmp(kept, 1);
#elif !defined KEPT
	assert(n_handled == 1);
#endif
	(void)keep;
	return 0;
}
