//! Changes at random: a text by its lines and words, bytes one by one.

use raddle_sample::Random;

/// Words that mean something somewhere, or nothing anywhere.
const WORDS: [&str; 24] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "16",
    "33",
    "64",
    "65",
    "128",
    "-1",
    "4294967296",
    "18446744073709551615",
    "r1",
    "&g0",
    "&f2",
    "b1",
    "5:6",
    "x",
    "ptr",
    "null",
    "\u{1b}[2J",
    "\u{fffd}",
];

/// A text with some words changed, and lines dropped, repeated and put elsewhere.
pub fn changed_text(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    for _ in 0..random.pick(&[1, 1, 2, 4]) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (index(&lines, random), index(&lines, random));
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            _ => lines[at] = changed_line(&lines[at], &lines[other], random),
        }
    }
    lines.join("\n") + "\n"
}

/// A line with one word changed: to a neighbour in number, to a word of another line, or to any.
fn changed_line(line: &str, other: &str, random: &mut Random) -> String {
    let words = parts(line);
    let wordlike: Vec<usize> = (0..words.len()).filter(|&n| is_word(words[n])).collect();
    if wordlike.is_empty() {
        return line.into();
    }
    let at = random.pick(&wordlike);
    let others: Vec<&str> = parts(other).into_iter().filter(|word| is_word(word)).collect();
    let alike: Vec<&str> = others.iter().copied().filter(|other| is_alike(other, words[at])).collect();
    let word = match (words[at].parse::<i64>(), random.below(8)) {
        (Ok(number), 0..=2) => number.wrapping_add(i64::from(random.below(3)) - 1).to_string(),
        (_, 0..=5) if !alike.is_empty() => random.pick(&alike).to_string(),
        (_, 6) if !others.is_empty() => random.pick(&others).to_string(),
        _ => random.pick(&WORDS).to_string(),
    };
    [&words[..at], &[word.as_str()], &words[at + 1..]].concat().concat()
}

/// Whether two words begin alike: both with a digit, or both with the same sign.
fn is_alike(a: &str, b: &str) -> bool {
    let first = |word: &str| word.chars().next().map(|c| if c.is_ascii_digit() { '0' } else { c });
    first(a) == first(b)
}

/// The words of a line and what is between them.
fn parts(line: &str) -> Vec<&str> {
    let is_wordlike = |c: char| c.is_alphanumeric() || "_.%@-".contains(c);
    let (mut parts, mut start, mut last) = (Vec::new(), 0, None);
    for (at, c) in line.char_indices() {
        if last.is_some_and(|last| last != is_wordlike(c)) {
            parts.push(&line[start..at]);
            start = at;
        }
        last = Some(is_wordlike(c));
    }
    parts.push(&line[start..]);
    parts
}

fn is_word(part: &str) -> bool {
    part.starts_with(|c: char| c.is_alphanumeric() || "_.%@-".contains(c))
}

/// Bytes with some of them changed, dropped or put in, or without the end.
pub fn changed_bytes(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for _ in 0..=random.below(6) {
        if changed.is_empty() {
            break;
        }
        let at = index(&changed, random);
        match random.below(16) {
            0 => changed.truncate(at),
            1 => drop(changed.remove(at)),
            2 => changed.insert(at, random.below(256) as u8),
            3..=7 => changed[at] ^= 1 << random.below(8),
            _ => changed[at] = random.below(256) as u8,
        }
    }
    changed
}

fn index<T>(of: &[T], random: &mut Random) -> usize {
    random.below(of.len() as u32) as usize
}
