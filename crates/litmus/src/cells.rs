//! The locations of a test as globals of the program.
//!
//! A location has the type that the test gives it, or the size of the accesses that reach it. Its address does not
//! depend on the size, so threads can be lowered as soon as all names are known.

use crate::error::{Result, unsupported};
use crate::location::Value;
use crate::types::Type;
use raddle_event::Address;
use raddle_program::{Global, GlobalId, Program};
use std::collections::BTreeMap;

/// What is known of one location.
#[derive(Default)]
struct Cell {
    of: Option<Type>,
    /// The size of the largest access that is seen in the text.
    accessed: Option<u32>,
    values: Vec<Value>,
}

/// All locations, numbered as they are met.
#[derive(Default)]
pub(crate) struct Cells {
    numbers: BTreeMap<String, usize>,
    names: Vec<String>,
    cells: Vec<Cell>,
    addresses: Vec<u64>,
    /// The size of a location that nothing is known of.
    word: u32,
}

impl Cells {
    /// No locations; those of unknown size will have `word` bytes.
    pub fn new(word: u32) -> Cells {
        Cells { word, ..Cells::default() }
    }

    /// Makes the location known.
    pub fn mention(&mut self, name: &str) {
        if !self.numbers.contains_key(name) {
            self.numbers.insert(name.to_string(), self.cells.len());
            self.names.push(name.to_string());
            self.cells.push(Cell::default());
        }
    }

    fn cell(&mut self, name: &str) -> &mut Cell {
        self.mention(name);
        &mut self.cells[self.numbers[name]]
    }

    /// Gives the location a type if it has none; tells whether it has this one now.
    pub fn declare(&mut self, name: &str, of: &Type) -> bool {
        self.cell(name).of.get_or_insert_with(|| of.clone()) == of
    }

    /// Gives the location its first values.
    pub fn initialise(&mut self, name: &str, values: &[Value]) {
        self.cell(name).values = values.to_vec();
    }

    /// Notes an access of some bytes.
    pub fn access(&mut self, name: &str, bytes: u32) {
        let cell = self.cell(name);
        cell.accessed = cell.accessed.max(Some(bytes));
    }

    /// The type of a location that is known.
    pub fn type_of(&self, name: &str) -> Type {
        let cell = &self.cells[self.numbers[name]];
        if let Some(of) = &cell.of {
            return of.clone();
        }
        if cell.values.iter().any(|v| matches!(v, Value::Address(..))) {
            return Type::INT.pointer_to();
        }
        // A part of an `int` is shown without a sign of its own.
        let bytes = cell.accessed.unwrap_or(self.word);
        Type::int(bytes, bytes >= 4)
    }

    /// Adds the globals to a program. After this every name has its address.
    pub fn place(&mut self, program: &mut Program) -> Result<()> {
        for name in self.names.clone() {
            let size = self.type_of(&name).size();
            let global = Global {
                name,
                bytes: Vec::new(),
                size,
                align: 8,
                constant: false,
                thread_local: false,
                layout: None,
                address: Address::default(),
            };
            let Some(id) = program.add_global(global) else { return unsupported(0, "there are too many locations") };
            self.addresses.push(program.globals[id.index()].address.0);
        }
        for (number, name) in self.names.iter().enumerate() {
            program.globals[number].bytes = self.bytes(name);
        }
        Ok(())
    }

    /// The first bytes of a location.
    fn bytes(&self, name: &str) -> Vec<u8> {
        let each = self.type_of(name).bytes() as usize;
        let cell = &self.cells[self.numbers[name]];
        cell.values.iter().flat_map(|value| self.word_of(value).to_le_bytes()[..each].to_vec()).collect()
    }

    /// The number of a location.
    pub fn id(&self, name: &str) -> GlobalId {
        GlobalId(self.numbers[name] as u32)
    }

    /// The address of a location.
    pub fn address(&self, name: &str) -> Option<u64> {
        self.addresses.get(*self.numbers.get(name)?).copied()
    }

    /// A number, or an address as one.
    pub fn word_of(&self, value: &Value) -> u64 {
        match value {
            Value::Number(number) => *number as u64,
            Value::Address(name, index) => self.addresses[self.numbers[name]] + index * self.type_of(name).element().size(),
        }
    }

    /// The name of the location at an address, with the index in an array.
    pub fn names_by_address(&self) -> BTreeMap<u64, String> {
        let mut names = BTreeMap::new();
        for (name, &address) in self.names.iter().zip(&self.addresses) {
            names.insert(address, name.clone());
            if let Type::Array(element, count) = self.type_of(name) {
                names.extend((1..count).map(|n| (address + n * element.size(), format!("{name}[{n}]"))));
            }
        }
        names
    }
}
