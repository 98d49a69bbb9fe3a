/* Arithmetic of every kind over values that are loaded from shared memory: out of order they are not known when the code that uses them is fetched. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <string.h>
#include <stdlib.h>
#include <stdio.h>
_Atomic unsigned long a = 12345678901ul, b = 987654321ul; _Atomic unsigned c = 77; atomic_int d = -5; _Atomic double e = 2.5;
static unsigned long sum(int n, ...) { va_list l; va_start(l, n); unsigned long s = 0; for (int i = 0; i < n; i++) s = s * 31 + va_arg(l, unsigned long); va_end(l); return s; }
static unsigned long twice(unsigned long x) { return 2 * x; }
static unsigned long thrice(unsigned long x) { return x < 10 ? x : thrice(x / 3) + 1; }
struct S { unsigned long p, q; unsigned char bytes[8]; };
static unsigned long work(void) {
  unsigned long x = atomic_load_explicit(&a, memory_order_relaxed), y = atomic_load_explicit(&b, memory_order_relaxed);
  unsigned z = atomic_load_explicit(&c, memory_order_relaxed); int w = atomic_load_explicit(&d, memory_order_relaxed); double f = atomic_load_explicit(&e, memory_order_relaxed);
  unsigned __int128 big = (unsigned __int128)x * y + z;
  struct S s = { x, y, {0} }, t; memcpy(s.bytes, &x, 8); t = s; t.bytes[3] ^= (unsigned char)z;
  unsigned long back; memcpy(&back, t.bytes, 8);
  unsigned long r = sum(4, x, y, (unsigned long)z, back);
  unsigned long (*g)(unsigned long) = w < 0 ? twice : thrice;
  r ^= g(x) + thrice(y) + (unsigned long)(big >> 64) + (unsigned long)big;
  switch (z & 3) { case 0: r += 1; break; case 1: r += w / 2; break; default: r += 99; }
  r += (unsigned long)(f * w * -3.25) + (x % (z + 1)) + (unsigned long)(w >> 1);
  unsigned long arr[8]; for (int i = 0; i < 8; i++) arr[i] = x >> i; arr[z & 7] = y; for (int i = 0; i < 8; i++) r = r * 3 + arr[i];
  char text[64]; snprintf(text, sizeof text, "%lu %d", y, w); r += strlen(text) + text[2];
  unsigned old = atomic_fetch_add_explicit(&c, z * 2, memory_order_relaxed); r += old + atomic_load_explicit(&c, memory_order_relaxed);
  int expected = w; r += atomic_compare_exchange_strong(&d, &expected, 7) + d;
  return r;
}
unsigned long result;
void *left(void *p) { result = work(); return 0; }
void *right(void *p) { return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, left, 0); pthread_create(&t, 0, right, 0); pthread_join(s, 0); pthread_join(t, 0);
#ifdef EXPECTED
 assert(result == EXPECTED);
#else
 printf("%lu\n", result);
#endif
 return 0; }
