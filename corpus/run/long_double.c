/* `long double` and complex numbers: arithmetic, conversions, printing, reading, variable arguments, structures. */
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long seed = 12345;

static unsigned next(void)
{
	seed = seed * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(seed >> 33);
}

/* A number of any size, with a long mantissa. */
static long double any(void)
{
	long double mantissa = (long double)next() * 4294967296.0L + (long double)next();
	return ldexpl(next() & 1 ? mantissa : -mantissa, (int)(next() % 200) - 150);
}

struct mixed {
	char c;
	long double l;
	int i;
};

static long double sum(int n, ...)
{
	va_list list;
	va_start(list, n);
	long double all = 0;
	for (int i = 0; i < n; i++)
		all += i % 2 ? (long double)va_arg(list, int) : va_arg(list, long double);
	va_end(list);
	return all;
}

static struct mixed twice(struct mixed m)
{
	m.l *= 2;
	m.i *= 2;
	return m;
}

static long double (*volatile chosen)(long double) = floorl;
static const long double table[] = {1.0L / 3, -0.0L, 1e4000L, 3.6e-4951L, LDBL_MAX, LDBL_MIN};

static void arithmetic(void)
{
	for (int i = 0; i < 40; i++) {
		long double a = any(), b = any();
		printf("%La %La %La %La %d%d%d\n", a + b, a - b, a * b, a / b, a < b, a == a, a >= b);
	}
	long double one = 1, zero = 0;
	printf("%Lf %Lf %Lf %d\n", one / zero, -one / zero, fabsl(zero / zero), zero / zero != zero / zero);
	for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
		printf("%.20Le %Lg %La\n", table[i], table[i], table[i]);
	long double x = 1;
	for (int i = 0; i < 70; i++)
		x /= 3;
	printf("%.30Lg\n", x++);
	printf("%.30Lg %zu\n", -x, sizeof x);
}

static void conversions(void)
{
	long double l = 123456789012345678.75L;
	printf("%d %ld %lu %.3f %.3f\n", (int)3.99L, (long)l, (unsigned long)(l * 100), (double)l, (double)(float)l);
	printf("%Lf %Lf %Lf %Lf\n", (long double)INT_MIN, (long double)ULONG_MAX, (long double)0.1, (long double)0.1f);
	printf("%Lf %d\n", (long double)(__int128)-5, (int)(__int128)l == (int)(long)l);
	for (int i = 0; i < 10; i++) {
		long double a = any();
		printf("%.17g %.9g %ld\n", (double)a, (float)a, (long)fmodl(a, 1e15L));
	}
	printf("[%20.3Lf] [%-12.2Le] [%+Lg] [%012.4Lf] [%#.0Lf] [%.0Lf] [%LE]\n", 3.14159L, 31415.9L, 2.5L, -2.5L, 2.0L, 2.5L, 1e10L);
	printf("%d %Lf %s %Lf %.1f\n", 1, 2.5L, "between", 3.5L, 4.5);
}

static void functions(void)
{
	for (int i = 0; i < 20; i++) {
		long double a = any();
		printf("%La %La %La %La\n", sqrtl(fabsl(a)), floorl(a), ceill(a), roundl(a));
	}
	int exponent;
	long double whole, fraction = frexpl(-10.5L, &exponent), rest = modfl(-3.75L, &whole);
	printf("%Lf %d %Lf %Lf %Lf\n", fraction, exponent, rest, whole, chosen(-1.5L));
	printf("%Lf %Lf %Lf %ld %ld\n", truncl(-1.7L), rintl(2.5L), copysignl(1, -0.0L), lroundl(2.5L), lrintl(2.5L));
	printf("%d %d %d %d\n", !!isnan(0.5L), !!isinf(table[4] * 2), !!isfinite(table[4]), !!signbit(-0.0L));
	printf("%d %d %Lf %Lf\n", fpclassify(table[3]) == FP_SUBNORMAL, fpclassify(1.0L) == FP_NORMAL, fmaxl(1, 2), fminl(1, 2));
	char *end;
	printf("%.25Lf %.20Lg %La", strtold("  -0.1e1x", &end), strtold("1e-4940", NULL), strtold("0x1.8p3", NULL));
	printf(" %s %Lf\n", end, strtold("inf", NULL));
	long double read = 0;
	double d;
	float f;
	int n = sscanf("0.1 0.1 0.1", "%Lf %lf %f", &read, &d, &f);
	printf("%d %.25Lf %.20f %.15f\n", n, read, d, (double)f);
}

static void structures(void)
{
	struct mixed all[2] = {{'a', 1.5L, 3}, {'b', 2.5L, 4}}, copy[2];
	memcpy(copy, all, sizeof all);
	struct mixed m = twice(copy[1]);
	printf("%c %Lf %d %zu %Lf\n", m.c, m.l, m.i, sizeof m, sum(4, 1.5L, 2, 3.25L, 4));
	union {
		long double l;
		unsigned char bytes[16];
	} u = {.l = 1.0L};
	for (int i = 0; i < 10; i++)
		printf("%02x", u.bytes[i]);
	puts("");
}

static double part(void) { return ldexp((double)next(), (int)(next() % 60) - 60) - 0.3; }

static void complexes(void)
{
	double _Complex z = 1.0 + 2.0 * I, w = 3.0 - 4.0 * I;
	printf("%g %g %g %g\n", creal(z * w), cimag(z * w), creal(z / w), cimag(z / w));
	printf("%g %g %d %g\n", creal(conj(z)), cimag(conj(z)), z == w, cabs(w));
	for (int i = 0; i < 30; i++) {
		double _Complex a = part() + part() * I, b = part() + part() * I, p = a * b, q = a / b;
		printf("%a %a %a %a\n", creal(p), cimag(p), creal(q), cimag(q));
		float _Complex c = (float)creal(a) + (float)cimag(a) * I, d = (float)creal(b) - 1.5f * I, e = c / d;
		printf("%a %a\n", crealf(e), cimagf(e));
		long double _Complex f = a + 1.0L, g = b * (2.0L + 0.5L * I), h = f / g;
		printf("%La %La %La\n", creall(h), cimagl(h), creall(f * g));
	}
	double _Complex huge = INFINITY + 1.0 * I, odd = (1e308 + 1e308 * I) / (1e308 - 1e307 * I), tiny = (1e-320 + 1e-310 * I) / (1e-308 + 1e-309 * I);
	printf("%g %g %a %a %a %a\n", creal(huge * z), cimag(huge * z), creal(odd), cimag(odd), creal(tiny), cimag(tiny));
	printf("%g %g\n", creal(z / (0.0 + 0.0 * I)), cimag(z / huge));
}

int main(void)
{
	arithmetic();
	conversions();
	functions();
	structures();
	complexes();
	return 0;
}
