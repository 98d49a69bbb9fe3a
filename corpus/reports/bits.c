// Two bit-fields in one word: each thread has its own, but a store to one writes the other too.
#include <pthread.h>

struct {
  unsigned busy : 1;
  unsigned done : 1;
} state;

static void *worker(void *arg) {
  state.busy = 1;
  return NULL;
}

static void *watcher(void *arg) {
  state.done = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, watcher, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
