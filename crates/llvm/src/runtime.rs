//! The run-time library: what C and C++ have in a binary that cannot be checked, and what is better written in C than
//! in the machine.
//!
//! It is compiled when Raddle is built. A part is put into a program that names something of it without defining it;
//! whoever defines such a thing gets their own. It has no places in the source, so that what goes wrong in it is shown
//! where the program calls it.

use crate::Error;
use crate::ir::Module;

/// The parts, with the names of their sources. A part may need those that come after it.
const PARTS: [(&str, &[u8]); 7] = [
    ("streams.cpp", include_bytes!(concat!(env!("OUT_DIR"), "/streams.bc"))),
    ("memory_resource.cpp", include_bytes!(concat!(env!("OUT_DIR"), "/memory_resource.bc"))),
    ("exceptions.cpp", include_bytes!(concat!(env!("OUT_DIR"), "/exceptions.bc"))),
    ("complex.c", include_bytes!(concat!(env!("OUT_DIR"), "/complex.bc"))),
    ("calendar.c", include_bytes!(concat!(env!("OUT_DIR"), "/calendar.bc"))),
    ("posix.c", include_bytes!(concat!(env!("OUT_DIR"), "/posix.bc"))),
    ("library.c", include_bytes!(concat!(env!("OUT_DIR"), "/library.bc"))),
];

/// Puts the parts that a program needs into it.
pub fn add(module: &mut Module) -> Result<(), Error> {
    let mut is_any = false;
    for (name, code) in PARTS {
        is_any |= module.add_if_needed(code, name).map_err(|why| Error::BadBitcode { file: name.into(), why })?;
    }
    if is_any {
        module.drop_unused().map_err(|why| Error::BadBitcode { file: "the run-time library".into(), why })?;
    }
    Ok(())
}

/// The names of all functions that the run-time library defines.
pub fn functions() -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for (name, code) in PARTS {
        let mut part = Module::new();
        part.add(code, name).map_err(|why| Error::BadBitcode { file: name.into(), why })?;
        names.extend(part.functions().into_iter().filter(|function| !function.is_declaration()).map(|function| function.name()));
    }
    Ok(names)
}
