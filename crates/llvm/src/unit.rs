//! The program being made from a module, and what is known of the module's names.

use crate::ir::{Metadata, Module, Type, Value};
use crate::shape::Shape;
use crate::unsupported::{Lowered, Unsupported, refuse};
use raddle_program::{ExternId, FunctionId, GlobalId, NoteId, Place, PlaceId, Program, Symbol, TypeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A program in the making.
pub struct Unit<'m> {
    pub module: &'m Module,
    pub program: Program,
    /// Whether names mean what they mean in SV-COMP.
    pub sv_comp: bool,
    pub(crate) functions: FxHashMap<Value<'m>, FunctionId>,
    pub(crate) globals: FxHashMap<Value<'m>, GlobalId>,
    externs: FxHashMap<String, ExternId>,
    shapes: FxHashMap<Type<'m>, Rc<Shape>>,
    pub(crate) places: FxHashMap<Place, PlaceId>,
    pub(crate) locations: FxHashMap<Metadata<'m>, PlaceId>,
    pub(crate) files: FxHashMap<(String, String), String>,
    pub(crate) layouts: FxHashMap<Metadata<'m>, Option<TypeId>>,
}

impl<'m> Unit<'m> {
    /// An empty program for a module.
    pub fn new(module: &'m Module) -> Unit<'m> {
        Unit {
            module,
            program: Program::new(),
            sv_comp: false,
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            externs: FxHashMap::default(),
            shapes: FxHashMap::default(),
            places: FxHashMap::default(),
            locations: FxHashMap::default(),
            files: FxHashMap::default(),
            layouts: FxHashMap::default(),
        }
    }

    /// The shape of a type.
    pub fn shape(&mut self, of: Type<'m>) -> Lowered<Rc<Shape>> {
        if let Some(shape) = self.shapes.get(&of) {
            return Ok(shape.clone());
        }
        let shape = Rc::new(Shape::of(self.module, of)?);
        self.shapes.insert(of, shape.clone());
        Ok(shape)
    }

    /// How many registers a parameter or result takes. One that cannot be held takes one register that nobody reads.
    pub fn passed_registers(&mut self, of: Type<'m>) -> u32 {
        self.shape(of).map_or(1, |shape| shape.registers())
    }

    /// The number of a function that is called by name.
    pub fn extern_named(&mut self, name: &str) -> ExternId {
        let name = name.trim_start_matches('\u{1}');
        let next = ExternId(self.program.externs.len() as u32);
        let id = *self.externs.entry(name.to_string()).or_insert(next);
        if id == next {
            self.program.externs.push(name.to_string());
        }
        id
    }

    /// A note about something unsupported.
    pub fn note(&mut self, Unsupported(text): Unsupported) -> NoteId {
        self.program.add_note(Symbol { text, layout: None })
    }

    /// The number of a function that is defined.
    pub fn defined(&self, function: Value<'m>) -> Option<FunctionId> {
        self.functions.get(&function).copied().filter(|_| !function.is_declaration())
    }

    /// The address of a function; a declared one gets a stand-in that calls it by name.
    pub fn function_address(&mut self, function: Value<'m>) -> Lowered<u64> {
        let id = match self.functions.get(&function) {
            Some(&id) => id,
            None => self.stand_in(function),
        };
        match self.program.function_address(id) {
            Some(address) => Ok(address.0),
            None => refuse("a program with this many functions"),
        }
    }

    /// The address of a global variable.
    pub fn global_address(&self, global: Value<'m>) -> Option<u64> {
        let id = self.globals.get(&global)?;
        Some(self.program.globals[id.index()].address.0)
    }
}
