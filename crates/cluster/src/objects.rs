//! Objects: programs, and what is too large for a message. What is read has the hash that stands in its name, or it is
//! refused.
//!
//! Each object is kept once and belongs to one job, also where another has the same bytes: so whoever throws an object
//! away takes it from nobody else.

use crate::job::JobId;
use crate::server::{Cluster, Failure, LONG_PATIENCE, in_time};
use crate::wire::{Hash, MOST_PACKED, draw, pack_bytes, unpack_bytes};
use futures_util::TryStreamExt;
use raddle_program::{Program, parse, verify};
use serde::{Deserialize, Serialize};
use std::fmt;
use tokio::io::AsyncReadExt;

/// What a message leaves free for its head.
const MARGIN: usize = 4 << 10;

/// The name of an object: its job, a number that no other object of the job has, as good as certainly, and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectName {
    job: JobId,
    number: u64,
    hash: Hash,
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:016x}.{}", self.job, self.number, self.hash)
    }
}

/// The bytes of a message: with it, or in an object where they are too many.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    Here(Vec<u8>),
    There(ObjectName),
}

impl Cluster {
    /// Keeps an object of a job.
    pub async fn keep(&self, job: JobId, bytes: &[u8]) -> Result<ObjectName, Failure> {
        if bytes.len() > MOST_PACKED {
            return Err(Failure(format!("the cluster: an object has {} bytes, and {MOST_PACKED} are the most", bytes.len())));
        }
        let name = ObjectName { job, number: draw()?, hash: Hash::of(bytes) };
        in_time(LONG_PATIENCE, "an object", async {
            let put = self.objects.put(name.to_string().as_str(), &mut &bytes[..]).await;
            put.map(|_| name).map_err(|why| Failure::of("an object", why))
        })
        .await
    }

    /// The object of this name.
    pub async fn object(&self, name: ObjectName) -> Result<Vec<u8>, Failure> {
        let what = format!("object {name}");
        let missing = |why: &dyn fmt::Display| Failure::of(&what, why);
        let bytes = in_time(LONG_PATIENCE, &what, async {
            let object = self.objects.get(name.to_string()).await.map_err(|why| missing(&why))?;
            let mut bytes = Vec::new();
            object.take(MOST_PACKED as u64 + 1).read_to_end(&mut bytes).await.map_err(|why| missing(&why))?;
            Ok(bytes)
        });
        let bytes = bytes.await?;
        match Hash::of(&bytes) == name.hash {
            true => Ok(bytes),
            false => Err(missing(&"it is not what its name says")),
        }
    }

    /// Throws an object away, as well as one can.
    pub async fn forget(&self, name: ObjectName) {
        let _gone = self.objects.delete(name.to_string()).await;
    }

    /// Throws all objects of a job away, as well as one can.
    pub async fn forget_all(&self, job: JobId) {
        let lost = |why: &dyn fmt::Display| Failure::of("the objects", why);
        let objects = in_time(LONG_PATIENCE, "the objects", async {
            let objects = self.objects.list().await.map_err(|why| lost(&why))?;
            objects.try_collect::<Vec<_>>().await.map_err(|why| lost(&why))
        });
        let first = format!("{job}.");
        for object in objects.await.unwrap_or_default().iter().filter(|object| object.name.starts_with(&first)) {
            let _gone = self.objects.delete(&object.name).await;
        }
    }

    /// Bytes for a message of a job.
    pub async fn body(&self, job: JobId, bytes: Vec<u8>) -> Result<Body, Failure> {
        match bytes.len() + MARGIN > self.client.server_info().max_payload {
            true => self.keep(job, &bytes).await.map(Body::There),
            false => Ok(Body::Here(bytes)),
        }
    }

    /// The bytes of a message.
    pub async fn bytes(&self, body: Body) -> Result<Vec<u8>, Failure> {
        match body {
            Body::Here(bytes) => Ok(bytes),
            Body::There(name) => self.object(name).await,
        }
    }
}

impl Body {
    /// The object that has the bytes.
    pub fn object(&self) -> Option<ObjectName> {
        if let Body::There(name) = self { Some(*name) } else { None }
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
