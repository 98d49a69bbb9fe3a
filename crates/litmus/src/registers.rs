//! The registers of each machine: how herd7 prints them, in which order, and which bits a name means.

use crate::header::Arch;

/// What a name of a register means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    /// The name of the whole register, as herd7 prints it.
    pub name: String,
    /// The place among the registers of a thread when a state is printed.
    pub rank: usize,
    /// How many bits the name means.
    pub bits: u8,
    /// Where they begin.
    pub shift: u8,
}

/// The register that a name means on a machine; variables of C are not listed.
///
/// A `%` may stand in front. On POWER such a name that is none of the machine's is a register too, any that is free.
pub(crate) fn find(arch: Arch, name: &str) -> Option<Register> {
    let Some(bare) = name.strip_prefix('%') else { return known(arch, name) };
    let symbolic = || (arch == Arch::Ppc && !bare.is_empty()).then(|| whole(name.to_string(), SYMBOLIC, 64));
    known(arch, bare).or_else(symbolic)
}

/// Where symbolic registers come when a state is printed: behind the others.
const SYMBOLIC: usize = 64;

/// The register that a name means without a sign.
fn known(arch: Arch, name: &str) -> Option<Register> {
    match arch {
        Arch::X86 => x86(&name.to_ascii_uppercase(), false),
        Arch::X86_64 => x86(&name.to_ascii_uppercase(), true),
        Arch::Ppc => numbered(name, &['r', 'R'], 31).map(|n| whole(format!("r{n}"), n, 64)),
        Arch::AArch64 => aarch64(&name.to_ascii_uppercase()),
        Arch::C => Some(whole(name.to_string(), 0, 64)),
    }
}

fn whole(name: String, rank: usize, bits: u8) -> Register {
    Register { name, rank, bits, shift: 0 }
}

/// The number behind one of the letters.
fn numbered(name: &str, letters: &[char], last: usize) -> Option<usize> {
    let digits = name.strip_prefix(letters)?;
    let number: usize = digits.parse().ok().filter(|&n| n <= last)?;
    (number.to_string() == digits).then_some(number)
}

fn aarch64(name: &str) -> Option<Register> {
    match name {
        "XZR" => return Some(whole(name.into(), 31, 64)),
        "WZR" => return Some(whole("XZR".into(), 31, 32)),
        _ => {}
    }
    let n = numbered(name, &['X', 'W'], 30)?;
    Some(whole(format!("X{n}"), n, if name.starts_with('X') { 64 } else { 32 }))
}

const X86_BASES: [&str; 8] = ["AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"];

/// Finds a register of x86; the 64-bit ones only where the machine has them.
fn x86(name: &str, long: bool) -> Option<Register> {
    let (rank, bits, shift) = x86_old(name).or_else(|| x86_new(name))?;
    if !long && (bits == 64 || rank >= 8) {
        return None;
    }
    let name = match rank {
        0..8 if long => format!("r{}", X86_BASES[rank].to_ascii_lowercase()),
        0..8 => format!("E{}", X86_BASES[rank]),
        _ => format!("r{rank}"),
    };
    Some(Register { name, rank, bits, shift })
}

/// `EAX` and its like: rank, bits and shift.
fn x86_old(name: &str) -> Option<(usize, u8, u8)> {
    for (rank, base) in X86_BASES.iter().enumerate() {
        let letter = base.strip_suffix('X');
        if let Some(before) = name.strip_suffix(base) {
            match before {
                "" => return Some((rank, 16, 0)),
                "E" => return Some((rank, 32, 0)),
                "R" => return Some((rank, 64, 0)),
                _ => {}
            }
        }
        let low = match letter {
            Some(letter) => name.strip_prefix(letter) == Some("L"),
            None => name.strip_prefix(base) == Some("L"),
        };
        if low {
            return Some((rank, 8, 0));
        }
        if letter.is_some_and(|letter| name.strip_prefix(letter) == Some("H")) {
            return Some((rank, 8, 8));
        }
    }
    None
}

/// `R8D` and its like: rank, bits and shift.
fn x86_new(name: &str) -> Option<(usize, u8, u8)> {
    let (number, bits) = match name.as_bytes().last()? {
        b'D' => (&name[..name.len() - 1], 32),
        b'W' => (&name[..name.len() - 1], 16),
        b'B' => (&name[..name.len() - 1], 8),
        _ => (name, 64),
    };
    let rank = numbered(number, &['R'], 15).filter(|&n| n >= 8)?;
    Some((rank, bits, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arch: Arch, name: &str, expected: Option<(&str, u8, u8)>) {
        let found = find(arch, name);
        assert_eq!(found.as_ref().map(|r| (r.name.as_str(), r.bits, r.shift)), expected, "{name}");
    }

    #[test]
    fn names_mean_parts() {
        check(Arch::X86, "EAX", Some(("EAX", 32, 0)));
        check(Arch::X86, "al", Some(("EAX", 8, 0)));
        check(Arch::X86, "BH", Some(("EBX", 8, 8)));
        check(Arch::X86, "RAX", None);
        check(Arch::X86_64, "ecx", Some(("rcx", 32, 0)));
        check(Arch::X86_64, "SIL", Some(("rsi", 8, 0)));
        check(Arch::X86_64, "r10d", Some(("r10", 32, 0)));
        check(Arch::X86_64, "r16", None);
        check(Arch::Ppc, "r31", Some(("r31", 64, 0)));
        check(Arch::Ppc, "r32", None);
        check(Arch::Ppc, "r01", None);
        check(Arch::AArch64, "W7", Some(("X7", 32, 0)));
        check(Arch::AArch64, "wzr", Some(("XZR", 32, 0)));
        check(Arch::AArch64, "x", None);
        check(Arch::X86_64, "%ecx", Some(("rcx", 32, 0)));
        check(Arch::Ppc, "%r3", Some(("r3", 64, 0)));
        check(Arch::Ppc, "%x", Some(("%x", 64, 0)));
        check(Arch::AArch64, "%x", None);
    }
}
