// Two threads take two locks in opposite order; a condition is waited for.
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t s;
int ready;
void *other(void *p) {
    pthread_mutex_lock(&b);
    ready = 1;
    pthread_cond_signal(&c);
    if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    sem_post(&s);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return p;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&b);
    while (!ready) pthread_cond_wait(&c, &b);
    pthread_mutex_unlock(&b);
    sem_wait(&s);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
