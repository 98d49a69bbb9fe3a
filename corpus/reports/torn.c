// A structure of two words is copied while another thread writes it: the copy has one old and one new half.
#include <assert.h>
#include <pthread.h>

struct point {
  long x, y;
} shared;

static void *mover(void *arg) {
  struct point next = {1, 1};
  shared = next;
  return NULL;
}

static void *reader(void *arg) {
  struct point seen = shared;
  assert(seen.x == seen.y);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, mover, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
