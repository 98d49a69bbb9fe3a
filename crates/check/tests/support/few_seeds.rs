//! How many random programs are tried that take long.

use super::seeds::seeds;

/// A tenth as many in the full run, of programs that take long.
pub fn few_seeds(usual: u64) -> std::ops::Range<u64> {
    let many = seeds(10 * usual);
    many.start..many.start + (many.end - many.start) / 10
}
