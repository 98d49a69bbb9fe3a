//! Values fit their widths, whatever names of registers of different sizes are mixed: the plain interpreter checks each
//! operand.

mod sc;

use proptest::prelude::*;
use raddle_litmus::{Tally, read};

/// Instructions in which `A`, `B` and `C` are registers and `K` is a number.
const X86: [&str; 16] = [
    "MOV %A,%B",
    "MOV %A,$K",
    "MOV %A,[x]",
    "MOV [x],%A",
    "ADD %A,%B",
    "SUB %A,$K",
    "XOR %A,%B",
    "CMP %A,%B",
    "INC %A",
    "NEG %A",
    "NOT %A",
    "XCHG [x],%A",
    "LOCK ADD [x],%A",
    "LOCK XADD [x],%A",
    "LOCK CMPXCHG [x],%A",
    "SETLE %A",
];
const X86_64: [&str; 14] = [
    "mov %A,%B",
    "movl $K,%A",
    "movq (x),%A",
    "movb %A,(x)",
    "movw (x),%A",
    "addl %A,%B",
    "subq $K,%A",
    "cmp %A,%B",
    "incq %A",
    "xchgl %A,(x)",
    "lock addw %A,(x)",
    "lock cmpxchgq %A,(x)",
    "cmovle %A,%B",
    "setb %A",
];
const PPC: [&str; 12] = [
    "li A,K",
    "add A,B,C",
    "subf. A,B,C",
    "xor A,B,C",
    "mulli A,B,K",
    "cmpw A,B",
    "cmplwi A,7",
    "stw A,0(r9)",
    "std A,0(r9)",
    "lwz A,0(r9)",
    "extsw A,B",
    "slwi A,B,3",
];
const AARCH64: [&str; 20] = [
    "MOV A,B",
    "MOV A,#K",
    "MVN A,B",
    "ADD A,B,C",
    "SUBS A,B,#7",
    "EOR A,B,C",
    "ADD A,B,C,LSL #3",
    "CMP A,B",
    "LSR A,B,#5",
    "MUL A,B,C",
    "CSEL A,B,C,LT",
    "LDR A,[X9]",
    "STR A,[X9]",
    "STRB A,[X9]",
    "LDRSH A,[X9]",
    "SWP A,B,[X9]",
    "CAS A,B,[X9]",
    "LDCLR A,B,[X9]",
    "SXTB A,B",
    "CSET A,HI",
];

/// The names of four registers, in all sizes.
fn registers(arch: &str) -> Vec<&'static str> {
    match arch {
        "X86" => vec!["EAX", "AX", "AL", "AH", "EBX", "BX", "BL", "ECX", "CL"],
        "X86_64" => vec!["rax", "eax", "ax", "al", "rbx", "ebx", "bl", "r8", "r8d", "r8b"],
        "PPC" => vec!["r1", "r2", "r3", "r4"],
        _ => vec!["X1", "W1", "X2", "W2", "W3", "W4", "WZR", "XZR"],
    }
}

fn templates(arch: &str) -> &'static [&'static str] {
    match arch {
        "X86" => &X86,
        "X86_64" => &X86_64,
        "PPC" => &PPC,
        _ => &AARCH64,
    }
}

/// Runs the instructions one after the other.
fn check(arch: &str, initial: &str, picks: &[(usize, [usize; 3], i64)]) {
    let (names, templates) = (registers(arch), templates(arch));
    let mut text = format!("{arch} widths\n{{int64_t x=-2; {initial}}}\nP0;\n");
    for (template, registers, number) in picks {
        // Characters are replaced one by one, so that the names put in are left alone.
        let mut line = String::new();
        let template = templates[template % templates.len()];
        let mut before = ' ';
        for (at, c) in template.char_indices() {
            let after = template[at + 1..].chars().next().unwrap_or(' ');
            let is_alone = !before.is_ascii_alphanumeric() && !after.is_ascii_alphanumeric();
            match c {
                'A' | 'B' | 'C' if is_alone => line.push_str(names[registers[(c as u8 - b'A') as usize] % names.len()]),
                'K' if is_alone => line.push_str(&number.to_string()),
                '%' => {}
                c => line.push(c),
            }
            before = c;
        }
        text += &format!("{line};\n");
    }
    text += "locations [x;]\n";
    let test = read("widths.litmus", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut tally = Tally::new(&test);
    sc::final_values(&test).iter().for_each(|values| tally.add(values, 1));
    assert_eq!(tally.states().len(), 1, "{text}");
}

fn picks() -> impl Strategy<Value = Vec<(usize, [usize; 3], i64)>> {
    let number = prop_oneof![Just(0), Just(-1), Just(1 << 31), Just(i64::MIN), -300..300i64];
    proptest::collection::vec((any::<usize>(), any::<[usize; 3]>(), number), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn x86(picks in picks()) {
        check("X86", "", &picks);
        check("X86", "0:EDX=x;", &picks);
    }

    #[test]
    fn x86_64(picks in picks()) {
        check("X86_64", "0:rbx=-5;", &picks);
    }

    #[test]
    fn ppc(picks in picks()) {
        check("PPC", "0:r9=x; 0:r4=-5;", &picks);
    }

    #[test]
    fn aarch64(picks in picks()) {
        check("AArch64", "0:X9=x; 0:X3=-5;", &picks);
    }
}
