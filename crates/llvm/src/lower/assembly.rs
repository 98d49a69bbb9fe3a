//! Inline assembly that orders memory or does nothing. What accesses memory on x86 is in [`super::x86`]; anything else
//! is not supported.

use super::Lowering;
use crate::ir::Value;
use crate::unsupported::{Lowered, refuse};
use raddle_event::Fence;
use raddle_program::{Instr, Reg};

/// What inline assembly does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Nothing,
    Orders(Fence),
    /// Only what its constraints say.
    Empty,
    Unknown,
}

/// What a text of assembly means.
fn meaning(text: &str) -> Meaning {
    let statements = text.split([';', '\n']).map(|s| s.split_whitespace().collect::<Vec<_>>().join(" "));
    let statements: Vec<String> = statements.filter(|s| !s.is_empty()).map(|s| s.to_lowercase()).collect();
    match statements.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Meaning::Empty,
        ["lock", rest] => locked(rest),
        ["rep", "nop"] => Meaning::Nothing,
        [one] => statement(one),
        _ => Meaning::Unknown,
    }
}

fn statement(text: &str) -> Meaning {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match (word, rest.trim()) {
        ("lock", rest) => locked(rest),
        ("mfence", "") => Meaning::Orders(Fence::Mfence),
        ("lfence", "") => Meaning::Orders(Fence::Lfence),
        ("sfence", "") => Meaning::Orders(Fence::Sfence),
        ("sync" | "hwsync", "") => Meaning::Orders(Fence::Sync),
        ("lwsync", "") => Meaning::Orders(Fence::Lwsync),
        ("eieio", "") => Meaning::Orders(Fence::Eieio),
        ("isync", "") => Meaning::Orders(Fence::Isync),
        ("dmb" | "dsb", kind) => arm(kind),
        ("isb", _) => Meaning::Orders(Fence::Isb),
        ("pause" | "nop" | "yield", "") | ("rep", "nop") => Meaning::Nothing,
        _ => Meaning::Unknown,
    }
}

/// `dmb` and `dsb`: loads, stores or both, by the end of the option.
fn arm(option: &str) -> Meaning {
    let option = option.trim_start_matches('#');
    match option {
        "" | "sy" | "ish" | "nsh" | "osh" => Meaning::Orders(Fence::Dmb),
        "ld" | "ishld" | "nshld" | "oshld" => Meaning::Orders(Fence::DmbLd),
        "st" | "ishst" | "nshst" | "oshst" => Meaning::Orders(Fence::DmbSt),
        _ => Meaning::Unknown,
    }
}

/// A locked instruction that changes nothing at the stack pointer, as a cheaper `mfence`.
fn locked(rest: &str) -> Meaning {
    let (word, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    let adds = matches!(word, "add" | "addl" | "addq" | "addb" | "or" | "orl" | "orq" | "orb");
    let of_zero = operands.trim_start_matches('$').starts_with("0,") || operands.trim_start_matches('$').starts_with("0x0,");
    let at_stack = operands.contains("rsp") || operands.contains("esp");
    if adds && of_zero && at_stack { Meaning::Orders(Fence::Mfence) } else { Meaning::Unknown }
}

impl<'m> Lowering<'_, 'm> {
    /// A call of inline assembly.
    pub(super) fn assembly(&mut self, i: Value<'m>, assembly: Value<'m>) -> Lowered<()> {
        let (text, constraints) = assembly.assembly();
        let orders_compiler = constraints.split(',').any(|c| c == "~{memory}");
        match meaning(&text) {
            Meaning::Orders(fence) => self.builder.push(Instr::FenceOp { fence }),
            Meaning::Empty if orders_compiler => self.builder.push(Instr::FenceOp { fence: Fence::Compiler }),
            Meaning::Empty | Meaning::Nothing => {}
            Meaning::Unknown => return self.x86(i, &constraints, &text),
        }
        self.pass_through(i, &constraints, &text)
    }

    /// The outputs of assembly that does not write them: each is the input tied to it, else any value.
    fn pass_through(&mut self, i: Value<'m>, constraints: &str, text: &str) -> Lowered<()> {
        let shape = self.shape(i.of())?;
        if shape.leaves.is_empty() {
            return Ok(());
        }
        let n_outputs = constraints.split(',').filter(|c| c.starts_with('=') && !c.contains('*')).count();
        if n_outputs != shape.leaves.len() {
            return refuse(format!("inline assembly `{}` with these operands", text.trim()));
        }
        let inputs: Vec<&str> =
            constraints.split(',').filter(|c| !c.starts_with('~') && (!c.starts_with('=') || c.contains('*'))).collect();
        let mut registers: Vec<Reg> = Vec::new();
        for (number, &(leaf, _)) in shape.leaves.iter().enumerate() {
            let tied = inputs.iter().position(|input| input.parse() == Ok(number));
            match tied.and_then(|at| i.arguments().get(at).copied()) {
                Some(input) => registers.extend(self.registers(input)?),
                None => registers.extend(self.number(leaf, 0)),
            }
        }
        self.define(i, registers);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Meaning) {
        assert_eq!(meaning(text), expected, "{text}");
    }

    #[test]
    fn barriers_are_known_in_their_usual_spellings() {
        check("", Meaning::Empty);
        check(" \n\t", Meaning::Empty);
        check("mfence", Meaning::Orders(Fence::Mfence));
        check("\tmfence\n", Meaning::Orders(Fence::Mfence));
        check("MFENCE;", Meaning::Orders(Fence::Mfence));
        check("lock; addl $$0,0(%rsp)", Meaning::Orders(Fence::Mfence));
        check("lock orq $$0, (%rsp)", Meaning::Orders(Fence::Mfence));
        check("lock; addl $$1,0(%rsp)", Meaning::Unknown);
        check("lwsync", Meaning::Orders(Fence::Lwsync));
        check("dmb ish", Meaning::Orders(Fence::Dmb));
        check("dmb\tishst", Meaning::Orders(Fence::DmbSt));
        check("dsb sy", Meaning::Orders(Fence::Dmb));
        check("rep; nop", Meaning::Nothing);
        check("pause", Meaning::Nothing);
        check("cpuid", Meaning::Unknown);
        check("mfence; cpuid", Meaning::Unknown);
    }
}
