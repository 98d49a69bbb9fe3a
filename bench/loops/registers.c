#include <stdio.h>
#ifndef N
#define N 1000000
#endif
int main(void) { unsigned h = 1; for (unsigned i = 0; i < N; i++) h = h * 31 + i; printf("%u\n", h); return 0; }
