// ABA: between the load of the top and the compare-exchange, another thread takes two nodes off and puts the first one
// back. The exchange succeeds with a `next` that is in use elsewhere.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  _Atomic int next;
  _Atomic int owned;
};
struct node nodes[3];
atomic_int top = 1;

static void push(int node) {
  int old = atomic_load(&top);
  do
    atomic_store(&nodes[node].next, old);
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static int pop(void) {
  int old = atomic_load(&top);
  do {
    if (!old)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &old, atomic_load(&nodes[old].next)));
  return old;
}

static void own(int node) {
  if (node)
    assert(atomic_exchange(&nodes[node].owned, 1) == 0);
}

static void *slow(void *arg) {
  pop();
  own(pop());
  return NULL;
}

static void *quick(void *arg) {
  int a = pop();
  int b = pop();
  own(b);
  if (a)
    push(a);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  nodes[1].next = 2;
  pthread_create(&a, NULL, slow, NULL);
  pthread_create(&b, NULL, quick, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
