//! Decides what is observed of a test: what its condition, its filter and its list of locations name.

use crate::cells::Cells;
use crate::condition::{Atom, Condition, Right};
use crate::error::{Result, syntax};
use crate::final_state::{Claim, Comparison, FinalState, Side};
use crate::header::Arch;
use crate::location::{Named, Value};
use crate::registers;
use crate::test::{Format, Observed, Shown};
use crate::types::Type;
use std::collections::BTreeMap;

/// The place of something in a printed state: registers by thread and rank, then locations, then elements of arrays.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Register { thread: usize, rank: usize, name: String },
    Location(String),
    Element(String, u64),
}

impl Key {
    /// How a state and a condition name it.
    pub fn label(&self) -> String {
        match self {
            Key::Register { thread, name, .. } => format!("{thread}:{name}"),
            Key::Location(name) => format!("[{name}]"),
            Key::Element(name, index) => format!("{name}[{index}]"),
        }
    }
}

/// The keys of a test's names.
pub(crate) struct Keys<'a> {
    pub arch: Arch,
    pub n_threads: usize,
    pub cells: &'a Cells,
}

impl Keys<'_> {
    pub fn key(&self, at: usize, named: &Named) -> Result<Key> {
        match named {
            Named::Register { thread, .. } if *thread >= self.n_threads => {
                syntax(at, format!("thread {thread} does not exist; the last one is {}", self.n_threads.saturating_sub(1)))
            }
            Named::Register { thread, name } => match registers::find(self.arch, name) {
                Some(register) => Ok(Key::Register { thread: *thread, rank: register.rank, name: register.name }),
                None => syntax(at, format!("`{name}` is not a register of {}", self.arch)),
            },
            Named::Location(name) => Ok(Key::Location(name.clone())),
            Named::Element(name, index) => match self.cells.type_of(name) {
                Type::Array(_, count) if *index < count => Ok(Key::Element(name.clone(), *index)),
                Type::Array(_, count) => syntax(at, format!("the array `{name}` has {count} elements")),
                _ => syntax(at, format!("`{name}` is not an array")),
            },
        }
    }

    /// The key of a single value: not of a whole array.
    fn scalar_key(&self, at: usize, named: &Named) -> Result<Key> {
        let key = self.key(at, named)?;
        match &key {
            Key::Location(name) if matches!(self.cells.type_of(name), Type::Array(..)) => {
                syntax(at, format!("`{name}` is an array; name one of its elements, such as `{name}[0]`"))
            }
            _ => Ok(key),
        }
    }
}

/// Everything that is observed, with the numbers of the values.
pub(crate) struct Observations {
    pub observed: Vec<Observed>,
    pub shown: Vec<Shown>,
    /// For each thread the registers that it returns, in order.
    pub results: Vec<Vec<String>>,
    numbers: BTreeMap<Key, usize>,
}

/// Whether a key is shown, and the type that the list of locations gives it.
type Wanted = BTreeMap<Key, (bool, Option<Type>)>;

fn want(wanted: &mut Wanted, key: Key, is_shown: bool, of: Option<&Type>) {
    let entry = wanted.entry(key).or_default();
    entry.0 |= is_shown;
    entry.1 = entry.1.take().or_else(|| of.cloned());
}

fn wanted(keys: &Keys, end: &FinalState) -> Result<Wanted> {
    let mut wanted = Wanted::new();
    for (at, named, of) in &end.locations {
        want(&mut wanted, keys.key(*at, named)?, true, of.as_ref());
    }
    let claims = [(Some(&end.claim), true), (end.filter.as_ref(), false)];
    for (claim, is_shown) in claims.into_iter().filter_map(|(claim, shown)| Some((claim?, shown))) {
        let mut comparisons = Vec::new();
        claim.atoms(&mut |atom| comparisons.push(atom));
        for Comparison { at, left, right } in comparisons {
            want(&mut wanted, keys.scalar_key(*at, left)?, is_shown, None);
            if let Side::Named(right) = right {
                want(&mut wanted, keys.scalar_key(*at, right)?, is_shown, None);
            }
        }
    }
    Ok(wanted)
}

impl Observations {
    /// Collects what is named. `type_of` tells the type of a register that has one.
    pub fn new(keys: &Keys, end: &FinalState, type_of: impl Fn(usize, &str) -> Option<Type>) -> Result<Observations> {
        let mut watch =
            Observations { observed: Vec::new(), shown: Vec::new(), results: vec![Vec::new(); keys.n_threads], numbers: BTreeMap::new() };
        for (key, (is_shown, of)) in wanted(keys, end)? {
            let first = watch.observed.len();
            let is_array = watch.observe(keys, &key, of, &type_of);
            if is_shown {
                let label = if let (true, Key::Location(name)) = (is_array, &key) { name.clone() } else { key.label() };
                watch.shown.push(Shown { label, first, count: watch.observed.len() - first, is_array });
            }
            watch.numbers.insert(key, first);
        }
        Ok(watch)
    }

    /// Adds the values of a key; tells whether they are those of an array.
    fn observe(&mut self, keys: &Keys, key: &Key, of: Option<Type>, type_of: &impl Fn(usize, &str) -> Option<Type>) -> bool {
        match key {
            Key::Register { thread, name, .. } => {
                let format = match of.or_else(|| type_of(*thread, name)) {
                    Some(of) => format_of(&of),
                    None if keys.arch == Arch::X86 => Format::Signed(32),
                    None => Format::Register,
                };
                let results = &mut self.results[*thread];
                self.observed.push(Observed::Register { thread: *thread, name: name.clone(), result: results.len(), format });
                results.push(name.clone());
                false
            }
            Key::Element(name, index) => {
                self.observe_cell(keys, name, *index, None);
                false
            }
            Key::Location(name) => match keys.cells.type_of(name) {
                Type::Array(_, count) => {
                    (0..count).for_each(|index| self.observe_cell(keys, name, index, None));
                    true
                }
                _ => {
                    self.observe_cell(keys, name, 0, of);
                    false
                }
            },
        }
    }

    fn observe_cell(&mut self, keys: &Keys, name: &str, index: u64, shown_as: Option<Type>) {
        let whole = keys.cells.type_of(name);
        let of = whole.element();
        let format = match shown_as {
            Some(shown) if shown.bytes() == of.bytes() => format_of(&shown),
            _ => format_of(of),
        };
        let (offset, size) = (index * of.size(), of.bytes());
        self.observed.push(Observed::Memory { name: name.to_string(), global: keys.cells.id(name), offset, size, format });
    }

    /// The condition that a claim is.
    pub fn condition(&self, keys: &Keys, claim: &Claim) -> Result<Condition> {
        claim.map(&mut |comparison: &Comparison| {
            let number = |named| keys.key(comparison.at, named).map(|key| self.numbers[&key]);
            let right = match &comparison.right {
                Side::Value(value) => Right::Value(keys.cells.word_of(value)),
                Side::Named(named) => Right::Observed(number(named)?),
            };
            Ok(Atom { left: number(&comparison.left)?, right })
        })
    }

    /// The text of a claim, with registers as herd7 names them.
    pub fn text(keys: &Keys, claim: &Claim) -> String {
        let label = |at, named: &Named| keys.key(at, named).map_or(String::new(), |key| key.label());
        claim.text(&|comparison: &Comparison| {
            let right = match &comparison.right {
                Side::Value(Value::Number(number)) => number.to_string(),
                Side::Value(Value::Address(name, 0)) => name.clone(),
                Side::Value(Value::Address(name, index)) => format!("{name}[{index}]"),
                Side::Named(named) => label(comparison.at, named),
            };
            format!("{}={right}", label(comparison.at, &comparison.left))
        })
    }
}

fn format_of(of: &Type) -> Format {
    match of {
        Type::Int { signed: false, .. } => Format::Unsigned(of.bits()),
        _ => Format::Signed(of.bits()),
    }
}
