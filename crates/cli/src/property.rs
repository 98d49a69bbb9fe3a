//! Properties of the competition on software verification (SV-COMP): what a file with one, or several, asks for.
//!
//! A property names the kinds of faults that count. A run that goes wrong otherwise is not followed further, so that
//! such a program is neither verified nor refuted.

use crate::input;
use raddle_event::FaultKind;
use raddle_llvm::Checks;
use std::path::Path;

/// The most bytes of a file with properties.
const MOST: u64 = 1 << 20;

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// The kinds of faults that count.
    pub kinds: Vec<FaultKind>,
    /// Whether what is not freed in the end matters. Where only what nothing points to counts, a leak leaves the
    /// question open: that is not known of what is left.
    pub leaks: bool,
}

/// What the names of properties stand for.
const KNOWN: [(&str, &[FaultKind]); 7] = [
    ("G ! call(reach_error())", &[FaultKind::Assertion]),
    ("G ! data-race", &[FaultKind::DataRace]),
    ("G valid-free", &[FaultKind::DoubleFree, FaultKind::InvalidFree]),
    ("G valid-deref", &[FaultKind::OutOfBounds, FaultKind::UseAfterFree, FaultKind::NullDereference, FaultKind::WildPointer]),
    ("G valid-memtrack", &[]),
    ("G valid-memcleanup", &[FaultKind::Leak]),
    ("G ! overflow", &[FaultKind::UndefinedBehaviour]),
];

impl Property {
    /// Reads a file of lines of the form `CHECK( init(main()), LTL(G ! data-race) )`.
    pub fn read(path: &Path) -> Result<Property, String> {
        let bytes = input::read(path, MOST).map_err(|why| format!("{}: {why}", path.display()))?;
        Property::parse(&String::from_utf8_lossy(&bytes)).map_err(|why| format!("{}: {why}", path.display()))
    }

    fn parse(text: &str) -> Result<Property, String> {
        let mut property = Property::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let formula = line.split_once("LTL(").and_then(|(_, rest)| rest.rsplit_once(')')?.0.trim_end().strip_suffix(')'));
            let words = formula.map(|formula| formula.split_whitespace().collect::<Vec<_>>().join(" "));
            let known = words.as_ref().and_then(|words| KNOWN.iter().find(|(name, _)| name == words));
            let Some(&(name, kinds)) = known else {
                let what = words.unwrap_or_else(|| line.trim().to_string());
                return Err(format!("line {}: `{what}` cannot be checked", number + 1));
            };
            property.kinds.extend(kinds);
            property.leaks |= name.starts_with("G valid-mem");
        }
        match property.kinds.is_empty() && !property.leaks {
            true => Err("there is no property in it".into()),
            false => Ok(property),
        }
    }

    /// Whether a kind of fault counts.
    pub fn has(&self, kind: FaultKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The checks that the compiler puts into the program for it.
    pub fn checks(&self) -> Checks {
        if self.has(FaultKind::UndefinedBehaviour) { Checks::Overflow } else { Checks::None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_properties() {
        let race = Property::parse("CHECK( init(main()), LTL(G ! data-race) )\n").expect("it is one");
        assert_eq!(race.kinds, [FaultKind::DataRace]);
        let all = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G  valid-deref) )\n\
                   CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let safe = Property::parse(all).expect("they are three");
        assert!(safe.leaks && !safe.has(FaultKind::Leak) && safe.has(FaultKind::UseAfterFree) && !safe.has(FaultKind::Assertion));
        let reach = Property::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )").expect("it is one");
        assert_eq!(reach.kinds, [FaultKind::Assertion]);
    }

    #[test]
    fn others_are_refused_with_their_line() {
        assert_eq!(Property::parse("\nCHECK( init(main()), LTL(F end) )"), Err("line 2: `F end` cannot be checked".into()));
        assert_eq!(Property::parse("COVER"), Err("line 1: `COVER` cannot be checked".into()));
        assert_eq!(Property::parse(""), Err("there is no property in it".into()));
    }
}
