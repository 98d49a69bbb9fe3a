// Smaller functions of POSIX and glibc: attributes of threads, priorities, rounding, sets of signals, tables and trees,
// memory. They run like the program's own code. The layouts are those of glibc on x86-64.

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)
enum { EINVAL = 22, ERANGE = 34, ENOTSUP = 95 };

extern int *__errno_location(void);
extern void *malloc(size_t), *memcpy(void *, const void *, size_t), *memset(void *, int, size_t), *memchr(const void *, int, size_t), *memmove(void *, const void *, size_t);
extern void free(void *);
extern int memcmp(const void *, const void *, size_t), snprintf(char *, size_t, const char *, ...);
extern size_t strlen(const char *), strnlen(const char *, size_t);
extern char *strrchr(const char *, int);
typedef struct {
	long words[5];
} mutex;
extern int pthread_mutex_lock(mutex *), pthread_mutex_unlock(mutex *);

static int fail(int error)
{
	*__errno_location() = error;
	return -1;
}

// <pthread.h>: attributes. `pthread_attr_init` makes all of it zero; the machine looks at the first word only.

struct attributes {
	int is_detached;
	int policy, inherit, scope;
	size_t guard, stack_size;
	void *stack;
	int priority;
};

int pthread_attr_setstacksize(struct attributes *of, size_t size)
{
	if (size < 16384)
		return EINVAL;
	of->stack_size = size;
	return 0;
}
int pthread_attr_getstacksize(const struct attributes *of, size_t *size)
{
	*size = of->stack_size ? of->stack_size : 8ul << 20;
	return 0;
}
int pthread_attr_setstack(struct attributes *of, void *stack, size_t size)
{
	of->stack = stack;
	return pthread_attr_setstacksize(of, size);
}
int pthread_attr_getstack(const struct attributes *of, void **stack, size_t *size)
{
	*stack = of->stack;
	return pthread_attr_getstacksize(of, size);
}
// The size is kept with one added, so that zero stands for the usual one.
int pthread_attr_setguardsize(struct attributes *of, size_t size)
{
	of->guard = size + 1;
	return 0;
}
int pthread_attr_getguardsize(const struct attributes *of, size_t *size)
{
	*size = of->guard ? of->guard - 1 : 4096;
	return 0;
}
#define ATTRIBUTE(name, field, most) \
	int pthread_attr_set##name(struct attributes *of, int value) \
	{ \
		if (value < 0 || value > most) \
			return EINVAL; \
		of->field = value; \
		return 0; \
	} \
	int pthread_attr_get##name(const struct attributes *of, int *value) \
	{ \
		*value = of->field; \
		return 0; \
	}
ATTRIBUTE(schedpolicy, policy, 2)
ATTRIBUTE(inheritsched, inherit, 1)
ATTRIBUTE(scope, scope, 1)
int pthread_attr_setschedparam(struct attributes *of, const int *priority)
{
	of->priority = *priority;
	return 0;
}
int pthread_attr_getschedparam(const struct attributes *of, int *priority)
{
	*priority = of->priority;
	return 0;
}

// Attributes of other things: one number that is kept, and whether processes share them, which none do

#define KEPT(of, what, most) \
	int pthread_##of##attr_init(int *at) \
	{ \
		*at = 0; \
		return 0; \
	} \
	int pthread_##of##attr_destroy(int *at) { return 0; } \
	int pthread_##of##attr_set##what(int *at, int value) \
	{ \
		if (value < 0 || value > most) \
			return EINVAL; \
		*at = value; \
		return 0; \
	} \
	int pthread_##of##attr_get##what(const int *at, int *value) \
	{ \
		*value = *at; \
		return 0; \
	} \
	int pthread_##of##attr_setpshared(int *at, int shared) { return 0; } \
	int pthread_##of##attr_getpshared(const int *at, int *shared) \
	{ \
		*shared = 0; \
		return 0; \
	}
KEPT(cond, clock, 1)
KEPT(rwlock, kind_np, 2)
int pthread_barrierattr_getpshared(const int *at, int *shared)
{
	*shared = 0;
	return 0;
}
int pthread_getconcurrency(void) { return 0; }
int pthread_getcpuclockid(unsigned long thread, int *clock)
{
	*clock = 3;
	return 0;
}

// Names of threads, which nobody else sees

struct thread_name {
	struct thread_name *next;
	unsigned long thread;
	char text[16];
};
static struct thread_name *names;
static mutex names_lock;

int pthread_setname_np(unsigned long thread, const char *name)
{
	if (strlen(name) >= 16)
		return ERANGE;
	struct thread_name *made = malloc(sizeof *made);
	made->thread = thread;
	memcpy(made->text, name, strlen(name) + 1);
	pthread_mutex_lock(&names_lock);
	made->next = names;
	names = made;
	pthread_mutex_unlock(&names_lock);
	return 0;
}
int pthread_getname_np(unsigned long thread, char *to, size_t room)
{
	if (room < 16)
		return ERANGE;
	pthread_mutex_lock(&names_lock);
	struct thread_name *found = names;
	while (found && found->thread != thread)
		found = found->next;
	pthread_mutex_unlock(&names_lock);
	const char *name = found ? found->text : "program";
	memcpy(to, name, strlen(name) + 1);
	return 0;
}

// <stdlib.h>: ending without `exit`

static void (*at_quick[32])(void);
static int n_at_quick;
extern void _exit(int);
int at_quick_exit(void (*function)(void))
{
	int n = __atomic_fetch_add(&n_at_quick, 1, __ATOMIC_RELAXED);
	if (n >= 32)
		return -1;
	__atomic_store_n(&at_quick[n], function, __ATOMIC_RELEASE);
	return 0;
}
void quick_exit(int status)
{
	for (int n = __atomic_load_n(&n_at_quick, __ATOMIC_RELAXED); n; n--) {
		void (*function)(void) = __atomic_load_n(&at_quick[n - 1], __ATOMIC_ACQUIRE);
		if (function)
			function();
	}
	_exit(status);
}

// <sched.h>: every thread runs with the usual policy, at the only priority that it has

int sched_get_priority_min(int policy) { return policy == 0 || policy == 3 || policy == 5 ? 0 : policy == 1 || policy == 2 ? 1 : fail(EINVAL); }
int sched_get_priority_max(int policy) { return policy == 0 || policy == 3 || policy == 5 ? 0 : policy == 1 || policy == 2 ? 99 : fail(EINVAL); }
int sched_getscheduler(int pid) { return 0; }
int sched_getparam(int pid, int *priority)
{
	*priority = 0;
	return 0;
}
int pthread_getschedparam(unsigned long thread, int *policy, int *priority)
{
	*policy = 0;
	*priority = 0;
	return 0;
}
int pthread_setschedparam(unsigned long thread, int policy, const int *priority) { return policy == 0 && *priority == 0 ? 0 : 1; }
int sched_setscheduler(int pid, int policy, const int *priority) { return policy == 0 && *priority == 0 ? 0 : fail(1); }
int sched_setparam(int pid, const int *priority) { return *priority == 0 ? 0 : fail(EINVAL); }
int pthread_setschedprio(unsigned long thread, int priority) { return priority == 0 ? 0 : EINVAL; }
int getpriority(int which, unsigned who) { return 0; }
int setpriority(int which, unsigned who, int priority) { return priority >= 0 ? 0 : fail(13); }
int nice(int more) { return more >= 0 ? 0 : fail(1); }
int __sched_cpucount(size_t size, const unsigned char *set)
{
	int n = 0;
	for (size_t i = 0; i < size; i++)
		n += __builtin_popcount(set[i]);
	return n;
}
int getcpu(unsigned *processor, unsigned *node)
{
	if (processor)
		*processor = 0;
	if (node)
		*node = 0;
	return 0;
}

// <unistd.h>, <malloc.h>

int getgid(void) { return 1000; }
int getegid(void) { return 1000; }
int getdtablesize(void) { return 1024; }
int gethostname(char *to, size_t room)
{
	if (room < sizeof "localhost")
		return fail(36);
	memcpy(to, "localhost", sizeof "localhost");
	return 0;
}
void sync(void) {}
int mallopt(int what, int value) { return 1; }
int malloc_trim(size_t kept) { return 0; }

// <fenv.h>: numbers are rounded to nearest; nobody notes exceptions, so that none can be asked for

int fegetround(void) { return 0; }
int fesetround(int how) { return how != 0; }
int feclearexcept(int which) { return 0; }

// <signal.h>: sets

int sigisemptyset(const unsigned long *set)
{
	for (int i = 0; i < 16; i++)
		if (set[i])
			return 0;
	return 1;
}
int sigorset(unsigned long *to, const unsigned long *a, const unsigned long *b)
{
	for (int i = 0; i < 16; i++)
		to[i] = a[i] | b[i];
	return 0;
}
int sigandset(unsigned long *to, const unsigned long *a, const unsigned long *b)
{
	for (int i = 0; i < 16; i++)
		to[i] = a[i] & b[i];
	return 0;
}

// <string.h>, and the checked functions of Annex K

void *memmem(const void *in, size_t length, const void *what, size_t size)
{
	const char *at = in;
	for (; size <= length; at++, length--)
		if (memcmp(at, what, size) == 0)
			return (void *)at;
	return NULL;
}
void *memccpy(void *to, const void *from, int end, size_t most)
{
	const char *found = memchr(from, end, most);
	size_t n = found ? (size_t)(found - (const char *)from) + 1 : most;
	memcpy(to, from, n);
	return found ? (char *)to + n : NULL;
}
char *basename(const char *path)
{
	const char *last = strrchr(path, '/');
	return (char *)(last ? last + 1 : path);
}
int memcpy_s(void *to, size_t room, const void *from, size_t n)
{
	if (to && from && n <= room) {
		memcpy(to, from, n);
		return 0;
	}
	if (to)
		memset(to, 0, room);
	return n > room ? ERANGE : EINVAL;
}
int memset_s(void *to, size_t room, int c, size_t n)
{
	if (!to)
		return EINVAL;
	memset(to, c, n <= room ? n : room);
	return n <= room ? 0 : ERANGE;
}

int memmove_s(void *to, size_t room, const void *from, size_t n)
{
	if (to && from && n <= room) {
		memmove(to, from, n);
		return 0;
	}
	if (to)
		memset(to, 0, room);
	return n > room ? ERANGE : EINVAL;
}
size_t strnlen_s(const char *text, size_t most) { return text ? strnlen(text, most) : 0; }
int strncpy_s(char *to, size_t room, const char *from, size_t most)
{
	size_t length = strnlen_s(from, most);
	if (to && from && length < room) {
		memcpy(to, from, length);
		to[length] = 0;
		return 0;
	}
	if (to && room)
		*to = 0;
	return to && from && room ? ERANGE : EINVAL;
}
int strcpy_s(char *to, size_t room, const char *from) { return strncpy_s(to, room, from, (size_t)-1); }
int strncat_s(char *to, size_t room, const char *from, size_t most)
{
	size_t length = to ? strnlen(to, room) : 0;
	if (to && length < room) {
		int error = strncpy_s(to + length, room - length, from, most);
		if (!error)
			return 0;
		*to = 0;
		return error;
	}
	return EINVAL;
}
int strcat_s(char *to, size_t room, const char *from) { return strncat_s(to, room, from, (size_t)-1); }

static const char *const signals[] = {
	[1] = "Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted", "Bus error", "Floating point exception",
	"Killed", "User defined signal 1", "Segmentation fault", "User defined signal 2", "Broken pipe", "Alarm clock", "Terminated",
};
char *strsignal(int number) { return number > 0 && number < 16 ? (char *)signals[number] : "Unknown signal"; }
size_t strxfrm(char *to, const char *from, size_t room)
{
	size_t length = strlen(from);
	if (room)
		memcpy(to, from, length < room ? length + 1 : room);
	return length;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

// Numbers within the text are compared as numbers; one that begins with zeros is a fraction.
int strverscmp(const char *a, const char *b)
{
	const char *start = a;
	long i = 0;
	while (a[i] && a[i] == b[i])
		i++;
	long number = i;
	while (number > 0 && is_digit(start[number - 1]))
		number--;
	int is_fraction = (number < i ? a[number] == '0' : a[i] == '0' || b[i] == '0') && (number < i || (is_digit(a[i]) && is_digit(b[i])));
	if (!is_fraction && (number < i || (is_digit(a[i]) && is_digit(b[i])))) {
		long m = i, n = i;
		while (is_digit(a[m]))
			m++;
		while (is_digit(b[n]))
			n++;
		if (m != n)
			return m < n ? -1 : 1;
	}
	return (unsigned char)a[i] - (unsigned char)b[i];
}

// <search.h>: tables

struct entry {
	char *key;
	void *data;
};
struct table {
	struct entry *entries;
	unsigned size, used;
};
extern void *calloc(size_t, size_t);
extern int strcmp(const char *, const char *);
int hcreate_r(size_t wanted, struct table *table)
{
	*table = (struct table){calloc(wanted ? wanted : 1, sizeof(struct entry)), (unsigned)wanted, 0};
	return 1;
}
void hdestroy_r(struct table *table)
{
	free(table->entries);
	table->entries = NULL;
}
int hsearch_r(struct entry wanted, int enters, struct entry **found, struct table *table)
{
	for (unsigned i = 0; i < table->used; i++)
		if (strcmp(table->entries[i].key, wanted.key) == 0) {
			*found = &table->entries[i];
			return 1;
		}
	*found = NULL;
	if (!enters || table->used == table->size) {
		*__errno_location() = enters ? 12 : 3;
		return 0;
	}
	table->entries[table->used] = wanted;
	*found = &table->entries[table->used++];
	return 1;
}
static struct table the_table;
int hcreate(size_t wanted) { return hcreate_r(wanted, &the_table); }
void hdestroy(void) { hdestroy_r(&the_table); }
struct entry *hsearch(struct entry wanted, int enters)
{
	struct entry *found;
	hsearch_r(wanted, enters, &found, &the_table);
	return found;
}

void *lfind(const void *key, const void *table, size_t *n, size_t size, int (*compare)(const void *, const void *))
{
	const char *at = table;
	for (size_t i = 0; i < *n; i++, at += size)
		if (compare(key, at) == 0)
			return (void *)at;
	return NULL;
}
void *lsearch(const void *key, void *table, size_t *n, size_t size, int (*compare)(const void *, const void *))
{
	void *found = lfind(key, table, n, size, compare);
	return found ? found : memcpy((char *)table + size * (*n)++, key, size);
}

// Trees, which nothing keeps in balance, and lists

struct node {
	const void *key;
	struct node *less, *more;
};

static struct node **place(const void *key, struct node **root, int (*compare)(const void *, const void *))
{
	while (*root) {
		int order = compare(key, (*root)->key);
		if (order == 0)
			break;
		root = order < 0 ? &(*root)->less : &(*root)->more;
	}
	return root;
}
void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *))
{
	return root ? *place(key, (struct node **)root, compare) : NULL;
}
void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
	struct node **at = root ? place(key, (struct node **)root, compare) : NULL;
	if (at && !*at) {
		*at = malloc(sizeof **at);
		**at = (struct node){key, NULL, NULL};
	}
	return at ? *at : NULL;
}
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *))
{
	struct node **at = root ? place(key, (struct node **)root, compare) : NULL, *parent = (struct node *)root;
	if (!at || !*at)
		return NULL;
	for (struct node *each = *root; each != *at; each = compare(key, each->key) < 0 ? each->less : each->more)
		parent = each;
	struct node *gone = *at;
	if (gone->less && gone->more) {
		struct node **next = &gone->more;
		while ((*next)->less)
			next = &(*next)->less;
		gone->key = (*next)->key;
		at = next;
		gone = *next;
	}
	*at = gone->less ? gone->less : gone->more;
	free(gone);
	return parent;
}
static void walk(const struct node *at, void (*visit)(const void *, int, int), int depth)
{
	if (!at->less && !at->more) {
		visit(at, 3, depth);
		return;
	}
	visit(at, 0, depth);
	if (at->less)
		walk(at->less, visit, depth + 1);
	visit(at, 1, depth);
	if (at->more)
		walk(at->more, visit, depth + 1);
	visit(at, 2, depth);
}
void twalk(const void *root, void (*visit)(const void *, int, int))
{
	if (root && visit)
		walk(root, visit, 0);
}
void tdestroy(void *root, void (*drop)(void *))
{
	struct node *at = root;
	if (!at)
		return;
	tdestroy(at->less, drop);
	tdestroy(at->more, drop);
	drop((void *)at->key);
	free(at);
}

struct link {
	struct link *next, *previous;
};
void insque(void *element, void *after)
{
	struct link *new = element, *before = after;
	*new = (struct link){before ? before->next : NULL, before};
	if (before && before->next)
		before->next->previous = new;
	if (before)
		before->next = new;
}
void remque(void *element)
{
	struct link *old = element;
	if (old->next)
		old->next->previous = old->previous;
	if (old->previous)
		old->previous->next = old->next;
}
