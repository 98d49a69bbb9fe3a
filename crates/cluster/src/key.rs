//! Keys with which a coordinator signs what it sends (Ed25519), as words that people copy.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a secret key begins with, so that nobody takes one for the other.
const SECRET: &str = "raddle-secret-";
/// What a public key begins with.
const PUBLIC: &str = "raddle-key-";

/// A key that signs.
pub struct SecretKey(SigningKey);

/// A key that says who has signed.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicKey([u8; 32]);

impl SecretKey {
    /// A new key.
    pub fn generate() -> Result<SecretKey, String> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|why| format!("there are no random numbers: {why}"))?;
        Ok(SecretKey(SigningKey::from_bytes(&seed)))
    }

    /// The key that others are given.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// The key in words, to be kept in a file that nobody else reads.
    pub fn words(&self) -> String {
        SECRET.to_string() + &hexadecimal(self.0.as_bytes())
    }

    pub(crate) fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        self.0.sign(bytes).to_bytes().to_vec()
    }
}

impl FromStr for SecretKey {
    type Err = String;

    fn from_str(text: &str) -> Result<SecretKey, String> {
        let bytes = text.trim().strip_prefix(SECRET).and_then(bytes);
        bytes
            .map(|bytes| SecretKey(SigningKey::from_bytes(&bytes)))
            .ok_or_else(|| format!("this is no secret key: it begins with {SECRET}"))
    }
}

impl PublicKey {
    pub(crate) fn has_signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok(signature)) = (VerifyingKey::from_bytes(&self.0), Signature::from_slice(signature)) else { return false };
        key.verify_strict(bytes, &signature).is_ok()
    }
}

impl FromStr for PublicKey {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicKey, String> {
        let key = text.trim().strip_prefix(PUBLIC).and_then(bytes).filter(|bytes| VerifyingKey::from_bytes(bytes).is_ok());
        key.map(PublicKey).ok_or_else(|| format!("`{}` is no public key: it begins with {PUBLIC}", text.trim()))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC}{}", hexadecimal(&self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(digits: &str) -> Option<[u8; 32]> {
    if digits.len() != 64 || !digits.is_ascii() {
        return None;
    }
    let byte = |n: usize| u8::from_str_radix(&digits[2 * n..2 * n + 2], 16).ok();
    (0..32).map(byte).collect::<Option<Vec<u8>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_from_their_words() {
        let key = SecretKey::generate().unwrap();
        let again: SecretKey = key.words().parse().unwrap();
        assert_eq!(again.public(), key.public());
        assert_eq!(key.public().to_string().parse::<PublicKey>().unwrap(), key.public());
        assert!(key.words().parse::<PublicKey>().is_err(), "a secret key is no public key");
        assert!("raddle-key-12".parse::<PublicKey>().is_err());
        assert!(key.public().has_signed(b"this", &key.sign(b"this")));
        assert!(!key.public().has_signed(b"that", &key.sign(b"this")));
    }
}
