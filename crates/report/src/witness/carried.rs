//! The program that a witness carries: its text, compressed, with a hash.
//!
//! What comes out of a file is bounded before it is unpacked, compared with its hash, parsed and verified.

use super::Malformed;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use raddle_program::{Program, parse, verify};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Read;

/// A program of more text than this is not carried.
pub const MOST_TEXT: u64 = 64 << 20;
/// The largest window that is unpacked, in bits of its size.
const WINDOW_BITS: u32 = 27;
const LEVEL: i32 = 9;

/// A packed program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carried {
    /// The SHA-256 of the text, in hexadecimal digits.
    sha256: String,
    /// How many bytes the text has.
    bytes: u64,
    /// The text in the syntax of `raddle_program`, compressed by Zstandard, in base64.
    zstd: String,
}

impl Carried {
    /// Packs a program; `None` where it is too large for a witness.
    pub fn pack(program: &Program) -> Option<Carried> {
        let text = program.to_string();
        let bytes = text.len() as u64;
        let packed = zstd::encode_all(text.as_bytes(), LEVEL).ok().filter(|_| bytes <= MOST_TEXT)?;
        Some(Carried { sha256: hash(text.as_bytes()), bytes, zstd: STANDARD.encode(packed) })
    }

    /// Unpacks the program and believes nothing of it.
    pub fn unpack(&self) -> Result<Program, Malformed> {
        let text = self.text()?;
        let program = parse(&text).map_err(|why| Malformed(format!("program, {why}")))?;
        verify(&program).map_err(|why| Malformed(format!("program, {why}")))?;
        Ok(program)
    }

    fn text(&self) -> Result<String, Malformed> {
        if self.bytes > MOST_TEXT {
            return Err(Malformed(format!("program.bytes: {} are more than the {MOST_TEXT} that a witness may carry", self.bytes)));
        }
        let packed = STANDARD.decode(&self.zstd).map_err(|why| Malformed(format!("program.zstd: {why}")))?;
        let unpacked = unpacked(&packed, self.bytes).map_err(|why| Malformed(format!("program.zstd: {why}")))?;
        if unpacked.len() as u64 != self.bytes {
            return Err(Malformed(format!("program.zstd: does not unpack to the {} bytes that program.bytes says", self.bytes)));
        }
        if hash(&unpacked) != self.sha256 {
            return Err(Malformed("program.sha256: is not the hash of the program".into()));
        }
        String::from_utf8(unpacked).map_err(|why| Malformed(format!("program.zstd: {}", why.utf8_error())))
    }
}

/// What is packed here, at most one byte more than there should be.
fn unpacked(packed: &[u8], bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut decoder = zstd::Decoder::new(packed)?;
    decoder.window_log_max(WINDOW_BITS)?;
    let mut text = Vec::new();
    decoder.take(bytes + 1).read_to_end(&mut text)?;
    Ok(text)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "entry f0\nfunction f0 \"main\"\nb0:\n  return ()\n";

    fn packed(text: &[u8]) -> Carried {
        let zstd = STANDARD.encode(zstd::encode_all(text, LEVEL).expect("bytes can be packed"));
        Carried { sha256: hash(text), bytes: text.len() as u64, zstd }
    }

    #[track_caller]
    fn check(carried: Carried, expected: &str) {
        let why = carried.unpack().expect_err("it should be refused").0;
        assert!(why.starts_with(expected), "{why}");
    }

    #[test]
    fn a_program_comes_back() {
        let program = parse(TEXT).expect("the text is a program");
        let carried = Carried::pack(&program).expect("it is small");
        assert!(carried.unpack() == Ok(program));
    }

    #[test]
    fn nothing_is_believed() {
        check(packed(b"entry f0\n"), "program, ");
        check(packed(b"function f0"), "program, line 1, column ");
        check(packed(b"\xff\xff"), "program.zstd: invalid utf-8");
        check(Carried { sha256: "00".into(), ..packed(TEXT.as_bytes()) }, "program.sha256: is not the hash");
        check(Carried { zstd: "A".into(), ..packed(TEXT.as_bytes()) }, "program.zstd: ");
        check(Carried { zstd: STANDARD.encode(b"no frame"), ..packed(TEXT.as_bytes()) }, "program.zstd: ");
        // A bomb: eighty megabytes of spaces in some kilobytes. No more is unpacked of it than is said to be there.
        let bomb = packed(&vec![b' '; 80 << 20]);
        assert!(bomb.zstd.len() < 1 << 20);
        check(bomb.clone(), "program.bytes: 83886080 are more than");
        check(Carried { bytes: 1 << 20, ..bomb }, "program.zstd: does not unpack to");
    }
}
