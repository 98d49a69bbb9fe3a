//! Objects that are named by their hash: programs, and what is too large for a message. What is read is what the name
//! says, or it is refused.

use crate::access::{Cluster, Failure};
use crate::wire::{Hash, MOST_PACKED, pack_bytes, unpack_bytes};
use raddle_program::{Program, parse, verify};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;

/// What a message leaves free for its head.
const MARGIN: usize = 4 << 10;

/// The bytes of a message: with it, or in an object where they are too many.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    Here(Vec<u8>),
    There(Hash),
}

impl Cluster {
    /// Keeps an object, unless it is there.
    pub async fn keep(&self, bytes: &[u8]) -> Result<Hash, Failure> {
        let hash = Hash::of(bytes);
        if bytes.len() > MOST_PACKED {
            return Err(Failure(format!("the cluster: an object has {} bytes, and {MOST_PACKED} are the most", bytes.len())));
        }
        if self.objects.info(hash.to_string()).await.is_err() {
            let name = hash.to_string();
            self.objects.put(name.as_str(), &mut &bytes[..]).await.map_err(|why| Failure::of("an object", why))?;
        }
        Ok(hash)
    }

    /// The object of this name.
    pub async fn object(&self, hash: Hash) -> Result<Vec<u8>, Failure> {
        let missing = |why: &dyn std::fmt::Display| Failure::of(&format!("object {hash}"), why);
        let object = self.objects.get(hash.to_string()).await.map_err(|why| missing(&why))?;
        let mut bytes = Vec::new();
        object.take(MOST_PACKED as u64 + 1).read_to_end(&mut bytes).await.map_err(|why| missing(&why))?;
        match Hash::of(&bytes) == hash {
            true => Ok(bytes),
            false => Err(missing(&"it is not what its name says")),
        }
    }

    /// Throws an object away, as well as one can.
    pub async fn forget(&self, hash: Hash) {
        let _gone = self.objects.delete(hash.to_string()).await;
    }

    /// Bytes for a message.
    pub async fn body(&self, bytes: Vec<u8>) -> Result<Body, Failure> {
        match bytes.len() + MARGIN > self.client.server_info().max_payload {
            true => self.keep(&bytes).await.map(Body::There),
            false => Ok(Body::Here(bytes)),
        }
    }

    /// The bytes of a message.
    pub async fn bytes(&self, body: Body) -> Result<Vec<u8>, Failure> {
        match body {
            Body::Here(bytes) => Ok(bytes),
            Body::There(hash) => self.object(hash).await,
        }
    }
}

impl Body {
    /// The object that has the bytes.
    pub fn object(&self) -> Option<Hash> {
        if let Body::There(hash) = self { Some(*hash) } else { None }
    }
}

/// A program as an object. What comes back has to have the same text: lists of registers may stand in another order.
pub fn pack_program(program: &Program) -> Result<Vec<u8>, Failure> {
    let text = program.to_string();
    let packed = pack_bytes(text.as_bytes());
    match unpack_program(&packed) {
        Ok(again) if again.to_string() == text => Ok(packed),
        Ok(_) => Err(Failure("the cluster: the program does not come back from its text".into())),
        Err(why) => Err(Failure(format!("the cluster: the program does not come back from its text: {why}"))),
    }
}

/// The program that an object is. Nothing of it is believed.
pub fn unpack_program(packed: &[u8]) -> Result<Program, String> {
    let text = String::from_utf8(unpack_bytes(packed)?).map_err(|why| why.to_string())?;
    let program = parse(&text).map_err(|why| format!("the program, {why}"))?;
    verify(&program).map_err(|why| format!("the program, {why}"))?;
    Ok(program)
}
