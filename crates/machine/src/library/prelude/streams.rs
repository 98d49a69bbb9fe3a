//! The stream objects of C++, and manipulators: functions that are given to a stream and called with it.

use super::Definition;
use super::globals::variable;
use super::writer::Writer;
use crate::library::stream::{OBJECTS, facet, object, table};
use raddle_program::Program;

pub const TABLE: &[Definition] = &[
    Definition::new("_ZNSolsEPFRSoS_E", 2, 1, |w| manipulate(w, 0)),
    Definition::new("_ZNSolsEPFRSt8ios_baseS0_E", 2, 1, |w| manipulate(w, 8)),
    Definition::new("_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E", 2, 1, |w| manipulate(w, 8)),
];

fn manipulate(w: &mut Writer, base: u64) {
    let (stream, function, offset) = (w.parameter(0), w.parameter(1), w.constant(base));
    let base = w.add(stream, offset);
    w.call_pointer::<0>(function, &[base]);
    w.ret(&[stream]);
}

/// Fills the stream objects that the program declares.
pub fn fill(program: &mut Program) {
    let declared: Vec<usize> =
        (0..program.globals.len()).filter(|&n| OBJECTS.iter().any(|(name, _)| program.globals[n].name == *name)).collect();
    if declared.is_empty() {
        return;
    }
    let tables = program.add_global(variable("stream table", table())).zip(program.add_global(variable("stream facet", facet())));
    let Some((table, facet)) = tables else { return };
    let bytes = object(program.globals[table.index()].address, program.globals[facet.index()].address);
    for number in declared {
        let global = &mut program.globals[number];
        global.bytes = bytes[..bytes.len().min(global.size as usize)].to_vec();
    }
}
