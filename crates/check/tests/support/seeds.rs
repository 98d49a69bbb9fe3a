//! How many random programs are tried.

/// How many programs are tried: more for the full run by `tools/check-all`, which may begin with another seed.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("RADDLE_TWIN_FROM").unwrap_or(0);
    first..first + number("RADDLE_TWIN_SEEDS").unwrap_or(usual)
}
