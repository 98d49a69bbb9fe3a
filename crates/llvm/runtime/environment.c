// <stdlib.h>: variables of the environment that the program sets itself, and <locale.h>: the locale is always "C".
//
// The list of the machine is what the program was started with. What is set later is kept before it, the newest first;
// as in other libraries nothing keeps threads apart that set and look.

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)
enum { EINVAL = 22, ENOMEM = 12 };

extern int *__errno_location(void);
extern void *malloc(size_t), *memcpy(void *, const void *, size_t);
extern size_t strlen(const char *);
extern char *strchr(const char *, int);
extern int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern char *__raddle_getenv(const char *);

struct setting {
	struct setting *older;
	// `NAME=value`, or the name alone for a variable that is not there.
	const char *text;
};

static struct setting *newest;
static int is_cleared;

char *getenv(const char *name)
{
	size_t length = strlen(name);
	for (struct setting *each = newest; each; each = each->older)
		if (strncmp(each->text, name, length) == 0 && (each->text[length] == '=' || !each->text[length]))
			return each->text[length] ? (char *)each->text + length + 1 : NULL;
	return is_cleared ? NULL : __raddle_getenv(name);
}
char *secure_getenv(const char *name) { return getenv(name); }

static int set(const char *text)
{
	struct setting *made = malloc(sizeof *made);
	if (!made) {
		*__errno_location() = ENOMEM;
		return -1;
	}
	*made = (struct setting){newest, text};
	newest = made;
	return 0;
}

static int is_name(const char *name) { return name && *name && !strchr(name, '='); }

int putenv(char *text) { return set(text); }
int setenv(const char *name, const char *value, int overwrites)
{
	if (!is_name(name)) {
		*__errno_location() = EINVAL;
		return -1;
	}
	if (!overwrites && getenv(name))
		return 0;
	size_t length = strlen(name), rest = strlen(value) + 1;
	char *text = malloc(length + 1 + rest);
	memcpy(text, name, length);
	text[length] = '=';
	memcpy(text + length + 1, value, rest);
	return set(text);
}
int unsetenv(const char *name)
{
	if (!is_name(name)) {
		*__errno_location() = EINVAL;
		return -1;
	}
	if (!getenv(name))
		return 0;
	char *text = malloc(strlen(name) + 1);
	memcpy(text, name, strlen(name) + 1);
	return set(text);
}
int clearenv(void)
{
	newest = NULL;
	is_cleared = 1;
	return 0;
}

// <locale.h>

char *setlocale(int category, const char *name)
{
	return !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0 ? "C" : NULL;
}

struct lconv {
	char *texts[10];
	char numbers[14];
};
struct lconv *localeconv(void)
{
	static struct lconv known = {{".", "", "", "", "", "", "", "", "", ""}, {127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127}};
	return &known;
}
