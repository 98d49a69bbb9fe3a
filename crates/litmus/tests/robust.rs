//! No text makes the reader panic, overflow its stack or hang.

use proptest::prelude::*;
use raddle_litmus::read;
use raddle_program::verify;

/// Tests of every kind, to be damaged.
const SEEDS: [&str; 6] = [
    "X86 a\n{ x=1; int y[2]={1,2}; 0:EAX=x; }\n P0 | P1 ;\n MOV [x],$1 | L: XCHG [y],EAX ;\n LOCK INC [x] | JNE L ;\nexists (0:EAX=1 /\\ not ([x]=2 \\/ y[1]=3))",
    "X86_64 b\n{ uint64_t x; }\n P0;\n movq $1,(x);\n cmpxchgl %ebx,8(%rax);\n cmovne %ecx,%edx;\nforall (x=1 => 0:rax=0)",
    "PPC c\n{ 0:r2=x; p=x; }\n P0 ;\n lwarx r1,r0,r2;\n xor. r3,r1,r1;\n lwzx r4,r3,r2;\n cmpwi cr1,r1,2;\n beq cr1,L;\n L: stwcx. r1,r0,r2;\nlocations [0:r1;x;] filter (x=1)\n~exists (0:r4=x)",
    "AArch64 d\n{ 0:X1=x; 0:X9=p; int* p=&x; }\n P0;\n LDR W0,[X1,W2,SXTW #2];\n STLXR W3,W0,[X1];\n LDADDAL W0,W4,[X1];\n CMP W0,#3;\n B.LT L;\n STR X1,[X9],#8;\n L: DMB ISHLD;\nexists (0:X0=1)",
    "C e\n{ int x=1; atomic_int y; }\nP0(atomic_int* y, int* x) {\n int r0 = atomic_fetch_add_explicit(y, 2, memory_order_relaxed);\n while (r0 < 3 && *x) { r0 += 1; }\n}\nP1(int* x) { int e = 0; if (atomic_compare_exchange_weak(x, &e, 1)) *x = 2; else x[0]--; }\nexists (0:r0=1 /\\ x=2)",
    "C f\n{}\n// a comment\nP0(volatile long* x) { for (int i = 0; i < 3; i++) { *x = i ? ~i : (char) -i; } /* end */ }\nforall true",
];

/// Words and signs that mean something somewhere.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "|",
    ":",
    "=",
    "*",
    "&",
    "$",
    "#",
    "%",
    "!",
    "-",
    "~",
    "/\\",
    "\\/",
    "=>",
    "not",
    "exists",
    "(*",
    "*)",
    "\"",
    "0",
    "4294967296",
    "-9223372036854775808",
    "0x",
    "int",
    "P0",
    "P1",
    "x",
    "LOCK",
    "SXTW",
    "r0",
    "X0",
    "\r\n",
];

/// Reads it; what is read must be sound and printable.
fn check(text: &str) {
    if let Ok(test) = read("t.litmus", text) {
        verify(&test.program).unwrap();
        let values = vec![u64::MAX; test.observed.len()];
        test.state(&values);
        test.holds(&values);
        test.passes_filter(&values);
    }
}

#[test]
fn the_seeds_are_tests() {
    for seed in SEEDS {
        read("t.litmus", seed).unwrap_or_else(|error| panic!("{error}\n{seed}"));
    }
}

#[test]
fn every_beginning_is_safe() {
    for seed in SEEDS {
        for (end, _) in seed.char_indices() {
            check(&seed[..end]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_safe(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces_are_safe(arch in 0..5usize, pieces in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let body: Vec<&str> = pieces.into_iter().map(|n| PIECES[n]).collect();
        let arch = ["X86", "X86_64", "PPC", "AArch64", "C"][arch];
        check(&format!("{arch} a\n{{ {}", body.join(" ")));
    }

    #[test]
    fn damaged_tests_are_safe(seed in 0..SEEDS.len(), damage in proptest::collection::vec((any::<prop::sample::Index>(), 0..6usize, 0..PIECES.len()), 1..6)) {
        let mut text: Vec<char> = SEEDS[seed].chars().collect();
        for (at, length, piece) in damage {
            let start = at.index(text.len() + 1);
            let end = (start + length).min(text.len());
            text.splice(start..end, PIECES[piece].chars());
        }
        check(&text.into_iter().collect::<String>());
    }
}
