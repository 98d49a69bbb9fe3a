//! Reports, conditions and the shape of programs.

use raddle_event::{Fence, Order, RmwOp};
use raddle_litmus::{Observed, Tally, Test, read};
use raddle_program::{Instr, Place};

const SB: &str = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n";

fn sb(end: &str) -> Test {
    read("SB.litmus", &format!("{SB}{end}")).unwrap()
}

#[track_caller]
fn check(end: &str, executions: &[[u64; 2]], expected: &str) {
    let test = sb(end);
    let mut tally = Tally::new(&test);
    executions.iter().for_each(|values| tally.add(values, 1));
    assert_eq!(tally.report(0.0), expected);
}

#[test]
fn an_allowed_test() {
    check(
        "exists (0:EAX=0 /\\ 1:EAX=0)",
        &[[1, 1], [0, 0], [1, 0], [0, 1]],
        "Test SB Allowed\nStates 4\n0:EAX=0; 1:EAX=0;\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; 1:EAX=1;\nOk\nWitnesses\n\
         Positive: 1 Negative: 3\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Sometimes 1 3\nTime SB 0.00\n\n",
    );
}

#[test]
fn a_forbidden_test_that_fails() {
    check(
        "~exists (0:EAX=1:EAX)",
        &[[1, 1], [1, 1], [0, 1]],
        "Test SB Forbidden\nStates 2\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=1;\nNo\nWitnesses\nPositive: 1 Negative: 2\n\
         Condition ~exists (0:EAX=1:EAX)\nObservation SB Sometimes 2 1\nTime SB 0.00\n\n",
    );
}

#[test]
fn a_required_test_with_a_filter() {
    check(
        "filter (0:EAX=0) forall (1:EAX=1)",
        &[[0, 1], [1, 0]],
        "Test SB Required\nStates 1\n1:EAX=1;\nOk\nWitnesses\nPositive: 1 Negative: 0\nCondition forall (1:EAX=1)\n\
         Observation SB Always 1 0\nTime SB 0.00\n\n",
    );
}

#[test]
fn negative_numbers_equal_their_bits() {
    let test = sb("exists (0:EAX=-1 /\\ 1:EAX=0xffffffff)");
    assert!(test.holds(&[0xffff_ffff, 0xffff_ffff]));
    assert_eq!(test.state(&[0xffff_ffff, 2]), "0:EAX=-1; 1:EAX=2;");
    assert_eq!(test.condition_text, "exists (0:EAX=-1 /\\ 1:EAX=4294967295)");
}

#[test]
fn observed_values_are_numbered() {
    let test = sb("locations [y; x; 1:EBX; 1:EAX;] exists (0:EAX=0)");
    let names = |o: &Observed| match o {
        Observed::Register { thread, name, result, .. } => format!("{thread}:{name}#{result}"),
        Observed::Memory { name, offset, size, .. } => format!("{name}+{offset}/{size}"),
    };
    let shown: Vec<String> = test.observed.iter().map(names).collect();
    assert_eq!(shown.join(" "), "0:EAX#0 1:EAX#0 1:EBX#1 x+0/4 y+0/4");
    assert_eq!(test.program.functions[1].results, 2);
}

fn code(arch: &str, initial: &str, body: &str) -> Vec<Instr> {
    let test = read("t.litmus", &format!("{arch} t\n{{{initial}}}\n{body}\n")).unwrap();
    test.program.functions[0].code.clone()
}

#[test]
fn a_branch_to_what_follows_stays_a_branch() {
    let code = code("PPC", "0:r2=x;", "P0; lwz r1,0(r2); cmpw r1,r1; beq L; L: stw r1,0(r2);");
    let branch = code.iter().find_map(|instr| match instr {
        Instr::Branch { yes, no, .. } => Some((*yes, *no)),
        _ => None,
    });
    let (yes, no) = branch.expect("there is a branch");
    assert_ne!(yes, no);
}

#[test]
fn dependencies_are_not_folded() {
    let code = code("PPC", "0:r2=x;", "P0; lwz r1,0(r2); xor r3,r1,r1; lwzx r4,r3,r2;");
    assert!(code.iter().any(|instr| matches!(instr, Instr::Xor { a, b, .. } if a == b)));
    assert_eq!(code.iter().filter(|instr| matches!(instr, Instr::Load { .. })).count(), 2);
}

#[test]
fn orders_and_fences_are_kept() {
    let orders = |code: Vec<Instr>| -> Vec<Order> {
        let order = |instr: Instr| match instr {
            Instr::Load { order, .. } | Instr::Store { order, .. } | Instr::Rmw { order, .. } => Some(order),
            Instr::LoadReserve { order, .. } | Instr::StoreConditional { order, .. } => Some(order),
            _ => None,
        };
        code.into_iter().filter_map(order).collect()
    };
    let arm =
        "P0; LDR W0,[X1]; LDAPR W0,[X1]; LDAR W0,[X1]; STLR W0,[X1]; SWPA W0,W2,[X1]; LDADDL W0,W2,[X1]; LDAXR W0,[X1]; STXR W2,W0,[X1];";
    let expected =
        [Order::Relaxed, Order::Acquire, Order::SeqCst, Order::SeqCst, Order::Acquire, Order::Release, Order::SeqCst, Order::Relaxed];
    assert_eq!(orders(code("AArch64", "0:X1=x;", arm)), expected);
    let c = "P0(atomic_int* x, int* y) { *y = 1; *x = 1; atomic_store_explicit(x, 1, memory_order_release); int r0 = atomic_load(x); }";
    assert_eq!(orders(code("C", "", c)), [Order::Plain, Order::SeqCst, Order::Release, Order::SeqCst]);
    let x86 = code("X86", "", "P0; MOV [x],$1; XCHG [x],EAX; MFENCE; SFENCE; LFENCE;");
    assert!(x86.iter().any(|instr| matches!(instr, Instr::Rmw { op: RmwOp::Exchange, order: Order::SeqCst, .. })));
    let fences = |code: Vec<Instr>| -> Vec<Fence> {
        code.into_iter().filter_map(|instr| if let Instr::FenceOp { fence } = instr { Some(fence) } else { None }).collect()
    };
    assert_eq!(fences(x86), [Fence::Mfence, Fence::Sfence, Fence::Lfence]);
    assert_eq!(fences(code("PPC", "", "P0; sync; lwsync; eieio; isync;")), [Fence::Sync, Fence::Lwsync, Fence::Eieio, Fence::Isync]);
    assert_eq!(fences(code("AArch64", "", "P0; DMB ISH; DSB LD; DMB ISHST; ISB;")), [Fence::Dmb, Fence::DmbLd, Fence::DmbSt, Fence::Isb]);
    let c = "P0() { atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst); }";
    assert_eq!(fences(code("C", "", c)), [Fence::Acquire, Fence::SeqCst]);
}

#[test]
fn instructions_know_their_place() {
    let test = sb("exists (0:EAX=0)");
    let function = &test.program.functions[1];
    let at = function.code.iter().position(|instr| matches!(instr, Instr::Load { .. })).unwrap();
    let place = test.program.place(function.places[at]);
    assert_eq!(*place, Place { file: "SB.litmus".into(), line: 5, column: 16, function: "P1".into(), inlined_at: None });
}

#[test]
fn loops_are_marked() {
    let marked = |code: Vec<Instr>| code.iter().any(|instr| matches!(instr, Instr::Latch { .. }));
    assert!(marked(code("X86", "", "P0; L: MOV EAX,[x]; CMP EAX,$0; JE L;")));
    assert!(marked(code("C", "", "P0(int* x) { while (!*x); }")));
}

#[test]
fn locations_have_the_size_of_their_accesses() {
    let size = |arch: &str, initial: &str, body: &str| {
        let test = read("t.litmus", &format!("{arch} t\n{{{initial}}}\n{body}\nlocations [x;]")).unwrap();
        test.program.globals.iter().find(|global| global.name == "x").unwrap().size
    };
    assert_eq!(size("AArch64", "0:X1=x;", "P0; LDR W0,[X1];"), 4);
    assert_eq!(size("AArch64", "0:X1=x;", "P0; LDR X0,[X1];"), 8);
    assert_eq!(size("AArch64", "0:X1=x; uint8_t x;", "P0; LDRB W0,[X1];"), 1);
    assert_eq!(size("PPC", "0:r1=x;", "P0; ld r2,0(r1);"), 8);
    assert_eq!(size("X86_64", "", "P0; movq $1,(x);"), 8);
    assert_eq!(size("X86", "", "P0; MOV [x],$1;"), 4);
    assert_eq!(size("C", "", "P0(long* x) { *x = 1; }"), 8);
    assert_eq!(size("C", "int x[3];", "P0(int* x) { *x = 1; }"), 12);
}
