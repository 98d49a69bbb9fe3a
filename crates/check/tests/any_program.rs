//! Texts with some words changed: what the verifier accepts runs under every model without breaking the machine.

#[path = "support/execute.rs"]
mod execute;

use execute::execute;

/// The numbers of a linear congruence.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

const SEEDS: [&str; 2] =
    [include_str!("../../../fuzz/seeds/program_text/accesses"), include_str!("../../../fuzz/seeds/program_text/words")];

const REGISTERS: [&str; 8] = ["r0", "r1", "r2", "r3", "r5", "r8", "r9", "r11"];
const NUMBERS: [&str; 14] = ["0", "1", "2", "3", "4", "7", "8", "9", "16", "33", "64", "65", "128", "18446744073709551615"];
const OTHERS: [&str; 8] = ["&g0", "&g1+8", "&g2", "&f0", "&f2", "b1", "5:6", "r1"];

/// Another word, mostly of the same kind.
fn another(word: &str, random: &mut Random) -> String {
    let like = if random.below(8) == 0 { 'x' } else { word.chars().next().unwrap_or('x') };
    let words: &[&str] = match like {
        'r' => &REGISTERS,
        '0'..='9' => &NUMBERS,
        _ => &OTHERS,
    };
    let comma = if word.ends_with(',') { "," } else { "" };
    format!("{}{comma}", words[random.below(words.len())])
}

/// A seed with some words changed, and lines dropped, repeated and put elsewhere.
fn changed(random: &mut Random) -> String {
    let mut lines: Vec<String> = SEEDS[random.below(SEEDS.len())].lines().map(String::from).collect();
    for _ in 0..=random.below(4) {
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            _ => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let operands: Vec<usize> = (0..words.len()).filter(|&n| words[n].contains(|c: char| c.is_ascii_digit())).collect();
                if let Some(&number) = operands.get(random.below(operands.len().max(1))) {
                    let word = another(words[number], random);
                    words[number] = &word;
                    lines[at] = words.join(" ");
                }
            }
        }
    }
    lines.join("\n")
}

#[test]
fn the_seeds_run() {
    SEEDS.iter().for_each(|text| assert!(execute(text), "{text}"));
}

#[test]
fn what_the_verifier_accepts_can_be_run() {
    let (mut random, mut n_run) = (Random(1), 0);
    let n_texts = std::env::var("RADDLE_TEXTS").map_or(1500, |text| text.parse().expect("it is a number"));
    for _ in 0..n_texts {
        n_run += execute(&changed(&mut random)) as u32;
    }
    assert!(n_run > n_texts / 8, "only {n_run} of {n_texts} texts are programs");
}
