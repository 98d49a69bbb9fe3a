//! What instructions and statements do, seen in the final states under sequential consistency.

mod sc;

use raddle_litmus::{Tally, read};

/// Reads the threads `code` with a head and an initial state, and compares all final states, one per line.
#[track_caller]
fn check(arch: &str, initial: &str, code: &str, end: &str, expected: &str) {
    let text = format!("{arch} test\n{{{initial}}}\n{code}\n{end}\n");
    let test = read("test.litmus", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut tally = Tally::new(&test);
    for values in sc::final_values(&test) {
        tally.add(&values, 1);
    }
    assert_eq!(tally.states().join("\n"), expected, "{text}");
}

/// One thread of X86, destination first.
#[track_caller]
fn x86(code: &str, shown: &str, expected: &str) {
    check("X86", "x=5;", &format!("P0;{code};"), &format!("locations [{shown}]"), expected);
}

#[test]
fn x86_moves() {
    x86(
        "MOV EAX,[x]; MOV [y],EAX; MOV EBX,$-1; MOV ECX,EBX; MOV [z],$2",
        "0:EAX;0:EBX;0:ECX;y;z;",
        "0:EAX=5; 0:EBX=-1; 0:ECX=-1; [y]=5; [z]=2;",
    );
    x86("MOV EAX,$300; MOV BL,AL; MOV AH,$1; MOVB [x],$7", "0:EAX;0:EBX;x;", "0:EAX=300; 0:EBX=44; [x]=7;");
    x86("MOV EAX,$1; CMP EAX,$1; CMOVE EBX,[x]; CMOVNE ECX,[x]; SETE DL", "0:EBX;0:ECX;0:EDX;", "0:EBX=5; 0:ECX=0; 0:EDX=1;");
}

#[test]
fn x86_arithmetic() {
    x86("MOV EAX,$6; ADD EAX,[x]; SUB EAX,$1; AND EAX,$14; OR EAX,$1; XOR EAX,$3", "0:EAX;", "0:EAX=8;");
    x86("INC [x]; DEC EAX; ADD [x],$10; NEG EAX; NOT EBX", "0:EAX;0:EBX;x;", "0:EAX=1; 0:EBX=-1; [x]=16;");
    x86("XOR EAX,EAX; DEC EAX; MOV [x],EAX", "0:EAX;x;", "0:EAX=-1; [x]=-1;");
}

#[test]
fn x86_atomics() {
    x86("MOV EAX,$1; XCHG [x],EAX; MOV EBX,$2; XCHG EBX,[x]; XCHG EAX,EBX", "0:EAX;0:EBX;x;", "0:EAX=1; 0:EBX=5; [x]=2;");
    x86("LOCK INC [x]; LOCK ADD [x],$3; LOCK DEC [x]; LOCK SUB [x],$1; LOCK OR [x],$8; LOCK XOR [x],$1; LOCK AND [x],$13", "x;", "[x]=12;");
    x86("MOV EBX,$3; LOCK XADD [x],EBX; MOV ECX,$1; XADD [x],ECX", "0:EBX;0:ECX;x;", "0:EBX=5; 0:ECX=8; [x]=9;");
    x86("MOV EAX,$5; MOV EBX,$9; LOCK CMPXCHG [x],EBX; SETE CL", "0:EAX;0:ECX;x;", "0:EAX=5; 0:ECX=1; [x]=9;");
    x86("MOV EBX,$9; LOCK; CMPXCHG [x],EBX; SETE CL", "0:EAX;0:ECX;x;", "0:EAX=5; 0:ECX=0; [x]=5;");
    x86("MOV EAX,$5; MOV EBX,$9; CMPXCHG [x],EBX", "0:EAX;x;", "0:EAX=5; [x]=9;");
}

#[test]
fn only_locked_updates_are_atomic() {
    let two = |code: &str| format!("P0|P1;{code}|{code};");
    check("X86", "", &two("LOCK INC [x]"), "locations [x;]", "[x]=2;");
    check("X86", "", &two("INC [x]"), "locations [x;]", "[x]=1;\n[x]=2;");
    check("X86_64", "", &two("lock addl $1,(x)"), "locations [x;]", "[x]=2;");
    check("X86_64", "", &two("addl $1,(x)"), "locations [x;]", "[x]=1;\n[x]=2;");
}

#[test]
fn x86_jumps() {
    let taken = |jump: &str, a: i32, b: i32| {
        let code = format!("MOV EAX,${a}; CMP EAX,${b}; {jump} L; MOV EBX,$1; L: MFENCE");
        let test = read("t", &format!("X86 t\n{{}}\nP0;{code};\nforall (0:EBX=0)")).unwrap();
        sc::final_values(&test).iter().all(|values| test.holds(values))
    };
    let all = ["JE", "JNE", "JL", "JLE", "JG", "JGE", "JB", "JBE", "JA", "JAE", "JS", "JNS"];
    let taken_of = |a, b| all.into_iter().filter(|jump| taken(jump, a, b)).collect::<Vec<_>>().join(" ");
    assert_eq!(taken_of(1, 1), "JE JLE JGE JBE JAE JNS");
    assert_eq!(taken_of(1, 2), "JNE JL JLE JB JBE JS");
    assert_eq!(taken_of(-1, 2), "JNE JL JLE JA JAE JS");
    assert_eq!(taken_of(2, i32::MIN), "JNE JG JGE JB JBE JS");
    x86(
        "MOV EAX,$3; L: INC EBX; DEC EAX; JNZ L; TEST EAX,EAX; JZ M; MOV EBX,$0; M: JMP N; MOV EBX,$9; N: NOP",
        "0:EAX;0:EBX;",
        "0:EAX=0; 0:EBX=3;",
    );
}

#[test]
fn parts_of_other_sizes_are_cut() {
    x86("MOV EAX,$0x1ff; MOV BL,EAX; MOVB [x],EAX; MOV ECX,BL", "0:EBX;0:ECX;x;", "0:EBX=255; 0:ECX=255; [x]=255;");
    check("X86_64", "", "P0;movq $-1,%rax; mov %rax,%ebx; movb %eax,(x);", "locations [0:rbx;x;]", "0:rbx=-1; [x]=255;");
    aarch64(
        "MOV X3,#-1; ADD W4,X3,#0; LSR W5,X3,#4; SWP X3,W6,[X2]; MOV W7,#1,LSL #33; ADD W8,W4,#1",
        "0:X4;0:X5;0:X6;0:X7;0:X8;",
        "0:X4=-1; 0:X5=-1; 0:X6=0; 0:X7=0; 0:X8=0;",
    );
}

#[test]
fn x86_addresses() {
    check(
        "X86",
        "0:EAX=x; x=-1;",
        "P0;MOV EBX,[EAX]; CMP EBX,$-1; JNE L; LOCK ADD [EAX],$3; L:;",
        "locations [0:EBX;x]",
        "0:EBX=-1; [x]=2;",
    );
    check("X86", "0:EAX=x; x=7;", "P0;MOV EBX,[EAX]; MOV [EAX],$2;", "exists (0:EBX=7 /\\ x=2)", "0:EBX=7; [x]=2;");
    check("X86", "p=x; x=7;", "P0;MOV EAX,[p]; MOV EBX,[EAX]; MOV [p],$-1;", "locations [0:EAX;0:EBX;p]", "0:EAX=x; 0:EBX=7; [p]=-1;");
}

#[test]
fn x86_64_has_its_destination_last() {
    let code = "P0;movl $1,(x); movl (x),%eax; movq $-2,%rbx; movq %rbx,[y]; movb $3,%cl; movl %ebx,%edx;";
    let end = "locations [x;y;0:rax;0:RBX;0:rcx;0:rdx int;]";
    check("X86_64", "int64_t y;", code, end, "0:rax=1; 0:rbx=-2; 0:rcx=3; 0:rdx=-2; [x]=1; [y]=-2;");
    let code = "P0;movl $4,%eax; movl $6,%r8d; lock cmpxchgl [x],%r8d; addl $1,4(%rdi); xchgl %eax,(%rdi);";
    check("X86_64", "0:rdi=a; int a[2]={1,2}; x=4;", code, "locations [x;a;0:rax;]", "0:rax=1; a={4,3}; [x]=6;");
    check("X86_64", "", "P0;movq (x),%rax; addq $1,%rax; cmpq $1,%rax; jne L; movq %rax,(x); L:;", "locations [x;]", "[x]=1;");
}

/// One thread of PPC with `r1` pointing at `x`, which is 5, and `r2` at `y`.
#[track_caller]
fn ppc(code: &str, shown: &str, expected: &str) {
    check("PPC", "0:r1=x; 0:r2=y; x=5;", &format!("P0;{code};"), &format!("locations [{shown}]"), expected);
}

#[test]
fn ppc_computes() {
    ppc("li r3,-1; stw r3,0(r2); lwz r4,0(r2); mr r5,r4", "0:r3;0:r4;0:r5;y;", "0:r3=-1; 0:r4=-1; 0:r5=-1; [y]=-1;");
    ppc(
        "lwz r3,0(r1); xor r4,r3,r3; lwzx r5,r4,r1; addi r6,r4,7; stwx r6,r4,r2; lwzx r7,r0,r2",
        "0:r4;0:r5;0:r7;y;",
        "0:r4=0; 0:r5=5; 0:r7=7; [y]=7;",
    );
    ppc(
        "li r3,12; li r4,10; add r5,r3,r4; sub r6,r3,r4; and r7,r3,r4; or r8,r3,r4; subf r9,r3,r4",
        "0:r5;0:r6;0:r7;0:r8;0:r9;",
        "0:r5=22; 0:r6=2; 0:r7=8; 0:r8=14; 0:r9=-2;",
    );
    ppc(
        "sync; lwsync; eieio; isync; li r3,1; subi r3,r3,3; ori r4,r3,0; mulli r5,r3,3; neg r6,r5",
        "0:r3;0:r5;0:r6;",
        "0:r3=-2; 0:r5=-6; 0:r6=6;",
    );
    ppc("li r3,-1; clrldi r4,r3,32; extsw r5,r4; blr; li r5,0", "0:r4 uint64_t;0:r5;", "0:r4=4294967295; 0:r5=-1;");
    check("PPC", "int64_t x; 0:r1=x;", "P0;li r3,-3; std r3,0(r1); ld r4,0(r1);", "locations [0:r4;x;]", "0:r4=-3; [x]=-3;");
}

#[test]
fn ppc_branches() {
    let taken = |jump: &str, a: i32| {
        let code = format!("li r3,{a}; cmpwi r3,2; {jump} L; li r4,1; L: sync");
        let test = read("t", &format!("PPC t\n{{}}\nP0;{code};\nforall (0:r4=0)")).unwrap();
        sc::final_values(&test).iter().all(|values| test.holds(values))
    };
    let all = ["beq", "bne", "blt", "ble", "bgt", "bge"];
    let taken_of = |a| all.into_iter().filter(|jump| taken(jump, a)).collect::<Vec<_>>().join(" ");
    assert_eq!(taken_of(2), "beq ble bge");
    assert_eq!(taken_of(-1), "bne blt ble");
    assert_eq!(taken_of(3), "bne bgt bge");
    ppc(
        "li r3,3; L: addi r4,r4,2; addi r3,r3,-1; cmpw cr1,r3,r5; bne cr1,L; b M; li r4,0; M: andi. r6,r4,1; beq N; li r4,9; N:",
        "0:r4;",
        "0:r4=6;",
    );
}

#[test]
fn ppc_reservations() {
    let one = "lwarx r3,r0,r1; addi r3,r3,1; stwcx. r3,r0,r1; bne E; li r4,1; E:";
    ppc(one, "0:r4;x;", "0:r4=0; [x]=5;\n0:r4=1; [x]=6;");
    // The location goes to another value and back: the store must fail all the same.
    let code = "P0|P1;lwarx r3,r0,r1|li r2,1; lwz r5,0(r6)|stw r2,0(r1); stwcx. r7,r0,r1|li r2,0; bne E|stw r2,0(r1); li r4,1|; E:|;";
    let initial = "0:r1=x; 0:r6=x; 0:r7=2; 1:r1=x;";
    let end = "exists (0:r3=0 /\\ 0:r5=1 /\\ 0:r4=1)";
    let test = read("t", &format!("PPC t\n{{{initial}}}\n{code}\n{end}")).unwrap();
    assert!(sc::final_values(&test).iter().all(|values| !test.holds(values)));
}

/// One thread of AArch64 with `X1` pointing at `x`, which is 5, and `X2` at the 64-bit `y`.
#[track_caller]
fn aarch64(code: &str, shown: &str, expected: &str) {
    check("AArch64", "0:X1=x; 0:X2=y; x=5; int64_t y;", &format!("P0;{code};"), &format!("locations [{shown}]"), expected);
}

#[test]
fn aarch64_moves_and_addresses() {
    aarch64(
        "MOV W3,#1; MOV X4,#-1; MOV W5,W4; MVN W6,W3; NEG X7,X3",
        "0:X3;0:X4;0:X5;0:X6;0:X7;",
        "0:X3=1; 0:X4=-1; 0:X5=-1; 0:X6=-2; 0:X7=-1;",
    );
    aarch64(
        "LDR W3,[X1]; EOR W4,W3,W3; LDR W5,[X1,W4,SXTW]; ADD X6,X1,W4,SXTW; LDR W7,[X6,#0]; STR X7,[X2,X4]",
        "0:X5;0:X7;y;",
        "0:X5=5; 0:X7=5; [y]=5;",
    );
    let array = "int a[4]={1,2,3,4}; 0:X1=a; 0:X9=a[2];";
    let code = "P0;MOV W2,#3; LDR W3,[X1,W2,UXTW #2]; LDR W4,[X1,#4]!; LDR W5,[X1],#4; STR W2,[X1]; STR W2,[X9,#-8]; LDP W6,W7,[X9];";
    check("AArch64", array, code, "locations [0:X3;0:X4;0:X5;0:X6;0:X7;a]", "0:X3=4; 0:X4=2; 0:X5=2; 0:X6=3; 0:X7=4; a={3,2,3,4};");
    aarch64(
        "MOV W3,#0x1ff; STRB W3,[X1]; LDRB W4,[X1]; LDRSB W5,[X1]; STRH W3,[X2]; LDRH W6,[X2]",
        "0:X4;0:X5;0:X6;",
        "0:X4=255; 0:X5=-1; 0:X6=511;",
    );
    aarch64("STR XZR,[X2]; MOV W3,#7; STR WZR,[X1]; LDR WZR,[X1]; ADD W3,W3,WZR", "0:X3;x;", "0:X3=7; [x]=0;");
}

#[test]
fn aarch64_computes() {
    aarch64(
        "MOV W3,#12; MOV W4,#10; ADD W5,W3,W4; SUB W6,W4,W3; AND W7,W3,W4; ORR W8,W3,W4; BIC W9,W3,W4; EOR W10,W3,#1",
        "0:X5;0:X6;0:X7;0:X8;0:X9;0:X10;",
        "0:X5=22; 0:X6=-2; 0:X7=8; 0:X8=14; 0:X9=4; 0:X10=13;",
    );
    aarch64(
        "MOV X3,#3; LSL X4,X3,#2; ADD X5,X3,X4,LSL #1; MUL X6,X5,X3; LSR W7,W6,#1; SXTW X8,W7",
        "0:X4;0:X5;0:X6;0:X7;0:X8;",
        "0:X4=12; 0:X5=27; 0:X6=81; 0:X7=40; 0:X8=40;",
    );
    aarch64(
        "MOV W3,#1; CMP W3,#2; CSET W4,LT; CSEL W5,W3,W4,EQ; SUBS W6,W3,#1; CSET W7,EQ; DMB SY; DMB ISHLD; DSB ST; ISB",
        "0:X4;0:X5;0:X6;0:X7;",
        "0:X4=1; 0:X5=1; 0:X6=0; 0:X7=1;",
    );
}

#[test]
fn aarch64_branches() {
    let taken = |jump: &str, a: i64| {
        let code = format!("MOV X3,#{a}; CMP W3,#2; {jump}; MOV W4,#1; L: NOP");
        let test = read("t", &format!("AArch64 t\n{{}}\nP0;{code};\nforall (0:X4=0)")).unwrap();
        sc::final_values(&test).iter().all(|values| test.holds(values))
    };
    let all = ["EQ", "NE", "LT", "LE", "GT", "GE", "LO", "LS", "HI", "HS", "MI", "PL", "VS", "VC"];
    let taken_of = |a| all.into_iter().filter(|c| taken(&format!("B.{c} L"), a)).collect::<Vec<_>>().join(" ");
    assert_eq!(taken_of(2), "EQ LE GE LS HS PL VC");
    assert_eq!(taken_of(1), "NE LT LE LO LS MI VC");
    assert_eq!(taken_of(-1), "NE LT LE HI HS MI VC");
    assert_eq!(taken_of(i32::MIN as i64), "NE LT LE HI HS PL VS");
    assert!(taken("CBZ W4,L", 1) && !taken("CBNZ W4,L", 1) && taken("CBNZ X3,L", 1));
    assert!(taken("TBNZ X3,#1,L", 2) && taken("TBZ W3,#0,L", 2) && !taken("TBZ W3,#1,L", 2) && taken("B L", 0));
}

#[test]
fn aarch64_atomics() {
    aarch64(
        "MOV W3,#7; SWPAL W3,W4,[X1]; MOV W5,#7; MOV W6,#9; CASA W5,W6,[X1]; CASL W5,W3,[X1]",
        "0:X4;0:X5;x;",
        "0:X4=5; 0:X5=9; [x]=9;",
    );
    aarch64(
        "MOV W3,#3; LDADD W3,W4,[X1]; LDCLRA W3,W5,[X1]; LDSETL W3,W6,[X1]; LDEORAL W3,W7,[X1]; STADD W3,[X1]; STSETL W4,[X1]",
        "0:X4;0:X5;0:X6;0:X7;x;",
        "0:X4=5; 0:X5=8; 0:X6=8; 0:X7=11; [x]=15;",
    );
    aarch64("LDAXR W3,[X1]; ADD W3,W3,#1; STLXR W4,W3,[X1]", "0:X4;x;", "0:X4=0; [x]=6;\n0:X4=1; [x]=5;");
    aarch64(
        "LDAR W3,[X1]; LDAPR W4,[X1]; STLR X3,[X2]; LDXR W5,[X1]; STXR W6,W5,[X1]; CBNZ W6,E; MOV W7,#1; E:",
        "0:X3;0:X4;0:X7;y;",
        "0:X3=5; 0:X4=5; 0:X7=0; [y]=5;\n0:X3=5; 0:X4=5; 0:X7=1; [y]=5;",
    );
}

/// One function of C with the locations `x`, which is 5, `y` and the array `a`.
#[track_caller]
fn c(code: &str, shown: &str, expected: &str) {
    let head = "P0(atomic_int* x, int* y, volatile int* a)";
    check("C", "int x=5; int a[3]={1,2,3};", &format!("{head} {{ {code} }}"), &format!("locations [{shown}]"), expected);
}

#[test]
fn c_accesses() {
    c(
        "int r0 = atomic_load_explicit(x, memory_order_acquire); *y = r0 + 1; atomic_store(x, *y * 2);",
        "0:r0;x;y;",
        "0:r0=5; [x]=12; [y]=6;",
    );
    c("int r0 = a[1]; int r1 = *(a + 2); a[0] = r0 * r1; int *p = &a[1]; *p = 9; int r2 = p[-1];", "0:r2;a;", "0:r2=6; a={6,9,3};");
    c(
        "int r0 = READ_ONCE(*y); WRITE_ONCE(*y, r0 - 1); smp_mb(); int r1 = smp_load_acquire(x); smp_store_release(x, -2);",
        "0:r1;x;y;",
        "0:r1=5; [x]=-2; [y]=-1;",
    );
    c("r0 = *x; atomic_thread_fence(memory_order_seq_cst); *x = 3;", "0:r0;x;", "0:r0=5; [x]=3;");
}

#[test]
fn c_read_modify_writes() {
    c(
        "int r0 = atomic_fetch_add(x, 2); int r1 = atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); int r2 = atomic_exchange(x, 12);",
        "0:r0;0:r1;0:r2;x;",
        "0:r0=5; 0:r1=7; 0:r2=6; [x]=12;",
    );
    c("atomic_fetch_or(x, 8); atomic_fetch_and(x, 12); int r0 = atomic_fetch_xor(x, 1);", "0:r0;x;", "0:r0=12; [x]=13;");
    c(
        "int e = 4; int r0 = atomic_compare_exchange_strong_explicit(x, &e, 9, memory_order_acq_rel, memory_order_relaxed); int r1 = atomic_compare_exchange_strong(x, &e, 9);",
        "0:e;0:r0;0:r1;x;",
        "0:e=5; 0:r0=0; 0:r1=1; [x]=9;",
    );
    c("int r0 = atomic_compare_exchange_weak(x, y, 9);", "0:r0;x;y;", "0:r0=0; [x]=5; [y]=5;");
}

#[test]
fn c_expressions() {
    c(
        "int r0 = 2 + 3 * 4 - 10 / 3 % 2; int r1 = (1 << 4 | 3) ^ 2 & ~1; int r2 = -7 / 2; int r3 = -8 >> 1;",
        "0:r0;0:r1;0:r2;0:r3;",
        "0:r0=13; 0:r1=17; 0:r2=-3; 0:r3=-4;",
    );
    c(
        "int r0 = 1 < 2 && !(3 <= 2); int r1 = 0 || 2 != 2; unsigned int r2 = 0; r2--; int r3 = r2 > 1; int r4 = -1 < 1;",
        "0:r0;0:r1;0:r2;0:r3;0:r4;",
        "0:r0=1; 0:r1=0; 0:r2=4294967295; 0:r3=1; 0:r4=1;",
    );
    c(
        "long r0 = 1L << 40; int r1 = (char) 255; int r2 = r1 == -1 ? 7 : 8; int r3 = 1, r4 = r3++; r3 += r4; ++r3;",
        "0:r0;0:r1;0:r2;0:r3;",
        "0:r0=1099511627776; 0:r1=-1; 0:r2=7; 0:r3=4;",
    );
}

#[test]
fn c_statements() {
    c(
        "int r0; if (*x == 5) { r0 = 1; } else r0 = 2; int r1 = 0; while (r1 < 4) r1++; int r2 = 0; do { r2 += 2; } while (r2 < 3);",
        "0:r0;0:r1;0:r2;",
        "0:r0=1; 0:r1=4; 0:r2=4;",
    );
    c(
        "int r0 = 0; for (int i = 0; i < 9; i++) { if (i == 2) continue; if (i > 4) break; r0 += i; } if (r0) return; r0 = 1;",
        "0:r0;0:i;",
        "0:i=5; 0:r0=8;",
    );
    let two = "P0(int* x, int* y) { *x = 1; while (*y == 0); *x = 2; }\nP1(int* x, int* y) { int r0 = *x; *y = 1; }";
    check("C", "", two, "locations [1:r0; x;]", "1:r0=0; [x]=2;\n1:r0=1; [x]=2;");
}

#[test]
fn pointers_print_as_names() {
    check("AArch64", "0:X1=x; int64_t x;", "P0;LDR X0,[X1],#44;", "exists (0:X0=0 /\\ 0:X1!=x)", "0:X0=0; 0:X1=x+44;");
    check(
        "C",
        "int* p = &x; int x = 3;",
        "P0(int** p) { int* r0 = *p; int r1 = *r0; *p = NULL; }",
        "exists (0:r0=x /\\ p=0 /\\ 0:r1=3)",
        "0:r0=x; 0:r1=3; [p]=0;",
    );
    check(
        "AArch64",
        "0:X1=p; int* p=y; y=4;",
        "P0;LDR X2,[X1]; LDR W3,[X2]; STR X1,[X1];",
        "locations [0:X2;0:X3;p]",
        "0:X2=y; 0:X3=4; [p]=p;",
    );
    check("PPC", "0:r1=p; p=y; y=4;", "P0;lwz r2,0(r1); lwz r3,0(r2);", "exists (0:r2=y)", "0:r2=y;");
}
