// Structures, vectors and numbers of all classes as variable arguments.
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

struct floats { float a, b; };
struct three { float a, b, c; };
struct mixed { int a; double b; };
struct small { char a; short b; int c; };
struct large { long a, b, c; };
struct __attribute__((aligned(16))) aligned { long a, b, c, d; };
typedef float vector __attribute__((vector_size(16)));

static double sum(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    double all = 0;
    for (int n = 1; *kinds; kinds++, n++) {
        double here = 0;
        switch (*kinds) {
        case 'i': here = va_arg(list, int); break;
        case 'd': here = va_arg(list, double); break;
        case 'l': here = (double)va_arg(list, long double); break;
        case 'w': here = (double)(long)va_arg(list, __int128); break;
        case 'f': { struct floats s = va_arg(list, struct floats); here = s.a + 2 * s.b; break; }
        case 't': { struct three s = va_arg(list, struct three); here = s.a + 2 * s.b + 4 * s.c; break; }
        case 'm': { struct mixed s = va_arg(list, struct mixed); here = s.a + 2 * s.b; break; }
        case 's': { struct small s = va_arg(list, struct small); here = s.a + 2 * s.b + 4 * s.c; break; }
        case 'L': { struct large s = va_arg(list, struct large); here = s.a + 2 * s.b + 4 * s.c; break; }
        case 'A': { struct aligned s = va_arg(list, struct aligned); here = s.a + 2 * s.b + 4 * s.c + 8 * s.d; break; }
        case 'c': { float _Complex z = va_arg(list, float _Complex); here = crealf(z) + 2 * cimagf(z); break; }
        case 'v': { vector v = va_arg(list, vector); here = v[0] + 2 * v[1] + 4 * v[2] + 8 * v[3]; break; }
        }
        printf("%c %g\n", *kinds, here);
        all += n * here;
    }
    va_end(list);
    return all;
}

int main(void)
{
    struct floats f = { 1.5f, 2.5f };
    struct three t = { 1, 2, 3 };
    struct mixed m = { 7, 0.5 };
    struct small s = { 1, 2, 3 };
    struct large l = { 1, 2, 3 };
    struct aligned a = { 1, 2, 3, 4 };
    float _Complex z = 3.0f + 4.0f * I;
    vector v = { 1, 2, 3, 4 };
    printf("%g\n", sum("fi", f, 5));
    printf("%g\n", sum("tid", t, 6, 7.5));
    printf("%g\n", sum("imsi", 1, m, s, 2));
    printf("%g\n", sum("iLAi", 1, l, a, 2));
    printf("%g\n", sum("icviv", 1, z, v, 2, v));
    printf("%g\n", sum("ilwiwl", 1, 2.0L, (__int128)3, 4, (__int128)5, 6.0L));
    printf("%g\n", sum("iiiiiiiidddddddddfm", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., f, m));
    return 0;
}
