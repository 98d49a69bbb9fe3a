//! A test that is ready to be explored, and what its final values say.

use crate::condition::{Atom, Condition, Quantifier, Right};
use crate::header::Arch;
use raddle_program::{GlobalId, Program};
use std::collections::BTreeMap;

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name, from its first line.
    pub name: String,
    /// The machine whose instructions its threads are written in.
    pub arch: Arch,
    /// Entry `n` is thread `n`. Its function returns the observed registers of the thread. A test of one thread has a
    /// second one that does nothing.
    pub program: Program,
    /// For which executions the condition is said to hold.
    pub quantifier: Quantifier,
    /// What the test asks of final states.
    pub condition: Condition,
    /// Executions for which this does not hold are not counted.
    pub filter: Option<Condition>,
    /// What must be known at the end of an execution. Registers come before memory, as in a printed state.
    pub observed: Vec<Observed>,
    /// The condition with its quantifier, as herd7 prints it.
    pub condition_text: String,
    /// What a printed state shows, in order.
    pub(crate) shown: Vec<Shown>,
    /// The names of the addresses that a value can be.
    pub(crate) addresses: BTreeMap<u64, String>,
}

/// Something whose final value is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The value with number `result` that the function of a thread returns.
    Register {
        /// The number of the thread.
        thread: usize,
        /// The name of the register.
        name: String,
        /// Which of the values that the thread returns.
        result: usize,
        /// How its value is printed.
        format: Format,
    },
    /// Bytes of a global.
    Memory {
        /// The name of the location.
        name: String,
        /// The global that it lies in.
        global: GlobalId,
        /// How many bytes of the global come before it.
        offset: u64,
        /// How many bytes it has.
        size: u32,
        /// How its value is printed.
        format: Format,
    },
}

impl Observed {
    fn format(&self) -> Format {
        match self {
            Observed::Register { format, .. } | Observed::Memory { format, .. } => *format,
        }
    }
}

/// How far behind the start of a location an address is still named after it. Locations are farther apart than this.
const NEAR: u64 = 1 << 16;

/// How a word is read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The lower bits, with a sign.
    Signed(u8),
    /// The lower bits.
    Unsigned(u8),
    /// A machine register of 64 bits without a type: the lower half with its sign where the upper half is zero, else
    /// the whole with its sign. So the result of a 32-bit load of -1 is -1, as in herd7, which does not cut values.
    Register,
}

impl Format {
    /// The number that a word is.
    pub fn number(self, word: u64) -> i128 {
        match self {
            Format::Signed(bits) => ((word << (64 - bits)) as i64 >> (64 - bits)) as i128,
            Format::Unsigned(bits) => (word & (u64::MAX >> (64 - bits))) as i128,
            Format::Register if word >> 32 == 0 => word as u32 as i32 as i128,
            Format::Register => word as i64 as i128,
        }
    }
}

/// One entry of a printed state: observed values from `first` on, several for an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub label: String,
    pub first: usize,
    pub count: usize,
    pub is_array: bool,
}

/// A value as it is printed. Numbers come before addresses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Printed {
    Number(i128),
    Address(String),
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Printed::Number(number) => write!(f, "{number}"),
            Printed::Address(name) => f.write_str(name),
        }
    }
}

impl Test {
    /// A word as a number, or as an address where it lies in or close behind a location.
    fn printed(&self, format: Format, word: u64) -> Printed {
        match self.addresses.range(..=word).next_back() {
            Some((&start, name)) if start == word => Printed::Address(name.clone()),
            Some((&start, name)) if word - start < NEAR => Printed::Address(format!("{name}+{}", word - start)),
            _ => Printed::Number(format.number(word)),
        }
    }

    /// The values that a printed state shows, in order.
    pub(crate) fn shown_values(&self, values: &[u64]) -> Vec<Printed> {
        let numbers = self.shown.iter().flat_map(|shown| shown.first..shown.first + shown.count);
        numbers.map(|n| self.printed(self.observed[n].format(), values[n])).collect()
    }

    /// The final state as herd7 prints it, such as `0:EAX=0; [x]=1;`. There is one value for each of
    /// [`Test::observed`].
    pub fn state(&self, values: &[u64]) -> String {
        self.state_of(&self.shown_values(values))
    }

    /// The text of a state with these printed values.
    pub(crate) fn state_of(&self, printed: &[Printed]) -> String {
        let mut rest = printed.iter();
        let mut entries = Vec::new();
        for shown in &self.shown {
            let values: Vec<String> = rest.by_ref().take(shown.count).map(Printed::to_string).collect();
            entries.push(match shown.is_array {
                true => format!("{}={{{}}};", shown.label, values.join(",")),
                false => format!("{}={};", shown.label, values.concat()),
            });
        }
        entries.join(" ")
    }

    /// Whether the condition holds, without its quantifier.
    pub fn holds(&self, values: &[u64]) -> bool {
        self.condition.holds(&|atom| self.atom_holds(atom, values))
    }

    /// Whether an execution with these values is counted.
    pub fn passes_filter(&self, values: &[u64]) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(&|atom| self.atom_holds(atom, values)))
    }

    fn atom_holds(&self, atom: &Atom, values: &[u64]) -> bool {
        let format = self.observed[atom.left].format();
        let right = match atom.right {
            Right::Value(word) => self.printed(format, word),
            Right::Observed(other) => self.printed(self.observed[other].format(), values[other]),
        };
        self.printed(format, values[atom.left]) == right
    }
}
