// <wchar.h>, <wctype.h>: strings of wide characters, and their bytes in the locale "C", where a character is a byte
// below 128. Streams of wide characters are not here.

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef unsigned wint_t;
#define NULL ((void *)0)
#define WEOF 0xffffffffu
enum { EILSEQ = 84 };

extern int *__errno_location(void);
extern void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);

size_t wcslen(const wchar_t *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	return n;
}
size_t wcsnlen(const wchar_t *text, size_t most)
{
	size_t n = 0;
	while (n < most && text[n])
		n++;
	return n;
}
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) { return memcpy(to, from, n * sizeof *to); }
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) { return memmove(to, from, n * sizeof *to); }
wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = c;
	return to;
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b)
			return *a < *b ? -1 : 1;
	return 0;
}
wchar_t *wmemchr(const wchar_t *in, wchar_t c, size_t n)
{
	for (; n; n--, in++)
		if (*in == c)
			return (wchar_t *)in;
	return NULL;
}
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most)
{
	for (; most; most--, a++, b++)
		if (*a != *b || !*a)
			return *a < *b ? -1 : *a > *b;
	return 0;
}
int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, (size_t)-1); }
int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }
wchar_t *wcscpy(wchar_t *to, const wchar_t *from) { return wmemcpy(to, from, wcslen(from) + 1); }
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
	size_t length = wcsnlen(from, n);
	wmemset(wmemcpy(to, from, length) + length, 0, n - length);
	return to;
}
wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
	wcscpy(to + wcslen(to), from);
	return to;
}
wchar_t *wcschr(const wchar_t *in, wchar_t c) { return wmemchr(in, c, wcslen(in) + 1); }
wchar_t *wcsrchr(const wchar_t *in, wchar_t c)
{
	for (size_t n = wcslen(in) + 1; n; n--)
		if (in[n - 1] == c)
			return (wchar_t *)in + n - 1;
	return NULL;
}
wchar_t *wcsstr(const wchar_t *in, const wchar_t *what)
{
	size_t length = wcslen(what);
	for (; wcsncmp(in, what, length); in++)
		if (!*in)
			return NULL;
	return (wchar_t *)in;
}

// Bytes

wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : -1; }
static size_t refuse(void)
{
	*__errno_location() = EILSEQ;
	return (size_t)-1;
}
int mbsinit(const void *state) { return 1; }
size_t mbrtowc(wchar_t *to, const char *from, size_t n, void *state)
{
	if (!from)
		return 0;
	if (n == 0)
		return (size_t)-2;
	if ((unsigned char)*from >= 128)
		return refuse();
	if (to)
		*to = *from;
	return *from != 0;
}
int mbtowc(wchar_t *to, const char *from, size_t n) { return from ? (int)mbrtowc(to, from, n, NULL) : 0; }
size_t mbrlen(const char *from, size_t n, void *state) { return mbrtowc(NULL, from, n, state); }
int mblen(const char *from, size_t n) { return mbtowc(NULL, from, n); }
size_t wcrtomb(char *to, wchar_t c, void *state)
{
	if (!to)
		return 1;
	if ((unsigned)c >= 128)
		return refuse();
	*to = (char)c;
	return 1;
}
int wctomb(char *to, wchar_t c) { return to ? (int)wcrtomb(to, c, NULL) : 0; }
size_t mbstowcs(wchar_t *to, const char *from, size_t most)
{
	for (size_t n = 0; !to || n < most; n++) {
		if ((unsigned char)from[n] >= 128)
			return refuse();
		if (to)
			to[n] = from[n];
		if (!from[n])
			return n;
	}
	return most;
}
size_t wcstombs(char *to, const wchar_t *from, size_t most)
{
	for (size_t n = 0; !to || n < most; n++) {
		if ((unsigned)from[n] >= 128)
			return refuse();
		if (to)
			to[n] = (char)from[n];
		if (!from[n])
			return n;
	}
	return most;
}

// Classes: those of the same byte, and none beyond

#define CLASS(name) \
	extern int is##name(int); \
	int isw##name(wint_t c) { return c < 128 ? is##name((int)c) : 0; }
CLASS(alnum) CLASS(alpha) CLASS(blank) CLASS(cntrl) CLASS(digit) CLASS(graph) CLASS(lower) CLASS(print) CLASS(punct) CLASS(space) CLASS(upper)
CLASS(xdigit)
extern int tolower(int), toupper(int);
wint_t towlower(wint_t c) { return c < 128 ? (wint_t)tolower((int)c) : c; }
wint_t towupper(wint_t c) { return c < 128 ? (wint_t)toupper((int)c) : c; }
