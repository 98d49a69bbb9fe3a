// Double-checked locking without acquire and release: a reader sees the pointer before what it points to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct config {
  atomic_int size;
};
struct config storage;
struct config *_Atomic instance;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void) {
  struct config *found = atomic_load_explicit(&instance, memory_order_relaxed);
  if (!found) {
    pthread_mutex_lock(&mutex);
    found = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!found) {
      atomic_store_explicit(&storage.size, 16, memory_order_relaxed);
      found = &storage;
      atomic_store_explicit(&instance, found, memory_order_relaxed);
    }
    pthread_mutex_unlock(&mutex);
  }
  return found;
}

static void *user(void *arg) {
  assert(atomic_load_explicit(&get()->size, memory_order_relaxed) == 16);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
