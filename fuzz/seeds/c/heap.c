// Nodes that are published, read and freed; strings; variable arguments; recursion.
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; long value; char name[12]; };
_Atomic(struct node *) head;
static long sum(int n, ...) {
    va_list list;
    va_start(list, n);
    long all = 0;
    while (n-- > 0) all += va_arg(list, long);
    va_end(list);
    return all;
}
static long length(struct node *at) { return at ? 1 + length(at->next) : 0; }
void *push(void *p) {
    struct node *made = calloc(1, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s%ld", "node", (long)p);
    made->value = sum(3, 1L, (long)p, (long)strlen(made->name));
    made->next = atomic_load(&head);
    while (!atomic_compare_exchange_weak(&head, &made->next, made));
    return made;
}
int main(void) {
    pthread_t t;
    struct node *copy = malloc(sizeof *copy);
    pthread_create(&t, 0, push, (void *)1);
    struct node *mine = push((void *)2);
    struct node *first = atomic_exchange(&head, 0);
    memcpy(copy, first, sizeof *copy);
    free(first);
    pthread_join(t, 0);
    long n = length(atomic_load(&head)) + mine->value;
    free(copy);
    return (int)n;
}
