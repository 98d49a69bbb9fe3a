/* The flag is set and cleared again, and the thread that missed it does not post what main waits for: a deadlock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
atomic_int flag; sem_t s;
static void *f(void *p) { while (!atomic_load(&flag)) ; sem_post(&s); return p; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0); atomic_store(&flag, 1); atomic_store(&flag, 0); sem_wait(&s); pthread_join(t, 0); return 0; }
