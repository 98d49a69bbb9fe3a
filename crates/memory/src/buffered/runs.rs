//! Runs of bytes, for accesses of different sizes that overlap.

use raddle_event::{Address, Range};
use smallvec::SmallVec;

/// Some bytes, as ranges that do not overlap.
pub type Runs = SmallVec<[Range; 1]>;

/// The bytes that two ranges have in common.
pub fn common(a: Range, b: Range) -> Option<Range> {
    let (low, high) = (a.start.0.max(b.start.0), a.end().min(b.end()));
    (low < high).then(|| Range { start: Address(low), size: (high - low) as u32 })
}

/// The bytes of `range` that are in none of `others`.
pub fn minus(range: Range, others: impl IntoIterator<Item = Range>) -> Runs {
    let mut left: Runs = SmallVec::from_iter([range]);
    for other in others {
        let mut rest = Runs::new();
        for run in left {
            match common(run, other) {
                None => rest.push(run),
                Some(taken) => {
                    let before = Range { start: run.start, size: (taken.start.0 - run.start.0) as u32 };
                    let after = Range { start: Address(taken.end()), size: (run.end() - taken.end()) as u32 };
                    rest.extend([before, after].into_iter().filter(|r| r.size > 0));
                }
            }
        }
        left = rest;
    }
    left
}

/// Whether a range meets one of the runs.
pub fn meets(range: Range, runs: &[Range]) -> bool {
    runs.iter().any(|run| run.overlaps(range))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u64, size: u32) -> Range {
        Range { start: Address(start), size }
    }

    #[test]
    fn what_is_left_is_in_runs() {
        assert_eq!(minus(range(0, 8), [range(2, 2), range(3, 3)])[..], [range(0, 2), range(6, 2)]);
        assert!(minus(range(4, 4), [range(0, 8)]).is_empty());
    }
}
