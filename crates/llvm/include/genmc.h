/* What programs for GenMC include, for Raddle. Loops that wait need no marks here, so that those do nothing; hints about
 * stores and compare-exchanges leave what they stand around as it is. Hazard pointers and persistent memory are declared
 * and not known: a program that reaches them is unsupported. */
#ifndef RADDLE_GENMC_H
#define RADDLE_GENMC_H

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);
int __VERIFIER_opt_begin(void);

typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*run)(void *), void *argument)
{
	__VERIFIER_thread_t thread;
	if (pthread_create(&thread, NULL, run, argument) != 0)
		abort();
	return thread;
}
static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*run)(void *), void *argument, __VERIFIER_thread_t like)
{
	(void)like;
	return __VERIFIER_spawn(run, argument);
}
static inline void *__VERIFIER_join(__VERIFIER_thread_t thread)
{
	void *result = NULL;
	pthread_join(thread, &result);
	return result;
}
static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) { __VERIFIER_join(thread); }

#define __VERIFIER_local_write(s) do { s; } while (0)
#define __VERIFIER_final_write(s) do { s; } while (0)
#define __VERIFIER_helped_CAS(c) do { (void)(c); } while (0)
#define __VERIFIER_helping_CAS(c) do { (void)(c); } while (0)
#define __VERIFIER_speculative_read(c) (c)
#define __VERIFIER_confirming_read(c) (c)
#define __VERIFIER_confirming_CAS(c) (c)
#define __VERIFIER_final_CAS(c) (c)
#define __VERIFIER_optional(x) \
	do { \
		if (__VERIFIER_opt_begin()) { \
			x; \
			__VERIFIER_assume(0); \
		} \
	} while (0)

typedef struct {
	void *protected_;
} __VERIFIER_hp_t;
__VERIFIER_hp_t *__VERIFIER_hazptr_alloc(void);
void __VERIFIER_hazptr_protect(__VERIFIER_hp_t *, void *);
void __VERIFIER_hazptr_clear(__VERIFIER_hp_t *);
void __VERIFIER_hazptr_free(__VERIFIER_hp_t *);
void __VERIFIER_hazptr_retire(void *);
#define __VERIFIER_hp_alloc() __VERIFIER_hazptr_alloc()
#define __VERIFIER_hp_clear(hp) __VERIFIER_hazptr_clear(hp)
#define __VERIFIER_hp_free(hp) __VERIFIER_hazptr_free(hp)
#define __VERIFIER_hp_retire(p) __VERIFIER_hazptr_retire(p)
#define __VERIFIER_hp_protect(hp, p) \
	({ \
		void *found_ = __atomic_load_n((void **)(p), __ATOMIC_ACQUIRE); \
		__VERIFIER_hazptr_protect(hp, found_); \
		found_; \
	})

void *__VERIFIER_palloc(size_t);
void __VERIFIER_pbarrier(void);

#ifdef __cplusplus
}
#endif

#endif
