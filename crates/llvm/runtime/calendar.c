// <time.h>: dates, in the time zone UTC. The clock itself is the machine's.

typedef __SIZE_TYPE__ size_t;
typedef long time_t;

struct tm {
	int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
	long tm_gmtoff;
	const char *tm_zone;
};

extern int snprintf(char *, size_t, const char *, ...);
extern size_t strlen(const char *);
extern void *memcpy(void *, const void *, size_t);
extern void __raddle_refuse(const char *what);

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
	"November", "December"};

// Of a text that is read by a format: the two digits or so of a number; -1 where there are none.
static int number_in(const char **text, int digits)
{
	int value = 0, n = 0;
	while (**text == ' ')
		++*text;
	for (; n < digits && **text >= '0' && **text <= '9'; n++)
		value = value * 10 + *(*text)++ - '0';
	return n ? value : -1;
}

static int name_in(const char **text, const char *const *names, int n_names)
{
	for (int i = 0; i < n_names; i++)
		for (size_t length = strlen(names[i]); length >= 3; length = length == 3 ? 0 : 3) {
			size_t n = 0;
			while (n < length && ((*text)[n] | 32) == (names[i][n] | 32))
				n++;
			if (n == length) {
				*text += n;
				return i;
			}
		}
	return -1;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static long days_before(long year, int month, int day);

char *strptime(const char *text, const char *format, struct tm *to)
{
	int has_date = 0, value;
	for (; *format; format++) {
		if (is_space(*format)) {
			while (is_space(*text))
				text++;
			continue;
		}
		if (*format != '%' || format[1] == '%') {
			format += *format == '%';
			if (*text++ != *format)
				return 0;
			continue;
		}
		const char *part = 0;
		switch (*++format) {
		case 'F': part = "%Y-%m-%d"; break;
		case 'T': part = "%H:%M:%S"; break;
		case 'R': part = "%H:%M"; break;
		case 'D': part = "%m/%d/%y"; break;
		case 'n': case 't': part = " "; break;
		case 'Y': value = number_in(&text, 4), to->tm_year = value - 1900, has_date = 1; break;
		case 'y': value = number_in(&text, 2), to->tm_year = value < 69 ? value + 100 : value, has_date = 1; break;
		case 'm': value = number_in(&text, 2), to->tm_mon = value - 1, has_date = 1; value -= value == 0 || value > 12 ? 99 : 0; break;
		case 'd': case 'e': value = number_in(&text, 2), to->tm_mday = value, has_date = 1; value = value > 31 ? -1 : value; break;
		case 'H': value = number_in(&text, 2), to->tm_hour = value, value = value > 23 ? -1 : value; break;
		case 'M': value = number_in(&text, 2), to->tm_min = value, value = value > 59 ? -1 : value; break;
		case 'S': value = number_in(&text, 2), to->tm_sec = value, value = value > 61 ? -1 : value; break;
		case 'j': value = number_in(&text, 3), to->tm_yday = value - 1; break;
		case 'b': case 'B': case 'h': value = name_in(&text, months, 12), to->tm_mon = value, has_date = 1; break;
		case 'a': case 'A': value = name_in(&text, days, 7), to->tm_wday = value; break;
		default: __raddle_refuse("this format of strptime");
		}
		if (part ? !(text = strptime(text, part, to)) : value < 0)
			return 0;
	}
	if (has_date && to->tm_mday) {
		long day = days_before(to->tm_year + 1900, to->tm_mon, to->tm_mday);
		to->tm_wday = (int)((day % 7 + 11) % 7);
		to->tm_yday = (int)(day - days_before(to->tm_year + 1900, 0, 1));
	}
	return (char *)text;
}

void tzset(void) {}
double difftime(time_t end, time_t start) { return (double)(end - start); }

// The days from the first of January 1970 to a day of the calendar; years begin with March here.
static long days_before(long year, int month, int day)
{
	year -= month < 2;
	long era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
	int of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct tm *gmtime_r(const time_t *time, struct tm *to)
{
	long day = *time / 86400, rest = *time % 86400;
	if (rest < 0)
		rest += 86400, day--;
	long year = 1970 + day / 366;
	while (days_before(year + 1, 0, 1) <= day)
		year++;
	while (days_before(year, 0, 1) > day)
		year--;
	int month = 11;
	while (days_before(year, month, 1) > day)
		month--;
	*to = (struct tm){(int)(rest % 60), (int)(rest / 60 % 60), (int)(rest / 3600), (int)(day - days_before(year, month, 1)) + 1, month,
		(int)(year - 1900), (int)((day % 7 + 11) % 7), (int)(day - days_before(year, 0, 1)), 0, 0, "UTC"};
	return to;
}
struct tm *localtime_r(const time_t *time, struct tm *to) { return gmtime_r(time, to); }

// All threads share the result, as they do in glibc.
static struct tm shared;
static char shared_text[64];
struct tm *gmtime(const time_t *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const time_t *time) { return gmtime_r(time, &shared); }

time_t timegm(struct tm *of)
{
	long months_in_all = of->tm_mon + 12l * of->tm_year, year = 1900 + months_in_all / 12;
	int month = (int)(months_in_all % 12);
	if (month < 0)
		month += 12, year--;
	time_t time = (days_before(year, month, 1) + of->tm_mday - 1) * 86400 + of->tm_hour * 3600l + of->tm_min * 60l + of->tm_sec;
	gmtime_r(&time, of);
	return time;
}
time_t mktime(struct tm *of) { return timegm(of); }
time_t timelocal(struct tm *of) { return timegm(of); }

char *asctime_r(const struct tm *of, char *to)
{
	snprintf(to, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", days[of->tm_wday], months[of->tm_mon], of->tm_mday, of->tm_hour, of->tm_min, of->tm_sec,
		1900 + of->tm_year);
	return to;
}
char *asctime(const struct tm *of) { return asctime_r(of, shared_text); }
char *ctime_r(const time_t *time, char *to)
{
	struct tm of;
	return asctime_r(gmtime_r(time, &of), to);
}
char *ctime(const time_t *time) { return asctime(gmtime(time)); }

size_t strftime(char *to, size_t room, const char *format, const struct tm *of);

// What one conversion makes of a date.
static size_t convert(char *to, size_t room, char letter, const struct tm *of)
{
	int hour = of->tm_hour % 12 ? of->tm_hour % 12 : 12, year = 1900 + of->tm_year;
	struct tm copy = *of;
	switch (letter) {
	case 'a': return (size_t)snprintf(to, room, "%.3s", days[of->tm_wday]);
	case 'A': return (size_t)snprintf(to, room, "%s", days[of->tm_wday]);
	case 'b':
	case 'h': return (size_t)snprintf(to, room, "%.3s", months[of->tm_mon]);
	case 'B': return (size_t)snprintf(to, room, "%s", months[of->tm_mon]);
	case 'c': return strftime(to, room, "%a %b %e %H:%M:%S %Y", of);
	case 'C': return (size_t)snprintf(to, room, "%02d", year / 100);
	case 'd': return (size_t)snprintf(to, room, "%02d", of->tm_mday);
	case 'D':
	case 'x': return strftime(to, room, "%m/%d/%y", of);
	case 'e': return (size_t)snprintf(to, room, "%2d", of->tm_mday);
	case 'F': return strftime(to, room, "%Y-%m-%d", of);
	case 'H': return (size_t)snprintf(to, room, "%02d", of->tm_hour);
	case 'I': return (size_t)snprintf(to, room, "%02d", hour);
	case 'j': return (size_t)snprintf(to, room, "%03d", of->tm_yday + 1);
	case 'm': return (size_t)snprintf(to, room, "%02d", of->tm_mon + 1);
	case 'M': return (size_t)snprintf(to, room, "%02d", of->tm_min);
	case 'n': return (size_t)snprintf(to, room, "\n");
	case 'p': return (size_t)snprintf(to, room, "%s", of->tm_hour < 12 ? "AM" : "PM");
	case 'r': return strftime(to, room, "%I:%M:%S %p", of);
	case 'R': return strftime(to, room, "%H:%M", of);
	case 's': return (size_t)snprintf(to, room, "%ld", timegm(&copy));
	case 'S': return (size_t)snprintf(to, room, "%02d", of->tm_sec);
	case 't': return (size_t)snprintf(to, room, "\t");
	case 'T':
	case 'X': return strftime(to, room, "%H:%M:%S", of);
	case 'u': return (size_t)snprintf(to, room, "%d", of->tm_wday ? of->tm_wday : 7);
	case 'w': return (size_t)snprintf(to, room, "%d", of->tm_wday);
	case 'y': return (size_t)snprintf(to, room, "%02d", year % 100);
	case 'Y': return (size_t)snprintf(to, room, "%d", year);
	case 'z': return (size_t)snprintf(to, room, "+0000");
	case 'Z': return (size_t)snprintf(to, room, "UTC");
	case '%': return (size_t)snprintf(to, room, "%%");
	default: __raddle_refuse("strftime with a conversion of this kind"); return 0;
	}
}

size_t strftime(char *to, size_t room, const char *format, const struct tm *of)
{
	size_t n = 0;
	char piece[128];
	for (; *format; format++) {
		size_t length = 1;
		piece[0] = *format;
		if (*format == '%')
			length = convert(piece, sizeof piece, *++format, of);
		if (n + length >= room)
			return 0;
		memcpy(to + n, piece, length);
		n += length;
	}
	if (room == 0)
		return 0;
	to[n] = 0;
	return n;
}
