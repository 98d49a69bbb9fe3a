//! The head of a test: architecture, name, and lines that only people and generators read.

use crate::error::{Result, syntax, unsupported};
use std::fmt;

/// The language of the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arch {
    /// 32-bit x86.
    X86,
    /// 64-bit x86.
    X86_64,
    /// POWER.
    Ppc,
    /// 64-bit ARM.
    AArch64,
    /// C11.
    C,
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Arch::X86 => "X86",
            Arch::X86_64 => "X86_64",
            Arch::Ppc => "PPC",
            Arch::AArch64 => "AArch64",
            Arch::C => "C",
        })
    }
}

pub(crate) struct Header {
    pub arch: Arch,
    pub name: String,
    /// The offset of the brace that opens the initial state.
    pub end: usize,
}

/// Reads up to the initial state.
pub(crate) fn parse(text: &str) -> Result<Header> {
    let start = skip_comments(text, 0)?;
    let (word, at) = bare_word(text, start);
    let arch = match word {
        "X86" => Arch::X86,
        "X86_64" => Arch::X86_64,
        "PPC" => Arch::Ppc,
        "AArch64" => Arch::AArch64,
        "C" => Arch::C,
        "" => return syntax(start, "expected the name of an architecture, found the end of the file"),
        "ARM" | "MIPS" | "RISCV" | "LISA" | "BPF" | "CPP" | "ASL" | "JAVA" | "Bell" | "GPU_PTX" | "OpenCL" => {
            return unsupported(start, format!("architecture `{word}` is not supported; X86, X86_64, PPC, AArch64 and C are"));
        }
        _ => return syntax(start, format!("expected an architecture (X86, X86_64, PPC, AArch64 or C), found `{word}`")),
    };
    let (name, at) = test_name(text, at)?;
    Ok(Header { arch, name, end: find_brace(text, at)? })
}

/// The word at or after an offset, and the offset behind it.
fn bare_word(text: &str, at: usize) -> (&str, usize) {
    let rest = text[at..].trim_start();
    let start = text.len() - rest.len();
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    (&rest[..end], start + end)
}

/// The name of the test, bare or between quotes, on the line of the architecture.
fn test_name(text: &str, at: usize) -> Result<(String, usize)> {
    let line = text[at..].lines().next().unwrap_or("");
    let start = at + line.len() - line.trim_start().len();
    if line.trim().is_empty() {
        return syntax(start, "expected the name of the test");
    }
    if let Some(quoted) = text[start..].strip_prefix('"') {
        return match quoted.find('"') {
            Some(end) => Ok((quoted[..end].to_string(), start + end + 2)),
            None => syntax(start, "the quotation does not end"),
        };
    }
    let (name, end) = bare_word(text, start);
    Ok((name.trim_end_matches(';').to_string(), end))
}

/// The offset of the first brace that stands neither in a comment, nor in quotes, nor in a line `key=value`.
fn find_brace(text: &str, mut at: usize) -> Result<usize> {
    loop {
        at = skip_comments(text, at)?;
        let rest = &text[at..];
        match rest.chars().next() {
            None => return syntax(at, "expected `{` and the initial state, found the end of the file"),
            Some('{') => return Ok(at),
            Some('"') => match rest[1..].find('"') {
                Some(end) => at += end + 2,
                None => return syntax(at, "the quotation does not end"),
            },
            Some(c) if c.is_ascii_alphanumeric() || c == '_' => {
                let in_key = |c: char| c.is_ascii_alphanumeric() || "_-./ \t".contains(c);
                let key = rest.find(|c| !in_key(c)).unwrap_or(rest.len());
                let is_info = rest[key..].starts_with('=');
                at += if is_info { rest.find('\n').unwrap_or(rest.len()) } else { key };
            }
            Some(c) => at += c.len_utf8(),
        }
    }
}

/// The offset behind blanks and comments.
fn skip_comments(text: &str, mut at: usize) -> Result<usize> {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        at += rest.len() - trimmed.len();
        match crate::cursor::comment(trimmed, true) {
            Some(Some(length)) => at += length,
            Some(None) => return syntax(at, "the comment does not end"),
            None => return Ok(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, arch: Arch, name: &str) {
        let header = parse(text).unwrap();
        assert_eq!((header.arch, header.name.as_str(), &text[header.end..]), (arch, name, "{}"));
    }

    #[test]
    fn heads_have_many_forms() {
        check("X86 SB\n\"a {doc}\"\nCycle=Fre {x}\n\n{}", Arch::X86, "SB");
        check("(* first *)\r\nPPC MP+po+lwsync\r\nOrig=A B\r\n{}", Arch::Ppc, "MP+po+lwsync");
        check("C \"a name\"\n{}", Arch::C, "a name");
        check("\u{feff}AArch64 x (* { *) Stable\n{}", Arch::AArch64, "x");
    }

    #[test]
    fn wrong_heads_are_located() {
        let message = |text| parse(text).err().map(|p| (p.at, p.message));
        assert_eq!(message("X86 SB\n"), Some((7, "expected `{` and the initial state, found the end of the file".into())));
        assert_eq!(message("  RISC a\n{}").unwrap().0, 2);
        assert!(message("ARM a\n{}").unwrap().1.contains("not supported"));
        assert!(message("X86\n{}").unwrap().1.contains("name of the test"));
        assert!(message("").is_some());
    }
}
