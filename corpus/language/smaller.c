/* Smaller parts of the C library: attributes, names, wide characters, the environment, tables, dates, random numbers. -DDRAWN: numbers that
 * nobody can foresee. */
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>


static void attributes(void)
{
	int value = -1;
	clockid_t clock;
	pthread_mutex_t mutex;
	pthread_mutexattr_t of_mutex;
	pthread_condattr_t of_condition;
	pthread_mutexattr_init(&of_mutex);
	assert(pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE) == 0 && pthread_mutexattr_settype(&of_mutex, 7) != 0);
	assert(pthread_mutexattr_setprotocol(&of_mutex, PTHREAD_PRIO_PROTECT) == 0 && pthread_mutexattr_setprioceiling(&of_mutex, 12) == 0);
	assert(pthread_mutexattr_getprotocol(&of_mutex, &value) == 0 && value == PTHREAD_PRIO_PROTECT);
	assert(pthread_mutexattr_gettype(&of_mutex, &value) == 0 && value == PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &of_mutex);
	assert(pthread_mutex_getprioceiling(&mutex, &value) == 0 && value == 12);
	pthread_condattr_init(&of_condition);
	assert(pthread_condattr_setclock(&of_condition, CLOCK_MONOTONIC) == 0 && pthread_condattr_getclock(&of_condition, &clock) == 0);
	assert(clock == CLOCK_MONOTONIC);
}

static void texts(void)
{
	wchar_t wide[8];
	char narrow[8];
	struct tm date = {0};
	assert(wcslen(L"wide") == 4 && wcscmp(wcscpy(wide, L"wide"), L"wider") < 0 && wcsrchr(wide, L'd') == wide + 2 && wcsstr(wide, L"de"));
	assert(wcstombs(narrow, wide, 8) == 4 && strcmp(narrow, "wide") == 0 && mbstowcs(wide, "new", 8) == 3 && wide[2] == L'w');
	assert(snprintf(narrow, 8, "%ls%lc", L"ab", L'c') == 3 && strcmp(narrow, "abc") == 0);
	assert(iswalpha(L'x') && !iswdigit(L'x') && towupper(L'x') == L'X' && btowc(200) == WEOF);
	assert(strverscmp("a9", "a10") < 0 && strverscmp("a1", "a01") > 0 && strcmp(strsignal(SIGSEGV), "Segmentation fault") == 0);
	assert(*strptime("2001-02-03 04:05:06 rest", "%Y-%m-%d %H:%M:%S", &date) == ' ' && date.tm_year == 101 && date.tm_mon == 1);
	assert(date.tm_wday == 6 && date.tm_yday == 33 && date.tm_sec == 6 && !strptime("x", "%d", &date));
}

static void surroundings(void)
{
	ENTRY entry = {"key", "value"}, other = {"other", NULL};
	assert(setenv("NAME", "first", 1) == 0 && setenv("NAME", "second", 0) == 0 && strcmp(getenv("NAME"), "first") == 0);
	assert(putenv("NAME=third") == 0 && strcmp(getenv("NAME"), "third") == 0 && unsetenv("NAME") == 0 && !getenv("NAME"));
	assert(strcmp(setlocale(LC_ALL, "C"), "C") == 0 && !setlocale(LC_ALL, "xx_XX") && strcmp(localeconv()->decimal_point, ".") == 0);
	assert(hcreate(4) && hsearch(entry, ENTER) && strcmp(hsearch(entry, FIND)->data, "value") == 0 && !hsearch(other, FIND));
	hdestroy();
	sigset_t set;
	int number = 0;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
}

static void *name_itself(void *unused)
{
	char name[16];
	pthread_setname_np(pthread_self(), "worker");
	assert(pthread_getname_np(pthread_self(), name, 16) == 0 && strcmp(name, "worker") == 0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	attributes();
	texts();
	surroundings();
	pthread_create(&thread, NULL, name_itself, NULL);
	pthread_join(thread, NULL);
	unsigned short seed[3] = {1, 2, 3};
	seed48(seed);
	assert(lrand48() == nrand48(seed));
#ifdef DRAWN
	unsigned drawn = 0;
	assert(getrandom(&drawn, sizeof drawn, 0) == sizeof drawn);
#endif
	return 0;
}
