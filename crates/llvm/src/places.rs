//! Source places from debug locations.

use crate::ir::{Metadata, Node, Value};
use crate::unit::Unit;
use raddle_program::{Place, PlaceId};
use std::path::Path;

/// The operand of a subprogram that is its name in the source, and of a scope that is its parent.
const NAME: usize = 2;
const PARENT: usize = 1;

/// How the names of functions begin that clang makes up to say in debug information what a check looks at.
const TRAP: &str = "__clang_trap_msg";

impl<'m> Unit<'m> {
    /// The place of an instruction; nowhere where nothing is known.
    pub fn place_of(&mut self, instruction: Value<'m>) -> PlaceId {
        instruction.location().map_or(PlaceId(0), |location| self.location(location, instruction))
    }

    fn location(&mut self, location: Metadata<'m>, near: Value<'m>) -> PlaceId {
        let name = |of: Metadata<'m>| of.scope().and_then(|s| subprogram(s, near)).and_then(|s| s.string(NAME, near));
        if let Some(outer) = location.inlined_at()
            && name(location).is_some_and(|name| name.starts_with(TRAP))
        {
            return self.location(outer, near);
        }
        if let Some(&id) = self.locations.get(&location) {
            return id;
        }
        let scope = location.scope();
        let inlined_at = location.inlined_at().map(|outer| self.location(outer, near));
        let place = Place {
            file: scope.and_then(|s| s.file()).map(|(folder, name)| self.file(folder, name)).unwrap_or_default(),
            line: location.line(),
            column: location.column(),
            function: name(location).unwrap_or_default(),
            inlined_at,
        };
        let id = self.place(place);
        self.locations.insert(location, id);
        id
    }

    /// Where a function is defined.
    pub fn definition_of(&mut self, function: Value<'m>) -> PlaceId {
        let Some(subprogram) = function.subprogram() else { return PlaceId(0) };
        let file = subprogram.file().map(|(folder, name)| self.file(folder, name)).unwrap_or_default();
        let name = source_name(function);
        self.place(Place { file, line: subprogram.subprogram_line(), column: 0, function: name, inlined_at: None })
    }

    fn place(&mut self, place: Place) -> PlaceId {
        let next = PlaceId(self.program.places.len() as u32);
        let id = *self.places.entry(place.clone()).or_insert(next);
        if id == next {
            self.program.places.push(place);
        }
        id
    }

    /// The name of a file as the user wrote it, if that leads to the file from here, else with its folder.
    fn file(&mut self, folder: String, name: String) -> String {
        let found = |folder: &str, name: &str| match Path::new(name).is_absolute() || Path::new(name).exists() {
            true => name.to_string(),
            false => Path::new(folder).join(name).display().to_string(),
        };
        let key = (folder, name);
        match self.files.get(&key) {
            Some(file) => file.clone(),
            None => {
                let file = found(&key.0, &key.1);
                self.files.insert(key, file.clone());
                file
            }
        }
    }
}

/// The name of a function in the source, or the linker's where there is no debug information.
pub fn source_name(function: Value<'_>) -> String {
    let name = function.subprogram().and_then(|s| s.string(NAME, function));
    name.unwrap_or_else(|| function.name())
}

/// The function that a scope belongs to.
fn subprogram<'m>(mut scope: Metadata<'m>, near: Value<'m>) -> Option<Metadata<'m>> {
    while scope.node() == Node::Block {
        scope = scope.child(PARENT, near)?;
    }
    (scope.node() == Node::Subprogram).then_some(scope)
}
