//! Values that are read and written: most are a word, a few are longer.

use std::fmt;
use std::sync::Arc;

/// The bytes of an access, little-endian. The size is that of the access.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// At most eight bytes; what lies above the size is zero.
    Word(u64),
    /// More than eight bytes.
    Bytes(Arc<[u8]>),
}

impl Value {
    /// A value of `bytes.len()` bytes.
    pub fn from_bytes(bytes: &[u8]) -> Value {
        if bytes.len() > 8 {
            return Value::Bytes(bytes.into());
        }
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        Value::Word(u64::from_le_bytes(word))
    }

    /// A value of at most sixteen bytes.
    pub fn from_u128(bits: u128, size: u32) -> Value {
        Value::from_bytes(&bits.to_le_bytes()[..size as usize])
    }

    /// The first eight bytes.
    pub fn word(&self) -> u64 {
        self.to_u128() as u64
    }

    /// The first sixteen bytes.
    pub fn to_u128(&self) -> u128 {
        match self {
            Value::Word(word) => *word as u128,
            Value::Bytes(bytes) => {
                let mut first = [0; 16];
                let n = bytes.len().min(16);
                first[..n].copy_from_slice(&bytes[..n]);
                u128::from_le_bytes(first)
            }
        }
    }

    /// Calls `f` with the `size` bytes of the value.
    pub fn with_bytes<R>(&self, size: u32, f: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Value::Word(word) => f(&word.to_le_bytes()[..size as usize]),
            Value::Bytes(bytes) => {
                debug_assert_eq!(bytes.len(), size as usize);
                f(bytes)
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => write!(f, "{word}"),
            Value::Bytes(bytes) if bytes.len() <= 16 => write!(f, "{:#x}", self.to_u128()),
            Value::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
        }
    }
}
