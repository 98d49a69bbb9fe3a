//! Programs: functions, globals and what the reports need to know of the source.

use crate::layout::path;
use crate::{Function, FunctionId, GlobalId, Layout, NoteId, Place, PlaceId, TypeId};
use raddle_event::{Address, AddressMap, Region};

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name in the source.
    pub name: String,
    /// Its first bytes; the rest of `size` is zero.
    pub bytes: Vec<u8>,
    /// Its size in bytes.
    pub size: u64,
    /// Its address is a multiple of this.
    pub align: u64,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Its type in the source, where that is known.
    pub layout: Option<TypeId>,
    /// Where it stands in memory (for thread-local ones: the template).
    pub address: Address,
}

/// A name that the program refers to by number: of a local variable, or a sentence about something unsupported.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Symbol {
    /// The name or the sentence.
    pub text: String,
    /// The type of the variable that it names, where that is known.
    pub layout: Option<TypeId>,
}

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The functions that are defined, by [`FunctionId`].
    pub functions: Vec<Function>,
    /// The global variables, by [`GlobalId`].
    pub globals: Vec<Global>,
    /// The functions that are called and not defined.
    pub externs: Vec<String>,
    /// Names of local variables and sentences about what is not supported, by [`NoteId`].
    pub notes: Vec<Symbol>,
    /// Number 0 is "nowhere".
    pub places: Vec<Place>,
    /// The types of the source, by [`TypeId`].
    pub layouts: Vec<Layout>,
    /// One thread starts at each of these, all at once. For a C program: one that calls `main`.
    pub entries: Vec<FunctionId>,
    /// The addresses of functions and globals; the machine goes on from there.
    pub addresses: AddressMap,
}

impl Program {
    /// An empty program.
    pub fn new() -> Program {
        Program { places: vec![Place::default()], notes: vec![Symbol::default()], ..Program::default() }
    }

    /// The address that stands for a function.
    pub fn function_address(&mut self, function: FunctionId) -> Option<Address> {
        self.addresses.address(Region::Code, function.0, 1)
    }

    /// The function that an address stands for.
    pub fn function_at(&self, address: Address) -> Option<FunctionId> {
        match self.addresses.find(address)? {
            (Region::Code, number, 0) if (number as usize) < self.functions.len() => Some(FunctionId(number)),
            _ => None,
        }
    }

    /// Adds a global and gives it its address; `None` when the address space is used up.
    pub fn add_global(&mut self, mut global: Global) -> Option<GlobalId> {
        let id = GlobalId(self.globals.len() as u32);
        global.address = self.addresses.address(Region::Globals, id.0, global.size)?;
        self.globals.push(global);
        Some(id)
    }

    /// Adds a name or sentence.
    pub fn add_note(&mut self, symbol: Symbol) -> NoteId {
        self.notes.push(symbol);
        NoteId(self.notes.len() as u32 - 1)
    }

    /// The place of an instruction.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|f| f.name == name).map(|n| FunctionId(n as u32))
    }

    /// Names `size` bytes at an offset of something with a name and perhaps a layout: `queue.slots[2].seq`.
    pub fn member_name(&self, name: &str, layout: Option<TypeId>, offset: u64, size: u64) -> String {
        let path = match layout {
            Some(of) => path(&self.layouts, of, offset, size).0,
            None if offset == 0 => String::new(),
            None => format!("+{offset}"),
        };
        format!("{name}{path}")
    }
}
