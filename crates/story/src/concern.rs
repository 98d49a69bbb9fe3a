//! What is accessed at some bytes in an execution: its name, and where in the source that is.

use crate::frames::is_library;
use crate::tell::Told;
use raddle_event::Range;
use raddle_program::Place;

/// Bytes in the words of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The variable, the member or the object of the library.
    pub name: String,
    /// The lines of those who access it, each once, in the order of the source.
    pub places: Vec<Place>,
}

impl Told {
    /// What lies at some bytes, where the execution accesses them.
    pub fn accessed(&self, range: Range) -> Option<Accessed> {
        let rows = || self.rows.iter().filter(|row| row.deed.range.is_some_and(|other| other.overlaps(range)));
        let exact = rows().find(|row| row.deed.range == Some(range)).or_else(|| rows().next())?;
        let name = exact.deed.variable.clone()?;
        let inner = [".__", "._M_"].iter().filter_map(|inner| name.find(inner)).min();
        let name = name[..inner.unwrap_or(name.len())].to_string();
        let mut places: Vec<Place> = rows().filter_map(|row| row.place.clone()).filter(|place| !is_library(place)).collect();
        places.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        places.dedup_by(|b, a| (&a.file, a.line) == (&b.file, b.line));
        Some(Accessed { name, places })
    }
}
