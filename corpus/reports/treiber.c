// A Treiber stack that frees what it pops: another thread may be about to read the node's `next`.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *_Atomic next;
};
struct node *_Atomic top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  struct node *old = atomic_load(&top);
  node->value = value;
  do
    atomic_store(&node->next, old);
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static int pop(void) {
  struct node *old = atomic_load(&top);
  struct node *next;
  do {
    if (!old)
      return -1;
    next = atomic_load(&old->next);
  } while (!atomic_compare_exchange_strong(&top, &old, next));
  int value = old->value;
  free(old);
  return value;
}

static void *popper(void *arg) {
  pop();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  push(1);
  push(2);
  pthread_create(&a, NULL, popper, NULL);
  pthread_create(&b, NULL, popper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
