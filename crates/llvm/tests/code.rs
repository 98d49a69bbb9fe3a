//! What C becomes, instruction by instruction.

mod support;

use support::{c, check, function, text, unsupported, words};

#[test]
fn arithmetic() {
    check(
        "int f(int a, unsigned char b) { return (a - 3) / (b << 1); }",
        "sub r2, r0, 3, 32
         shl r3, r1, 1, 32
         sdiv r4, r2, r3, 32
         return (r4)",
    );
}

#[test]
fn a_loop_has_no_copies() {
    check(
        "unsigned f(unsigned n) { unsigned h = 1; for (unsigned i = 0; i < n; i++) h = h * 31 + i; return h; }",
        "move r1, 1
         move r2, 0
         jump b4
         b1:
         br.ult r2, r0, b2, b3
         b2:
         mul r3, r1, 31, 32
         add r1, r3, r2, 32
         add r2, r2, 1, 32
         loop.next l0, b1
         b3:
         return (r1)
         b4:
         loop.enter l0
         jump b1",
    );
}

#[test]
fn phis_that_swap_go_through_a_third_register() {
    check(
        "int f(int a, int b) { while (a != 9) { int t = a; a = b; b = t; } return b; }",
        "jump b4
         b1:
         br.eq r0, 9, b2, b3
         b2:
         return (r1)
         b3:
         move r2, r1
         move r1, r0
         move r0, r2
         loop.next l0, b1
         b4:
         loop.enter l0
         jump b1",
    );
}

#[test]
fn comparisons_join_their_branches() {
    check(
        "int f(int a, long b) { if (a >= 5) return 1; if ((unsigned long)b <= 7) return 2; return b != 0; }",
        "br.slt r0, 5, 32, b1, b5
         b1:
         br.ult 7, r1, b2, b4
         b2:
         ne r2, r1, 0
         jump b3
         b3:
         return (r2)
         b4:
         move r2, 2
         jump b3
         b5:
         move r2, 1
         jump b3",
    );
}

#[test]
fn dependencies_of_the_source_stay() {
    check(
        "int x, y; void f(void) { int r = x; y = (r ^ r) + 1; }",
        "load r0, 17180393472, 4, plain
         xor r1, r0, r0
         add r2, r1, 1, 32
         store 17181442048, r2, 4, plain
         return ()",
    );
}

#[test]
fn members_and_elements() {
    check(
        "struct s { int n; struct { short a, b; } e[4]; }; int f(struct s *p, int i) { return p->e[i].b + p->n; }",
        "add r2, r0, 4, 64
         sext r3, r1, 32, 64
         index r4, r2, r3, 4
         add r5, r4, 2, 64
         load r6, r5, 2, plain
         sext r7, r6, 16, 32
         load r8, r0, 4, plain
         add r9, r7, r8, 32
         return (r9)",
    );
}

#[test]
fn atomics_keep_their_orders() {
    check(
        "#include <stdatomic.h>
         int f(atomic_int *p, int *q) {
           atomic_store_explicit(p, 1, memory_order_release);
           int r = atomic_load_explicit(p, memory_order_acquire) + atomic_fetch_add_explicit(p, 2, memory_order_relaxed);
           atomic_thread_fence(memory_order_seq_cst);
           atomic_signal_fence(memory_order_seq_cst);
           *q = 3;
           return r;
         }",
        "store r0, 1, 4, release
         load r2, r0, 4, acquire
         rmw r3, add, r0, 2, 4, relaxed
         add r4, r2, r3, 32
         fence seq_cst
         fence compiler
         store r1, 3, 4, plain
         return (r4)",
    );
}

#[test]
fn compare_exchange_tells_strong_from_weak() {
    let program = c(
        "#include <stdatomic.h>
         int f(atomic_int *p, int *e) { return atomic_compare_exchange_strong(p, e, 2); }
         int g(atomic_int *p, int *e) { return atomic_compare_exchange_weak_explicit(p, e, 2, memory_order_acq_rel, memory_order_relaxed); }
         int main(void) { return 0; }",
        &[],
    );
    assert!(text(&program, "f").contains("4, seq_cst, seq_cst"), "{}", text(&program, "f"));
    assert!(text(&program, "g").contains("4, acq_rel, relaxed"), "{}", text(&program, "g"));
    assert!(words(&program, "f").contains(&"cas") && words(&program, "g").contains(&"cas.weak"));
}

#[test]
fn switches_have_tables() {
    let program = c(
        "int f(int a) { switch (a) { case -1: return 5; case 7: case 8: return 6; default: return 0; } } int main(void) { return f(7); }",
        &[],
    );
    let cases: Vec<u64> = function(&program, "f").tables[0].cases.iter().map(|case| case.0).collect();
    assert_eq!(cases, [7, 8, 0xffff_ffff]);
}

#[test]
fn a_switch_of_128_bits_asks_one_case_after_the_other() {
    let program = c(
        "int f(__int128 a) { switch (a) { case (__int128)1 << 100: return 1; case -1: return 2; default: return 3; } } int main(void) { return 0; }",
        &[],
    );
    let f = function(&program, "f");
    assert!(f.tables.is_empty() && unsupported(&program).is_empty());
    assert!(f.constants.windows(2).any(|pair| pair == [0, 1 << 36]), "the case 1 << 100 is a pair of constants");
}

#[test]
fn integers_of_128_bits_take_pairs() {
    check(
        "typedef unsigned __int128 u; unsigned long f(u *p, unsigned long b) { u x = *p * b; *p = x; return x >> 64; }",
        "add r4, r0, 8, 64
         load r2, r0, 8, plain
         load r3, r4, 8, plain
         move r5, r1
         move r6, 0
         wide r7, mul, r2, r5, 128
         add r9, r0, 8, 64
         store r0, r7, 8, plain
         store r9, r8, 8, plain
         wide r10, lshr, r7, 64, 128
         return (r10)",
    );
}

#[test]
fn bit_fields_are_masks_and_shifts() {
    let program = c("struct { unsigned a : 3, b : 7; } s; void f(int v) { s.b = v; } int main(void) { f(5); return s.b; }", &[]);
    assert_eq!(words(&program, "f"), ["trunc", "load", "and", "shl", "and", "or", "store", "return"]);
}

#[test]
fn structures_go_through_registers_or_copies() {
    let program = c(
        "struct small { int a; float b; }; struct big { long a[5]; };
         static struct small f(struct small s) { s.a++; return s; }
         static long g(struct big b) { return b.a[4]; }
         int main(void) { struct small s = {1, 2}; struct big b = {{0, 0, 0, 0, 5}}; return f(s).a + g(b); }",
        &[],
    );
    let (f, g) = (function(&program, "f"), function(&program, "g"));
    assert_eq!((f.parameters, f.results), (1, 1));
    assert_eq!((g.parameters, g.results), (1, 1));
    // The copy lives for the time of the call.
    let words = words(&program, "main");
    let save = words.iter().position(|w| *w == "stack.save").unwrap();
    assert_eq!(words[save..save + 5], ["stack.save", "alloca", "copy", "call", "stack.restore"]);
}

#[test]
fn variable_arguments() {
    let program = c(
        "#include <stdarg.h>
         int f(int n, ...) { va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; }
         int main(void) { return f(1, 2, 3.0, 4L); }",
        &[],
    );
    assert!(function(&program, "f").variadic && words(&program, "f").contains(&"va.start"));
    assert!(text(&program, "main").contains("(1 2 4613937818241073152 4)"), "{}", text(&program, "main"));
}

#[test]
fn calls_through_pointers_and_by_name() {
    let program = c(
        "#include <stdlib.h>
         static int one(int a) { return a; }
         int f(int (*p)(int)) { return p(1) + one(2); }
         void (*release)(void *) = free;
         int main(void) { release(malloc(f(one))); return 0; }",
        &[],
    );
    assert_eq!(words(&program, "f"), ["call.pointer", "call", "add", "return"]);
    assert!(text(&program, "free").starts_with("call.extern"), "a declared function whose address is taken has a stand-in");
}

#[test]
fn a_call_with_another_signature_goes_through_the_address() {
    let program = c("int f(); int main(void) { return f(1); } int f(a, b) int a; int b; { return a; }", &["-std=c99", "-w"]);
    assert!(words(&program, "main").contains(&"call.pointer"));
}

#[test]
fn computed_goto_is_a_switch() {
    let program = c(
        "int f(const unsigned char *p) {
           static void *to[] = {&&inc, &&end}; int a = 0;
           goto *to[*p++]; inc: a++; goto *to[*p++]; end: return a;
         }
         int main(void) { return f((unsigned char[]){0, 0, 1}); }",
        &[],
    );
    assert!(words(&program, "f").contains(&"switch") && unsupported(&program).is_empty());
    let table = program.globals.iter().find(|g| g.name == "to").unwrap();
    assert_ne!(table.bytes[..8], table.bytes[8..], "blocks have different numbers");
    assert_ne!(table.bytes[..8], [0; 8], "and none is zero");
}

#[test]
fn vectors_fall_apart_into_lanes() {
    let program = c(
        "void f(int *restrict a, const int *restrict b) { for (int i = 0; i < 64; i++) a[i] += b[i] * 3; } int main(void) { return 0; }",
        &["-O2"],
    );
    let words = words(&program, "f");
    assert!(words.iter().filter(|w| **w == "mul").count() >= 4, "{words:?}");
    assert!(unsupported(&program).is_empty());
}

#[test]
fn a_vector_of_bits_is_packed() {
    let program = c(
        "typedef int v4 __attribute__((vector_size(16)));
         typedef unsigned char b16 __attribute__((vector_size(16)));
         int f(v4 a, v4 b) { v4 c = a < b; b16 d = (b16)c; return d[5] + c[a[0] & 3]; }
         int main(void) { return 0; }",
        &[],
    );
    assert!(unsupported(&program).is_empty());
    assert_eq!(function(&program, "f").parameters, 8);
}

#[test]
fn barriers_in_assembly() {
    check(
        r#"void f(void) {
           __asm__ volatile("" ::: "memory"); __asm__ volatile("mfence" ::: "memory"); __asm__ volatile("lwsync");
           __asm__ volatile("dmb ishst" ::: "memory"); __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory"); __asm__ volatile("pause");
         }"#,
        "fence compiler
         fence mfence
         fence lwsync
         fence dmb.st
         fence mfence
         return ()",
    );
}

#[test]
fn barriers_as_builtins() {
    check(
        "void f(void) { __builtin_ia32_mfence(); __builtin_ia32_sfence(); __builtin_ia32_pause(); __sync_synchronize(); }",
        "fence mfence
         fence sfence
         fence seq_cst
         return ()",
    );
}

#[test]
fn assembly_that_only_hides_a_value() {
    check(r#"int f(int a) { __asm__ volatile("" : "+r"(a)); return a; }"#, "return (r0)");
}
