//! `dynamic_cast`: looks for a class among the bases of an object, by the type information of the C++ ABI for Itanium.
//!
//! A table of virtual functions is preceded by the type of the whole object and its distance from the part at hand. A
//! type points to the table of its own kind, which tells how its bases are listed: none, one at the start, or several
//! with their places.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[("__dynamic_cast", dynamic_cast)];

/// A part of an object: its type and its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    class: u64,
    address: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    NoBase,
    OneBase,
    Bases,
}

const KINDS: [(&str, Kind); 3] = [
    ("_ZTVN10__cxxabiv117__class_type_infoE", Kind::NoBase),
    ("_ZTVN10__cxxabiv120__si_class_type_infoE", Kind::OneBase),
    ("_ZTVN10__cxxabiv121__vmi_class_type_infoE", Kind::Bases),
];

const PUBLIC: u64 = 2;
const VIRTUAL: u64 = 1;

fn dynamic_cast(call: &mut Call) -> Run<u64> {
    let (from, wanted) = (Part { class: call.word(1), address: call.word(0) }, call.word(2));
    let table = call.load(Address(from.address), 8)?;
    let distance = call.load(Address(table - 16), 8)?;
    let class = call.load(Address(table - 8), 8)?;
    let whole = Part { class, address: from.address.wrapping_add(distance) };
    let mut candidates = Vec::new();
    for part in parts(call, whole)? {
        if part.class == wanted && !candidates.contains(&part) {
            candidates.push(part);
        }
    }
    if candidates.len() > 1 {
        // Of several, the one that the part at hand belongs to.
        let mut containing = Vec::new();
        for part in candidates {
            if parts(call, part)?.contains(&from) {
                containing.push(part);
            }
        }
        candidates = containing;
    }
    Ok(if let [only] = candidates[..] { only.address } else { 0 })
}

/// A part and all of its public bases.
fn parts(call: &mut Call, whole: Part) -> Run<Vec<Part>> {
    let (mut all, mut next) = (vec![whole], 0);
    while next < all.len() {
        let bases = bases(call, all[next])?;
        all.extend(bases);
        next += 1;
    }
    Ok(all)
}

fn bases(call: &mut Call, part: Part) -> Run<Vec<Part>> {
    match kind(call, part.class)? {
        Kind::NoBase => Ok(Vec::new()),
        Kind::OneBase => {
            let class = call.load(Address(part.class + 16), 8)?;
            Ok(vec![Part { class, address: part.address }])
        }
        Kind::Bases => listed_bases(call, part),
    }
}

fn listed_bases(call: &mut Call, part: Part) -> Run<Vec<Part>> {
    let count = call.load(Address(part.class + 20), 4)?;
    let mut bases = Vec::new();
    for number in 0..count {
        let entry = part.class + 24 + 16 * number;
        let class = call.load(Address(entry), 8)?;
        let flags = call.load(Address(entry + 8), 8)?;
        if flags & PUBLIC == 0 {
            continue;
        }
        let mut offset = (flags as i64 >> 8) as u64;
        if flags & VIRTUAL != 0 {
            // Of a virtual base the table of virtual functions knows the place.
            let table = call.load(Address(part.address), 8)?;
            offset = call.load(Address(table.wrapping_add(offset)), 8)?;
        }
        bases.push(Part { class, address: part.address.wrapping_add(offset) });
    }
    Ok(bases)
}

/// Where a type is that of a pointer: the qualifiers of what it points to, and its type.
pub fn is_pointer_to(call: &mut Call, of: u64) -> Run<Option<(u64, u64)>> {
    if table_name(call, of)? != Some(POINTER) {
        return Ok(None);
    }
    Ok(Some((call.load(Address(of.wrapping_add(16)), 4)?, call.load(Address(of.wrapping_add(24)), 8)?)))
}

/// An object of a type and all of its public bases: types with addresses. What is no class has none.
pub fn parts_of_kind(call: &mut Call, address: u64, class: u64) -> Run<Vec<(u64, u64)>> {
    let is_class = table_name(call, class)?.is_some_and(|name| KINDS.iter().any(|kind| kind.0 == name));
    if !is_class {
        return Ok(Vec::new());
    }
    Ok(parts(call, Part { class, address })?.into_iter().map(|part| (part.class, part.address)).collect())
}

const POINTER: &str = "_ZTVN10__cxxabiv119__pointer_type_infoE";

/// The name of the table of virtual functions of a type's information, which tells its kind.
fn table_name(call: &mut Call, of: u64) -> Run<Option<&'static str>> {
    let table = call.load(Address(of), 8)?;
    let program = call.runner.world.program;
    let global = program.globals.iter().find(|global| global.address.0 + 16 == table);
    let known = || KINDS.iter().map(|kind| kind.0).chain([POINTER]);
    Ok(global.and_then(|global| known().find(|name| *name == global.name)))
}

fn kind(call: &mut Call, class: u64) -> Run<Kind> {
    let table = call.load(Address(class), 8)?;
    // The pointer goes behind the two words before the virtual functions.
    let program = call.runner.world.program;
    let global = program.globals.iter().find(|global| global.address.0 + 16 == table);
    match global.and_then(|global| KINDS.iter().find(|kind| kind.0 == global.name)) {
        Some(kind) => Ok(kind.1),
        None => call.unsupported("a cast to a class whose type information is of an unknown kind"),
    }
}
