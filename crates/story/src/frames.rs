//! Which places of a stack to show.

use raddle_machine::Moment;
use raddle_program::{Place, Program};

/// The places of all frames, innermost first, calls that the compiler inlined included.
pub fn stack_places<'p>(program: &'p Program, moment: &Moment) -> Vec<&'p Place> {
    let mut places = Vec::new();
    for place in moment.places(program) {
        let mut at = Some(place);
        while let Some(place) = at {
            places.push(place);
            at = place.inlined_at.map(|outer| program.place(outer));
        }
    }
    places
}

/// The innermost place that is in the user's own files rather than in the system's headers, or else the innermost.
pub fn user_place<'p>(program: &'p Program, moment: &Moment) -> Option<&'p Place> {
    let places = stack_places(program, moment);
    places.iter().find(|place| !is_library(place)).or(places.first()).copied()
}

/// Whether a place is in a header of the system or of the compiler, which the user has not written.
pub fn is_library(place: &Place) -> bool {
    const OWN: [&str; 4] = ["/usr/src/", "/usr/home/", "/usr/local/src/", "/usr/local/home/"];
    const HEADERS: [&str; 3] = ["/include/c++/", "/lib/gcc/", "/lib/clang/"];
    let file = &place.file;
    let is_system = file.starts_with("/usr/") && !OWN.iter().any(|own| file.starts_with(own));
    is_system || HEADERS.iter().any(|headers| file.contains(headers))
}
