/* What programs for Dartagnan include, for Raddle. Loops are followed as far as they go, and those that wait need no
 * marks: bounds and marks do nothing. */
#ifndef RADDLE_DAT3M_H
#define RADDLE_DAT3M_H

#ifdef __cplusplus
extern "C" {
#endif

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
#ifdef __cplusplus
extern bool __VERIFIER_nondet_bool(void);
#else
extern _Bool __VERIFIER_nondet_bool(void);
#endif
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_loop_bound(int);
extern unsigned int __VERIFIER_tid(void);
extern void __VERIFIER_loop_begin(void);
extern void __VERIFIER_spin_start(void);
extern void __VERIFIER_spin_end(int);

#ifdef __cplusplus
}
#endif

#define await_while(condition) \
	for (int waits_ = (__VERIFIER_loop_begin(), 0); \
	     __VERIFIER_spin_start(), waits_ = !!(condition), __VERIFIER_spin_end(!waits_), waits_;)

#endif
