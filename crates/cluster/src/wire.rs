//! What is sent: plain values as bytes, compressed, and signed where somebody has a key.
//!
//! What is read is of unknown origin. It is bounded before it is unpacked, and what does not fit is refused with a
//! sentence.

use crate::key::{PublicKey, SecretKey};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::Read;

/// No message or object is larger than this, packed.
pub const MOST_PACKED: usize = 64 << 20;
/// Nor this, unpacked.
const MOST_PLAIN: u64 = 512 << 20;
/// The largest window that is unpacked, in bits of its size.
const WINDOW_BITS: u32 = 27;
const LEVEL: i32 = 1;

/// The SHA-256 of some bytes, which names them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hash([u8; 32]);

impl Hash {
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A number drawn at random.
pub fn draw() -> Result<u64, String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|why| format!("there are no random numbers: {why}"))?;
    Ok(u64::from_le_bytes(bytes))
}

/// Bytes that are compressed.
pub fn pack_bytes(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, LEVEL).expect("bytes can be compressed")
}

/// Undoes that, as far as is sensible.
pub fn unpack_bytes(packed: &[u8]) -> Result<Vec<u8>, String> {
    let wrong = |why: std::io::Error| format!("it cannot be unpacked: {why}");
    if packed.len() > MOST_PACKED {
        return Err(format!("its {} bytes are more than {MOST_PACKED}", packed.len()));
    }
    let mut decoder = zstd::Decoder::new(packed).map_err(wrong)?;
    decoder.window_log_max(WINDOW_BITS).map_err(wrong)?;
    let mut plain = Vec::new();
    decoder.take(MOST_PLAIN + 1).read_to_end(&mut plain).map_err(wrong)?;
    if plain.len() as u64 > MOST_PLAIN {
        return Err(format!("it unpacks to more than {MOST_PLAIN} bytes"));
    }
    Ok(plain)
}

/// A value as compressed bytes.
pub fn pack(value: &impl Serialize) -> Vec<u8> {
    pack_bytes(&postcard::to_stdvec(value).expect("plain values can be written"))
}

/// The value that compressed bytes are.
pub fn unpack<T: DeserializeOwned>(packed: &[u8]) -> Result<T, String> {
    let plain = unpack_bytes(packed)?;
    let (value, rest) = postcard::take_from_bytes(&plain).map_err(|why| format!("it cannot be read: {why}"))?;
    if rest.is_empty() { Ok(value) } else { Err(format!("{} bytes are left over", rest.len())) }
}

/// Bytes with a signature.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sealed {
    body: Vec<u8>,
    seal: Option<Seal>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Seal {
    key: PublicKey,
    signature: Vec<u8>,
}

/// What is signed of some bytes: they and what they are meant as, so that one thing cannot be taken for another.
fn signed(purpose: &str, body: &[u8]) -> Vec<u8> {
    [b"raddle ", purpose.as_bytes(), b"\0", body].concat()
}

/// A value as bytes, with a signature where there is a key.
pub fn seal(purpose: &str, value: &impl Serialize, key: Option<&SecretKey>) -> Vec<u8> {
    let body = pack(value);
    let seal = key.map(|key| Seal { key: key.public(), signature: key.sign(&signed(purpose, &body)) });
    postcard::to_stdvec(&Sealed { body, seal }).expect("plain values can be written")
}

/// Why sealed bytes are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is signed by no key that is trusted.
    NotTrusted,
    /// It is not what it should be.
    Malformed(String),
}

/// The value of sealed bytes. Where there are keys to trust, it must be signed by one of them.
pub fn open<T: DeserializeOwned>(purpose: &str, bytes: &[u8], trusted: &[PublicKey]) -> Result<T, Refused> {
    let malformed = |why: postcard::Error| Refused::Malformed(format!("it cannot be read: {why}"));
    if bytes.len() > MOST_PACKED {
        return Err(Refused::Malformed(format!("its {} bytes are more than {MOST_PACKED}", bytes.len())));
    }
    let Sealed { body, seal } = postcard::from_bytes(bytes).map_err(malformed)?;
    if !trusted.is_empty() {
        let is_trusted = |seal: &Seal| trusted.contains(&seal.key) && seal.key.has_signed(&signed(purpose, &body), &seal.signature);
        if !seal.as_ref().is_some_and(is_trusted) {
            return Err(Refused::NotTrusted);
        }
    }
    unpack(&body).map_err(Refused::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_opened() {
        let bytes = seal("task", &vec![1u32, 2, 3], None);
        assert_eq!(open::<Vec<u32>>("task", &bytes, &[]), Ok(vec![1, 2, 3]));
    }

    #[test]
    fn who_trusts_a_key_refuses_what_it_has_not_signed() {
        let (mine, other) = (SecretKey::generate().unwrap(), SecretKey::generate().unwrap());
        let trusted = [mine.public()];
        let value = String::from("explore this");
        assert_eq!(open::<String>("task", &seal("task", &value, Some(&mine)), &trusted), Ok(value.clone()));
        assert_eq!(open::<String>("task", &seal("task", &value, None), &trusted), Err(Refused::NotTrusted));
        assert_eq!(open::<String>("task", &seal("task", &value, Some(&other)), &trusted), Err(Refused::NotTrusted));
        assert_eq!(open::<String>("task", &seal("job", &value, Some(&mine)), &trusted), Err(Refused::NotTrusted), "for another purpose");
        // Every bit of what is signed counts.
        let sound = seal("task", &value, Some(&mine));
        for bit in 0..8 * sound.len() {
            let mut torn = sound.clone();
            torn[bit / 8] ^= 1 << (bit % 8);
            assert!(open::<String>("task", &torn, &trusted).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn bombs_and_torn_bytes_are_refused() {
        let bomb = pack_bytes(&vec![0; MOST_PLAIN as usize + 2]);
        assert!(bomb.len() < 1 << 20);
        assert!(unpack_bytes(&bomb).is_err_and(|why| why.contains("unpacks to more")));
        // A list that says it has more elements than there are bytes.
        let lies = pack_bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
        assert!(unpack::<Vec<u64>>(&lies).is_err());
        let sound = pack(&vec![1u8; 100]);
        for end in 0..sound.len() {
            assert!(unpack::<Vec<u8>>(&sound[..end]).is_err(), "{end} bytes");
        }
        assert!(unpack::<u8>(&pack(&(1u8, 2u8))).is_err_and(|why| why.contains("left over")));
    }
}
