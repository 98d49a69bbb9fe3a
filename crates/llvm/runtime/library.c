// Functions of the C library that are written in C: those that touch no memory but what the program gives them or what
// they keep themselves.
//
// They run like the program's own code. What only the machine can do is asked with `__raddle_...`. No header is
// included; the layouts are those of glibc on x86-64. Whoever defines a function of these names gets their own.

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)
#define EOF (-1)

enum { ENOENT = 2, EINTR = 4, ENOMEM = 12, EBUSY = 16, EINVAL = 22, ERANGE = 34 };

typedef struct {
	long words[5];
} mutex;

extern int *__errno_location(void);
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void free(void *), abort(void);
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern size_t strlen(const char *);
extern char *strchr(const char *, int);
extern float strtof(const char *, char **);
extern double strtod(const char *, char **);
extern long double strtold(const char *, char **);
extern unsigned long strtoul(const char *, char **, int);
extern int snprintf(char *, size_t, const char *, ...);
extern int printf(const char *, ...);
extern int pthread_mutex_lock(mutex *), pthread_mutex_unlock(mutex *);
extern unsigned long pthread_self(void);
extern int getpid(void);
extern void __raddle_refuse(const char *what);
extern long __raddle_file(const char *path, char **data);

static int fail(int error)
{
	*__errno_location() = error;
	return -1;
}

// <string.h>: messages

static const char *const messages[] = {
	[0] = "Success", [1] = "Operation not permitted", [2] = "No such file or directory", [3] = "No such process",
	[4] = "Interrupted system call", [5] = "Input/output error", [6] = "No such device or address", [7] = "Argument list too long",
	[8] = "Exec format error", [9] = "Bad file descriptor", [10] = "No child processes", [11] = "Resource temporarily unavailable",
	[12] = "Cannot allocate memory", [13] = "Permission denied", [14] = "Bad address", [15] = "Block device required",
	[16] = "Device or resource busy", [17] = "File exists", [18] = "Invalid cross-device link", [19] = "No such device",
	[20] = "Not a directory", [21] = "Is a directory", [22] = "Invalid argument", [23] = "Too many open files in system",
	[24] = "Too many open files", [25] = "Inappropriate ioctl for device", [26] = "Text file busy", [27] = "File too large",
	[28] = "No space left on device", [29] = "Illegal seek", [30] = "Read-only file system", [31] = "Too many links",
	[32] = "Broken pipe", [33] = "Numerical argument out of domain", [34] = "Numerical result out of range",
	[35] = "Resource deadlock avoided", [36] = "File name too long", [37] = "No locks available", [38] = "Function not implemented",
	[39] = "Directory not empty", [40] = "Too many levels of symbolic links", [71] = "Protocol error",
	[75] = "Value too large for defined data type", [84] = "Invalid or incomplete multibyte or wide character",
	[88] = "Socket operation on non-socket", [90] = "Message too long", [95] = "Operation not supported",
	[98] = "Address already in use", [103] = "Software caused connection abort", [104] = "Connection reset by peer",
	[105] = "No buffer space available", [107] = "Transport endpoint is not connected", [110] = "Connection timed out",
	[111] = "Connection refused", [113] = "No route to host", [114] = "Operation already in progress",
	[115] = "Operation now in progress", [125] = "Operation canceled", [130] = "Owner died", [131] = "State not recoverable",
};

static const char *message(int error)
{
	return error >= 0 && (size_t)error < sizeof messages / sizeof *messages ? messages[error] : NULL;
}

char *strerror(int error)
{
	static _Thread_local char unknown[32];
	const char *known = message(error);
	if (known)
		return (char *)known;
	snprintf(unknown, sizeof unknown, "Unknown error %d", error);
	return unknown;
}

char *strerror_r(int error, char *buffer, size_t size)
{
	const char *known = message(error);
	if (known)
		return (char *)known;
	snprintf(buffer, size, "Unknown error %d", error);
	return buffer;
}

int __xpg_strerror_r(int error, char *buffer, size_t size)
{
	const char *text = strerror(error);
	if (size == 0 || strlen(text) >= size)
		return ERANGE;
	memcpy(buffer, text, strlen(text) + 1);
	return message(error) ? 0 : EINVAL;
}

// <strings.h>

int ffs(int word) { return word ? __builtin_ctz((unsigned)word) + 1 : 0; }
int ffsl(long word) { return word ? __builtin_ctzl((unsigned long)word) + 1 : 0; }
int ffsll(long long word) { return word ? __builtin_ctzll((unsigned long long)word) + 1 : 0; }

// <stdlib.h>: random numbers of 48 bits

static unsigned long state48 = 0x1234abcd330eul;

static unsigned long next48(unsigned long *state)
{
	return *state = (*state * 0x5deece66dul + 0xb) & ((1ul << 48) - 1);
}

static unsigned long next_of(unsigned short state[3])
{
	unsigned long all = state[0] | (unsigned long)state[1] << 16 | (unsigned long)state[2] << 32;
	next48(&all);
	state[0] = (unsigned short)all;
	state[1] = (unsigned short)(all >> 16);
	state[2] = (unsigned short)(all >> 32);
	return all;
}

void srand48(long seed) { state48 = (unsigned long)(unsigned)seed << 16 | 0x330e; }
double drand48(void) { return (double)next48(&state48) / (double)(1ul << 48); }
long lrand48(void) { return (long)(next48(&state48) >> 17); }
long mrand48(void) { return (int)(next48(&state48) >> 16); }
double erand48(unsigned short state[3]) { return (double)next_of(state) / (double)(1ul << 48); }
long nrand48(unsigned short state[3]) { return (long)(next_of(state) >> 17); }
long jrand48(unsigned short state[3]) { return (int)(next_of(state) >> 16); }

unsigned short *seed48(const unsigned short seed[3])
{
	static unsigned short before[3];
	for (int i = 0; i < 3; i++)
		before[i] = (unsigned short)(state48 >> 16 * i);
	state48 = seed[0] | (unsigned long)seed[1] << 16 | (unsigned long)seed[2] << 32;
	return before;
}

// The same with the state of the caller, which glibc lays out so.
struct state48 {
	unsigned short now[3], before[3], addend, is_set;
	unsigned long factor;
};
int srand48_r(long seed, struct state48 *to)
{
	*to = (struct state48){{0x330e, (unsigned short)seed, (unsigned short)(seed >> 16)}, {0}, 0xb, 1, 0x5deece66dul};
	return 0;
}
#define BY_CALLER(name, plain, type) \
	int name##_r(struct state48 *state, type *to) \
	{ \
		*to = plain(state->now); \
		return 0; \
	}
BY_CALLER(drand48, erand48, double)
BY_CALLER(lrand48, nrand48, long)
BY_CALLER(mrand48, jrand48, long)

// Numbers that nobody can foresee: some are tried, and the verdict says that others were left out.

extern void *__VERIFIER_nondet_pointer(void);

static void draw(void *to, size_t size)
{
	static unsigned long count;
	unsigned long state = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) * 0x9e3779b97f4a7c15ul;
	__VERIFIER_nondet_pointer();
	for (size_t i = 0; i < size; i++)
		((unsigned char *)to)[i] = (unsigned char)(next48(&state) >> 24);
}
long getrandom(void *to, size_t size, unsigned flags)
{
	draw(to, size);
	return (long)size;
}
int getentropy(void *to, size_t size)
{
	draw(to, size);
	return 0;
}
void arc4random_buf(void *to, size_t size) { draw(to, size); }
unsigned arc4random(void)
{
	unsigned number;
	draw(&number, sizeof number);
	return number;
}

// `std::random_device`
void device_begins(void *device, const void *name) __asm__("_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
void device_begins(void *device, const void *name) {}
void device_ends(void *device) __asm__("_ZNSt13random_device7_M_finiEv");
void device_ends(void *device) {}
unsigned device_value(void *device) __asm__("_ZNSt13random_device9_M_getvalEv");
unsigned device_value(void *device) { return arc4random(); }
double device_entropy(const void *device) __asm__("_ZNKSt13random_device13_M_getentropyEv");
double device_entropy(const void *device) { return 32; }

unsigned arc4random_uniform(unsigned end) { return end ? arc4random() % end : 0; }

// <unistd.h>, <sys/resource.h>, <sched.h>: what a machine with four processors says

long sysconf(int name)
{
	switch (name) {
	case 0: return 2097152; // the length of arguments
	case 2: return 100;     // ticks
	case 4: return 1024;    // open files
	case 30: return 4096;   // pages
	case 83:
	case 84: return 4; // processors
	case 85: return 1 << 20;
	default: return fail(EINVAL);
	}
}

int get_nprocs(void) { return 4; }
int get_nprocs_conf(void) { return 4; }
int sched_getcpu(void) { return 0; }

int getrlimit(int of, unsigned long limits[2])
{
	limits[0] = of == 3 ? 8ul << 20 : ~0ul;
	limits[1] = ~0ul;
	return 0;
}
int getrlimit64(int of, unsigned long limits[2]) { return getrlimit(of, limits); }
int setrlimit(int of, const unsigned long *limits) { return 0; }
int getrusage(int who, void *usage)
{
	memset(usage, 0, 144);
	return 0;
}
static int processors(size_t size, unsigned char *set)
{
	memset(set, 0, size);
	if (size)
		set[0] = 15;
	return 0;
}
int sched_getaffinity(int pid, size_t size, void *set) { return processors(size, set); }
int sched_setaffinity(int pid, size_t size, const void *set) { return 0; }
int pthread_getaffinity_np(unsigned long thread, size_t size, void *set) { return processors(size, set); }
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) { return 0; }

// <sys/mman.h>: memory that belongs to no file

struct mapping {
	struct mapping *next;
	void *start;
	size_t length;
};
static struct mapping *mappings;
static mutex mappings_lock;

void *mmap(void *wish, size_t length, int protection, int flags, int file, long offset)
{
	if (!(flags & 0x20))
		__raddle_refuse("mmap of a file");
	if (flags & 0x10)
		__raddle_refuse("mmap at a given address");
	if (length == 0)
		return (void *)(long)fail(EINVAL);
	struct mapping *made = malloc(sizeof *made);
	made->start = calloc(1, length);
	made->length = length;
	pthread_mutex_lock(&mappings_lock);
	made->next = mappings;
	mappings = made;
	pthread_mutex_unlock(&mappings_lock);
	return made->start;
}
void *mmap64(void *wish, size_t length, int protection, int flags, int file, long offset)
{
	return mmap(wish, length, protection, flags, file, offset);
}

int munmap(void *start, size_t length)
{
	pthread_mutex_lock(&mappings_lock);
	struct mapping **at = &mappings;
	while (*at && (*at)->start != start)
		at = &(*at)->next;
	struct mapping *found = *at;
	if (found && (found->length + 4095) / 4096 != (length + 4095) / 4096)
		__raddle_refuse("munmap of a part of what mmap gave");
	if (found)
		*at = found->next;
	pthread_mutex_unlock(&mappings_lock);
	if (!found)
		return fail(EINVAL);
	free(found->start);
	free(found);
	return 0;
}
void *mremap(void *start, size_t length, size_t wanted, int flags, ...)
{
	if (wanted <= length)
		return start;
	if (!(flags & 1)) {
		fail(ENOMEM);
		return (void *)-1;
	}
	void *moved = mmap(NULL, wanted, 3, 0x22, -1, 0);
	memcpy(moved, start, length);
	munmap(start, length);
	return moved;
}
int mprotect(void *start, size_t length, int protection) { return 0; }
int madvise(void *start, size_t length, int advice) { return 0; }
int mlock(const void *start, size_t length) { return 0; }
int munlock(const void *start, size_t length) { return 0; }

// <signal.h>: signals that a thread raises are handled in it, before `raise` returns

typedef void (*handler)(int);
struct action {
	union {
		handler plain;
		void (*with_more)(int, void *, void *);
	} by;
	unsigned long blocked[16];
	int flags;
	void (*restorer)(void);
};
enum { N_SIGNALS = 65, IS_DEFAULT = 0, IS_IGNORED = 1, WITH_MORE = 4 };
static handler handlers[N_SIGNALS];
static int flags_of[N_SIGNALS];
static _Thread_local unsigned long blocked, pending;

static int is_signal(int number) { return number > 0 && number < N_SIGNALS; }

handler signal(int number, handler by)
{
	if (!is_signal(number) || number == 9 || number == 19)
		return (handler)(long)fail(EINVAL);
	__atomic_store_n(&flags_of[number], 0, __ATOMIC_RELAXED);
	return __atomic_exchange_n(&handlers[number], by, __ATOMIC_ACQ_REL);
}
handler __sysv_signal(int number, handler by) { return signal(number, by); }

int sigaction(int number, const struct action *new, struct action *old)
{
	if (!is_signal(number) || (new && (number == 9 || number == 19)))
		return fail(EINVAL);
	if (old) {
		memset(old, 0, sizeof *old);
		old->by.plain = __atomic_load_n(&handlers[number], __ATOMIC_ACQUIRE);
		old->flags = __atomic_load_n(&flags_of[number], __ATOMIC_RELAXED);
	}
	if (new) {
		__atomic_store_n(&flags_of[number], new->flags, __ATOMIC_RELAXED);
		__atomic_store_n(&handlers[number], new->by.plain, __ATOMIC_RELEASE);
	}
	return 0;
}

static int is_harmless(int number) { return number == 17 || number == 18 || number == 23 || number == 28; }

static void deliver(int number)
{
	handler by = __atomic_load_n(&handlers[number], __ATOMIC_ACQUIRE);
	if ((long)by == IS_IGNORED || ((long)by == IS_DEFAULT && is_harmless(number)))
		return;
	if ((long)by == IS_DEFAULT)
		abort();
	unsigned long before = blocked;
	blocked |= 1ul << (number - 1);
	if (__atomic_load_n(&flags_of[number], __ATOMIC_RELAXED) & WITH_MORE) {
		int more[32] = {number};
		((void (*)(int, void *, void *))by)(number, more, NULL);
	} else {
		by(number);
	}
	blocked = before;
}

int raise(int number)
{
	if (!is_signal(number))
		return fail(EINVAL);
	if (blocked & 1ul << (number - 1))
		pending |= 1ul << (number - 1);
	else
		deliver(number);
	return 0;
}

int pthread_kill(unsigned long thread, int number)
{
	if (number == 0)
		return 0;
	if (!is_signal(number))
		return EINVAL;
	if (thread != pthread_self())
		__raddle_refuse("a signal to another thread");
	return raise(number) ? EINVAL : 0;
}

int kill(int process, int number)
{
	if (process != getpid())
		__raddle_refuse("a signal to another process");
	return number == 0 ? 0 : raise(number);
}

int pthread_sigmask(int how, const unsigned long *set, unsigned long *old)
{
	if (old) {
		memset(old, 0, 128);
		*old = blocked;
	}
	if (!set)
		return 0;
	switch (how) {
	case 0: blocked |= *set; break;
	case 1: blocked &= ~*set; break;
	case 2: blocked = *set; break;
	default: return EINVAL;
	}
	for (int number = 1; number < N_SIGNALS; number++)
		if (pending & ~blocked & 1ul << (number - 1)) {
			pending &= ~(1ul << (number - 1));
			deliver(number);
		}
	return 0;
}
int sigprocmask(int how, const unsigned long *set, unsigned long *old)
{
	int error = pthread_sigmask(how, set, old);
	return error ? fail(error) : 0;
}
int sigpending(unsigned long *set)
{
	memset(set, 0, 128);
	*set = pending;
	return 0;
}
int sigwait(const unsigned long *set, int *number)
{
	unsigned long found = pending & *set;
	if (!found)
		__raddle_refuse("a wait for a signal of another thread");
	*number = __builtin_ctzl(found) + 1;
	pending &= ~(1ul << (*number - 1));
	return 0;
}
int sigemptyset(unsigned long *set)
{
	memset(set, 0, 128);
	return 0;
}
int sigfillset(unsigned long *set)
{
	memset(set, 255, 128);
	return 0;
}
int sigaddset(unsigned long *set, int number)
{
	if (!is_signal(number))
		return fail(EINVAL);
	*set |= 1ul << (number - 1);
	return 0;
}
int sigdelset(unsigned long *set, int number)
{
	if (!is_signal(number))
		return fail(EINVAL);
	*set &= ~(1ul << (number - 1));
	return 0;
}
int sigismember(const unsigned long *set, int number)
{
	if (!is_signal(number))
		return fail(EINVAL);
	return *set >> (number - 1) & 1;
}

// Atomic operations on objects of any size, as libatomic does them: what machines have one access for by that, the rest
// under a lock that the address chooses

static mutex object_locks[64];

static mutex *lock_of(const void *object)
{
	unsigned long number = (unsigned long)object;
	return &object_locks[(number >> 6 ^ number >> 20) % 64];
}

/* The size of an object that is accessed as one, else 0. */
static size_t at_once(size_t size, const void *object)
{
	_Bool is_power = size && size <= 16 && !(size & (size - 1));
	return is_power && !((unsigned long)object & (size - 1)) ? size : 0;
}

#define BY_SIZE(act) \
	switch (at_once(size, object)) { \
	case 1: act(unsigned char) \
	case 2: act(unsigned short) \
	case 4: act(unsigned) \
	case 8: act(unsigned long) \
	case 16: act(unsigned __int128) \
	}

_Bool is_lock_free(size_t size, const void *object) __asm__("__atomic_is_lock_free");
_Bool is_lock_free(size_t size, const void *object) { return size == 1 || size == 2 || size == 4 || size == 8; }

#define LOAD(type) \
	{ \
		type found = __atomic_load_n((type *)object, order); \
		memcpy(to, &found, sizeof found); \
		return; \
	}

void load_any(size_t size, void *object, void *to, int order) __asm__("__atomic_load");
void load_any(size_t size, void *object, void *to, int order)
{
	BY_SIZE(LOAD)
	mutex *lock = lock_of(object);
	pthread_mutex_lock(lock);
	memcpy(to, object, size);
	pthread_mutex_unlock(lock);
}

#define STORE(type) \
	{ \
		type value; \
		memcpy(&value, from, sizeof value); \
		__atomic_store_n((type *)object, value, order); \
		return; \
	}

void store_any(size_t size, void *object, void *from, int order) __asm__("__atomic_store");
void store_any(size_t size, void *object, void *from, int order)
{
	BY_SIZE(STORE)
	mutex *lock = lock_of(object);
	pthread_mutex_lock(lock);
	memcpy(object, from, size);
	pthread_mutex_unlock(lock);
}

#define EXCHANGE(type) \
	{ \
		type value; \
		memcpy(&value, from, sizeof value); \
		value = __atomic_exchange_n((type *)object, value, order); \
		memcpy(to, &value, sizeof value); \
		return; \
	}

void exchange_any(size_t size, void *object, void *from, void *to, int order) __asm__("__atomic_exchange");
void exchange_any(size_t size, void *object, void *from, void *to, int order)
{
	BY_SIZE(EXCHANGE)
	mutex *lock = lock_of(object);
	pthread_mutex_lock(lock);
	memcpy(to, object, size);
	memcpy(object, from, size);
	pthread_mutex_unlock(lock);
}

#define COMPARE(type) \
	{ \
		type found, value; \
		memcpy(&found, expected, sizeof found); \
		memcpy(&value, from, sizeof value); \
		_Bool done = __atomic_compare_exchange_n((type *)object, &found, value, 0, success, failure); \
		if (!done) \
			memcpy(expected, &found, sizeof found); \
		return done; \
	}

_Bool compare_any(size_t size, void *object, void *expected, void *from, int success, int failure) __asm__("__atomic_compare_exchange");
_Bool compare_any(size_t size, void *object, void *expected, void *from, int success, int failure)
{
	BY_SIZE(COMPARE)
	mutex *lock = lock_of(object);
	pthread_mutex_lock(lock);
	_Bool same = memcmp(object, expected, size) == 0;
	if (same)
		memcpy(object, from, size);
	else
		memcpy(expected, object, size);
	pthread_mutex_unlock(lock);
	return same;
}

// <getopt.h>

char *optarg;
int optind = 1, opterr = 1, optopt;
static int in_word;

struct option {
	const char *name;
	int has_arg;
	int *flag;
	int val;
};

static int next_letter(int n_words, char *const words[], const char *letters)
{
	char *word = words[optind];
	int letter = word[++in_word];
	const char *known = letter == ':' ? NULL : strchr(letters, letter);
	int is_last = word[in_word + 1] == 0;
	optarg = NULL;
	if (!known) {
		optopt = letter;
		if (is_last)
			optind++, in_word = 0;
		return '?';
	}
	if (known[1] != ':') {
		if (is_last)
			optind++, in_word = 0;
		return letter;
	}
	optind++;
	if (!is_last)
		optarg = word + in_word + 1;
	else if (known[2] != ':' && optind < n_words)
		optarg = words[optind++];
	in_word = 0;
	if (!optarg && known[2] != ':') {
		optopt = letter;
		return *letters == ':' ? ':' : '?';
	}
	return letter;
}

static int next_name(int n_words, char *const words[], const char *letters, const struct option *names, int *which)
{
	const char *name = words[optind++] + 2, *value = strchr(name, '=');
	size_t length = value ? (size_t)(value - name) : strlen(name);
	for (int number = 0; names && names[number].name; number++) {
		const struct option *of = &names[number];
		if (strncmp(of->name, name, length) || of->name[length])
			continue;
		optarg = value && of->has_arg ? (char *)value + 1 : NULL;
		if (of->has_arg == 1 && !optarg) {
			if (optind >= n_words) {
				optopt = of->val;
				return *letters == ':' ? ':' : '?';
			}
			optarg = words[optind++];
		}
		if (which)
			*which = number;
		if (!of->flag)
			return of->val;
		*of->flag = of->val;
		return 0;
	}
	optopt = 0;
	return '?';
}

int getopt_long(int n_words, char *const words[], const char *letters, const struct option *names, int *which)
{
	if (in_word)
		return next_letter(n_words, words, letters);
	if (optind >= n_words || words[optind][0] != '-' || words[optind][1] == 0)
		return -1;
	if (words[optind][1] != '-')
		return next_letter(n_words, words, letters);
	if (words[optind][2] == 0) {
		optind++;
		return -1;
	}
	return next_name(n_words, words, letters, names, which);
}

int getopt(int n_words, char *const words[], const char *letters) { return getopt_long(n_words, words, letters, NULL, NULL); }
