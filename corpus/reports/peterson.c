// Peterson's lock without a fence: on x86 both threads get in. Each store of `wants` is still in the store buffer
// while the other thread reads it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int turn;
int inside;

static void lock(int me) {
  atomic_store_explicit(&wants[me], 1, memory_order_release);
  atomic_store_explicit(&turn, !me, memory_order_release);
  while (atomic_load_explicit(&wants[!me], memory_order_acquire) && atomic_load_explicit(&turn, memory_order_acquire) == !me)
    ;
}

static void unlock(int me) { atomic_store_explicit(&wants[me], 0, memory_order_release); }

static void *first(void *arg) {
  lock(0);
  inside++;
  assert(inside == 1);
  inside--;
  unlock(0);
  return NULL;
}

static void *second(void *arg) {
  lock(1);
  inside++;
  assert(inside == 1);
  inside--;
  unlock(1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
