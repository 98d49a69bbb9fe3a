// A lost wake-up: the consumer looks at `ready` without the lock, and the signal comes before it waits.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
atomic_int ready;

static void *producer(void *arg) {
  atomic_store(&ready, 1);
  pthread_cond_signal(&changed);
  return NULL;
}

static void *consumer(void *arg) {
  if (!atomic_load(&ready)) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
