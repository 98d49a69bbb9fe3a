//! What is said about texts that cannot be read, and where.

use raddle_litmus::{ErrorKind, read};

#[track_caller]
fn check(text: &str, kind: ErrorKind, expected: &str) {
    match read("t.litmus", text) {
        Ok(_) => panic!("this was read:\n{text}"),
        Err(error) => assert_eq!((error.to_string().as_str(), error.kind), (expected, kind), "{text}"),
    }
}

#[track_caller]
fn syntax(text: &str, expected: &str) {
    check(text, ErrorKind::Syntax, expected);
}

#[track_caller]
fn unsupported(text: &str, expected: &str) {
    check(text, ErrorKind::Unsupported, expected);
}

#[test]
fn heads() {
    syntax("", "t.litmus:1:1: expected the name of an architecture, found the end of the file");
    syntax("Z80 a\n{}", "t.litmus:1:1: expected an architecture (X86, X86_64, PPC, AArch64 or C), found `Z80`");
    unsupported("RISCV a\n{}", "t.litmus:1:1: architecture `RISCV` is not supported; X86, X86_64, PPC, AArch64 and C are");
    syntax("X86 a\n{}\nQ0 ;\n", "t.litmus:3:1: expected thread `P0`, found `Q0`");
}

#[test]
fn places_count_characters_and_lines() {
    syntax("X86 a\r\n{ x=1; }\r\n P0 ;\r\n MOV EAX,é ;\r\nexists (x=1)", "t.litmus:4:10: expected an operand, found `é`");
    syntax("X86 a\n\"é\" {é=1}", "t.litmus:2:6: expected a register (`0:r1`) or a location, found `é`");
}

#[test]
fn instructions() {
    unsupported("X86 a\n{}\nP0;\n LEA EAX,[x] ;", "t.litmus:4:2: instruction `LEA` is not supported on X86");
    unsupported("PPC a\n{}\nP0;\n bl f;", "t.litmus:4:2: instruction `BL` is not supported on PPC");
    unsupported("AArch64 a\n{}\nP0;\n MRS X0,NZCV;", "t.litmus:4:2: instruction `MRS` is not supported on AArch64");
    syntax("X86 a\n{}\nP0;\n MOV EAX ;", "t.litmus:4:2: `MOV` has 2 operands, found 1");
    syntax("X86 a\n{}\nP0;\n MOV EAX,RBX ;", "t.litmus:4:10: `RBX` is not a register of X86");
    syntax("X86 a\n{}\nP0;\n MOV $1,EAX ;", "t.litmus:4:6: expected a register of X86");
    syntax("PPC a\n{}\nP0;\n lwz r1,r2 ;", "t.litmus:4:2: expected `lwz r1,0(r2)`");
    syntax("PPC a\n{}\nP0;\n li r32,1 ;", "t.litmus:4:5: `r32` is not a register of PPC");
    syntax("AArch64 a\n{}\nP0;\n LDR W0,[W1] ;", "t.litmus:4:10: an address is in a register of 64 bits");
    syntax("AArch64 a\n{}\nP0;\n DMB XX ;", "t.litmus:4:6: `XX` is not an option of `DMB`");
}

#[test]
fn initial_states() {
    syntax("X86 a\n{int x; int x[2]={1,2};}\nP0;\n;", "t.litmus:2:9: `x` has another type above");
    syntax("X86 a\n{1:EAX=2;}\nP0;\n;", "t.litmus:2:2: thread 1 does not exist; the last one is 0");
    syntax("PPC a\n{0:EAX=2;}\nP0;\n;", "t.litmus:2:2: `EAX` is not a register of PPC");
}

#[test]
fn labels() {
    syntax("X86 a\n{}\nP0;\n JMP L ;", "t.litmus:4:6: label `L` does not exist");
    syntax("PPC a\n{}\nP0;\n L: ;\n L: ;", "t.litmus:5:2: label `L` stands here for the second time");
}

#[test]
fn c() {
    unsupported("C a\n{}\nP0(int* x) { lock(x); }", "t.litmus:3:14: function `lock` is not supported");
    unsupported("C a\n{}\nP0(int x) { }", "t.litmus:3:4: a parameter must be a pointer to a location");
    unsupported("C a\n{}\nP0(mutex* x) { }", "t.litmus:3:4: type `mutex` is not supported");
    syntax("C a\n{}\nP0() { goto l; }", "t.litmus:3:8: label `l` does not exist");
    syntax("C a\n{}\nP0(int* x) { *x = ; }", "t.litmus:3:19: expected an expression, found `;`");
    syntax("C a\n{}\nP0(int* x) { int r0 = r1; }", "t.litmus:3:23: `r1` is neither a parameter nor a variable");
    syntax(
        "C a\n{}\nP0(int* x) { atomic_store_explicit(x,1,relaxed); }",
        "t.litmus:3:40: expected a memory order such as `memory_order_acquire`",
    );
    syntax("C a\n{}\nP0(int* x) { atomic_load(x,1); }", "t.litmus:3:14: `atomic_load` takes 1 arguments, found 2");
    syntax("C a\n{}\nP0(int* x) { *x = 1;", "t.litmus:3:21: expected `}`, found the end of the file");
    syntax("C a\n{}\nP0() { break; }", "t.litmus:3:8: this stands outside of every loop");
}

#[test]
fn final_states() {
    syntax("X86 a\n{}\nP0;\n MFENCE;\nexists (1:EAX=0)", "t.litmus:5:9: thread 1 does not exist; the last one is 0");
    syntax("X86 a\n{}\nP0;\n MFENCE;\nexists (0:r1=0)", "t.litmus:5:9: `r1` is not a register of X86");
    syntax("X86 a\n{int x[2];}\nP0;\n MFENCE;\nexists (x=0)", "t.litmus:5:9: `x` is an array; name one of its elements, such as `x[0]`");
    syntax("X86 a\n{int x[2];}\nP0;\n MFENCE;\nexists (x[2]=0)", "t.litmus:5:9: the array `x` has 2 elements");
    assert!(read("t", "X86 a\n{}\nP0;\n MFENCE;\nexists (fault(P0,x))").is_ok());
}

#[test]
fn nothing_is_too_deep() {
    let deep = |open: &str| open.repeat(200_000);
    assert!(read("t", &format!("C a\n{{}}\nP0() {{ r0 = {}", deep("("))).is_err());
    assert!(read("t", &format!("C a\n{{}}\nP0() {{ r0 = {}", deep("-"))).is_err());
    assert!(read("t", &format!("C a\n{{}}\nP0() {{ r0 = 1{}; }}", deep("+1"))).is_err());
    assert!(read("t", &format!("C a\n{{}}\nP0() {{ {}", deep("{"))).is_err());
    assert!(read("t", &format!("C a\n{{}}\nP0() {{ {}", deep("if (1) "))).is_err());
    assert!(read("t", &format!("X86 a\n{{}}\nP0;\n;\nexists {}x=1", deep("not "))).is_err());
    assert!(read("t", &format!("X86 a\n{{}}\nP0;\n;\nexists x=1{}", deep(" => x=1"))).is_err());
    assert!(read("t", &format!("X86 a\n{{}}\nP0;\n;\nexists (x=1{})", deep(" /\\ x=1"))).is_ok());
    assert!(read("t", &format!("X86 a {}", deep("(*"))).is_err());
}
