/* C as it was before its first standard; it compiles with --lenient. The status is 3 unless ZERO is defined. */
#include <stdio.h>

sum(a, b)
int a, b;
{
    return a + b;
}

main(argc, argv)
int argc;
char **argv;
{
    int *p = 4096;
    printf("%d\n", late(sum(argc, 2), p));
#ifdef ZERO
    return 0;
#else
    return late(1, p);
#endif
}

int late(n, p)
int n;
int *p;
{
    return p == (int *)4096 ? n + 2 : 0;
}
