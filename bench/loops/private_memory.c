#include <stdio.h>
#ifndef N
#define N 1000000
#endif
int main(void) { unsigned a[64]; for (int i = 0; i < 64; i++) a[i] = i; for (unsigned i = 0; i < N; i++) { unsigned v = a[i & 63]; a[i & 63] = v * 31 + i; } printf("%u\n", a[7]); return 0; }
