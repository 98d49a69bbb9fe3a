//! Witnesses: whatever stands in one, reading it ends, and replaying it ends in a story or in a refusal.
//!
//! A witness carries its program compressed and with a hash, which no change at random gets past. So the bytes here are
//! the witness as one line of JSON without the program, and the text of the program behind it; they are put together
//! with the right hash, as a forger would.

use crate::execute::{LOOK, is_small, limits};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use raddle_machine::Limits;
use raddle_report::{Reread, WitnessFile, fault_text};
use raddle_story::tell;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Whether some bytes make a witness that was replayed.
pub fn witness(bytes: &[u8]) -> bool {
    // As they are they may be read, and are no witness.
    let _refused = WitnessFile::parse(bytes);
    let (line, text) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len()));
    let Some(file) = forged(line, text.trim_ascii_start()) else { return false };
    let Some(Reread { program, plan, limits: given, claim }) = WitnessFile::parse(&file).ok().and_then(|file| file.reread().ok()) else {
        return false;
    };
    if !is_small(&program) {
        return false;
    }
    let limits = Limits {
        unroll: given.unroll,
        uninitialised: given.uninitialised,
        exit_codes: given.exit_codes,
        malloc_may_fail: given.malloc_may_fail,
        spurious: given.spurious,
        nondet: given.nondet,
        ..limits()
    };
    if let Ok(story) = tell(&program, plan.judged_by(), &limits, &claim) {
        fault_text(&story, &Default::default(), LOOK);
    }
    true
}

/// A witness with another program, and the hash of that; `None` where the first line is no object.
pub fn forged(line: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    let mut witness: Value = serde_json::from_slice(line).ok()?;
    let packed = STANDARD.encode(zstd::encode_all(text, 1).ok()?);
    let hash: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    witness.as_object_mut()?.insert("program".into(), json!({ "sha256": hash, "bytes": text.len(), "zstd": packed }));
    serde_json::to_vec(&witness).ok()
}

/// The line and the text that make a witness.
pub(crate) fn taken_apart(witness: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut witness: Value = serde_json::from_slice(witness).ok()?;
    let program = witness.as_object_mut()?.remove("program")?;
    let packed = STANDARD.decode(program["zstd"].as_str()?).ok()?;
    Some((serde_json::to_vec(&witness).ok()?, zstd::decode_all(&packed[..]).ok()?))
}
