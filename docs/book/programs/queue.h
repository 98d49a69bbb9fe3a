#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 2

/* A queue for one producer and one consumer. */
struct queue {
	int slots[SIZE];
	atomic_uint head, tail;
};

static inline bool put(struct queue *queue, int value)
{
	unsigned head = atomic_load_explicit(&queue->head, memory_order_relaxed);
	if (head - atomic_load_explicit(&queue->tail, memory_order_acquire) == SIZE)
		return false;
	queue->slots[head % SIZE] = value;
	atomic_store_explicit(&queue->head, head + 1, memory_order_release);
	return true;
}

static inline bool get(struct queue *queue, int *value)
{
	unsigned tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
	if (atomic_load_explicit(&queue->head, memory_order_acquire) == tail)
		return false;
	*value = queue->slots[tail % SIZE];
	atomic_store_explicit(&queue->tail, tail + 1, memory_order_release);
	return true;
}
