/* Smaller functions of POSIX: attributes of threads, dates, tables, trees, lists, sets of signals, pieces of memory. */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static void *nothing(void *given) { return given; }

static void attributes(void)
{
	pthread_attr_t of;
	size_t size, guard;
	int policy, scope, inherit, detached;
	struct sched_param priority = {0};
	pthread_attr_init(&of);
	pthread_attr_getguardsize(&of, &guard);
	pthread_attr_getschedpolicy(&of, &policy);
	pthread_attr_getscope(&of, &scope);
	pthread_attr_getinheritsched(&of, &inherit);
	pthread_attr_getdetachstate(&of, &detached);
	pthread_attr_getschedparam(&of, &priority);
	printf("%zu %d %d %d %d %d\n", guard, policy == SCHED_OTHER, scope, inherit, detached, priority.sched_priority);
	printf("%d %d\n", pthread_attr_setstacksize(&of, 1), pthread_attr_setstacksize(&of, 1 << 20));
	pthread_attr_setschedpolicy(&of, SCHED_RR);
	pthread_attr_setguardsize(&of, 0);
	pthread_attr_getstacksize(&of, &size);
	pthread_attr_getguardsize(&of, &guard);
	pthread_attr_getschedpolicy(&of, &policy);
	printf("%zu %zu %d\n", size, guard, policy == SCHED_RR);
	pthread_attr_setschedpolicy(&of, SCHED_OTHER);
	pthread_t thread;
	void *given;
	pthread_create(&thread, &of, nothing, &of);
	pthread_join(thread, &given);
	pthread_attr_destroy(&of);
	pthread_getschedparam(pthread_self(), &policy, &priority);
	printf("%d %d %d\n", given == &of, policy, priority.sched_priority);
	printf("%d %d %d\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_RR), sched_get_priority_max(SCHED_OTHER));
}

static void dates(void)
{
	const time_t times[] = {0, 951782399, 951782400, 1700000000, -1, 4102444800, 68256000};
	for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
		struct tm of;
		char text[200];
		gmtime_r(&times[i], &of);
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %u %w %y %C %e %D %F %T %R %I %p %r %c %x %X %%", &of);
		printf("%s\n%s%ld %d\n", text, asctime(&of), (long)timegm(&of), of.tm_isdst);
	}
	struct tm odd = {.tm_year = 120, .tm_mon = 13, .tm_mday = 32, .tm_hour = 25, .tm_sec = -1};
	printf("%ld %d %d %d\n", (long)timegm(&odd), odd.tm_mon, odd.tm_mday, odd.tm_wday);
	char small[4];
	printf("%zu %.1f\n", strftime(small, sizeof small, "%Y", &odd), difftime(5, 3));
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int n_visited, sum;
static void visit(const void *node, VISIT when, int depth)
{
	if (when == postorder || when == leaf) {
		printf("%d ", **(int *const *)node);
		n_visited++;
	}
}
static void drop(void *key) { sum += *(int *)key; }

static void searching(void)
{
	static int numbers[] = {5, 2, 8, 1, 9, 3, 5};
	void *root = NULL;
	for (int i = 0; i < 7; i++)
		tsearch(&numbers[i], &root, compare);
	twalk(root, visit);
	int four = 4, two = 2;
	printf("%d %d %d\n", n_visited, tfind(&four, &root, compare) == NULL, **(int **)tfind(&two, &root, compare));
	printf("%d %d\n", tdelete(&two, &root, compare) != NULL, tfind(&two, &root, compare) == NULL);
	printf("%d\n", tdelete(&numbers[0], &root, compare) != NULL);
	tdestroy(root, drop);
	int table[8] = {7, 6};
	size_t n = 2;
	int *found = lfind(&four, table, &n, sizeof *table, compare), *made = lsearch(&four, table, &n, sizeof *table, compare);
	printf("%d %d %d %zu\n", sum, found == NULL, *made, n);
	struct element {
		struct element *next, *previous;
	} a, b, c;
	insque(&a, NULL);
	insque(&c, &a);
	insque(&b, &a);
	printf("%d %d", a.next == &b, c.previous == &b);
	remque(&b);
	printf(" %d %d\n", a.next == &c, c.previous == &a);
}

static void pieces(void)
{
	char to[16] = "";
	const char *text = "one, two, three";
	printf("%s %s\n", (char *)memmem(text, 15, "two", 3), memmem(text, 15, "four", 4) ? "there" : "not there");
	char *end = memccpy(to, text, ',', sizeof to);
	printf("%td %.4s %s %d\n", end - to, to, basename("a/b/c.txt"), memccpy(to, text, '!', 4) == NULL);
	sigset_t a, b, both;
	sigemptyset(&a);
	sigemptyset(&b);
	sigaddset(&a, SIGUSR1);
	sigaddset(&b, SIGUSR2);
	printf("%d %d", sigisemptyset(&a), sigandset(&both, &a, &b) || !sigisemptyset(&both));
	sigorset(&both, &a, &b);
	printf(" %d %d\n", sigismember(&both, SIGUSR1), sigismember(&both, SIGINT));
	printf("%d %d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST), ffs(12) + ffsl(0));
}

int main(void)
{
	attributes();
	dates();
	searching();
	pieces();
	return 0;
}
