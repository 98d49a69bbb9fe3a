// What open files are, for the parts of the run-time library that know them. Files live in memory: what is read comes
// from the real file when its name is first met, and what is written stays here. The layouts are nobody else's.

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)
#define EOF (-1)

enum { EPERM = 1, ENOENT = 2, EBADF = 9, EEXIST = 17, EINVAL = 22, EMFILE = 24, ESPIPE = 29, EPIPE = 32, ERANGE = 34 };

typedef struct {
	long words[5];
} mutex;
typedef struct {
	long words[6];
} condition;

// What is in a file or a pipe, whatever it is called.
struct node {
	mutex lock;
	condition changed;
	char *data;
	size_t size, room, taken;
	int n_names, n_open, is_pipe, n_writers;
	// Whether it is as the real file of its name is, and how many have it open that read a copy of their own.
	int is_real, n_own;
};

// A file as it was opened: by one number or several (`dup`). A real file that nobody writes is read from a copy of its
// own (`own`), so that those who read it do not wait for each other.
struct opened {
	mutex lock;
	struct node *node;
	char *own;
	size_t at;
	int flags, n_numbers;
};

// A stream: of an opened file, of which `data` has what was read ahead, or of bytes in memory (the standard input, and
// the text that `sscanf` reads).
struct file {
	mutex lock;
	struct opened *opened;
	const char *data;
	size_t size, at, n_taken;
	int number, is_at_end, has_failed, n_back;
	unsigned char back[8];
};

// As much is read ahead as glibc does.
enum { AHEAD = 4096 };

enum { READS = 0, WRITES = 1, BOTH = 2, CREATES = 0x40, EXCLUSIVE = 0x80, TRUNCATES = 0x200, APPENDS = 0x400 };

extern int *__errno_location(void);
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *__raddle_allocate(size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern size_t strlen(const char *);
extern char *strchr(const char *, int);
extern double strtod(const char *, char **);
extern float strtof(const char *, char **);
extern long double strtold(const char *, char **);
extern int vsnprintf(char *, size_t, const char *, va_list);
extern int pthread_mutex_lock(mutex *), pthread_mutex_unlock(mutex *);
extern int pthread_cond_wait(condition *, mutex *), pthread_cond_broadcast(condition *);
extern void __raddle_refuse(const char *what);
extern long __raddle_file(const char *path, char **data);
extern int __raddle_write(int number, const void *from, size_t n);

// Given by files.c to the other part.
extern struct opened *__raddle_opened(int number);
extern void __raddle_leave(struct opened *);
extern long __raddle_put(struct opened *, const void *from, size_t n);
extern void __raddle_drop_ahead(struct file *);

static int fail(int error)
{
	*__errno_location() = error;
	return -1;
}
