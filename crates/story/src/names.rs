//! Names for what lies in memory, the way the programmer knows it: variables by their names and members, heap objects
//! by the call that made them.

use crate::frames::user_place;
use raddle_event::{Address, Range, Region, Value};
use raddle_machine::{Machine, Moment, OutOfOrder, Site, World};
use raddle_program::{ExternId, FunctionId, Instr, NoteId, Place, Program, Scalar, TypeId, layout_path};
use rustc_hash::FxHashMap;

/// A machine that knows what lies where.
pub(crate) trait Mapped {
    /// What all threads share.
    fn world(&self) -> &World<'_>;
    /// What made the object that an address names.
    fn maker(&self, address: Address) -> Option<Site>;
}

macro_rules! mapped {
    ($($machine:ident)*) => {$(
        impl Mapped for $machine<'_> {
            fn world(&self) -> &World<'_> {
                self
            }
            fn maker(&self, address: Address) -> Option<Site> {
                $machine::maker(self, address)
            }
        }
    )*};
}
mapped!(Machine OutOfOrder);

/// Gives names. Objects of one site are told apart by the order in which they are first named.
#[derive(Default)]
pub(crate) struct Names {
    of_site: FxHashMap<Site, Vec<Address>>,
}

/// Where an address lies: in which object, and how far behind its beginning.
struct Spot {
    name: String,
    layout: Option<TypeId>,
    offset: u64,
}

impl Names {
    /// The bytes of a range, and how their value is shown.
    pub fn range(&mut self, machine: &dyn Mapped, range: Range) -> (String, Option<Scalar>) {
        let program = machine.world().program();
        let Some(object) = self.object(machine, range.start) else { return (format!("{}", range.start), None) };
        let name = program.member_name(&object.name, object.layout, object.offset, range.size as u64);
        let kind = object.layout.and_then(|layout| layout_path(&program.layouts, layout, object.offset, range.size as u64).1);
        // An atomic of C++ is its only member.
        let name = name.strip_suffix("._M_i").map_or(name.clone(), |atomic| atomic.trim_end_matches("._M_base").to_string());
        (name, kind)
    }

    /// The whole object that begins at an address.
    pub fn whole(&mut self, machine: &dyn Mapped, start: Address) -> String {
        self.object(machine, start).map_or_else(|| start.to_string(), |object| object.name)
    }

    /// The object of the library that a call works on, without the names of its inner parts.
    pub fn opaque(&mut self, machine: &dyn Mapped, range: Range) -> String {
        let name = self.range(machine, range).0;
        let inner = [".__", "._M_"].iter().filter_map(|inner| name.find(inner)).min();
        name[..inner.unwrap_or(name.len())].to_string()
    }

    /// A value of a kind.
    pub fn value(&mut self, machine: &dyn Mapped, kind: Option<Scalar>, value: &Value, size: u32) -> String {
        let word = value.word();
        let unused = 64 - 8 * size.clamp(1, 8);
        let signed = ((word << unused) as i64) >> unused;
        match kind {
            _ if size > 8 => value.to_string(),
            Some(Scalar::Unsigned) => word.to_string(),
            Some(Scalar::Float) if size == 4 => f32::from_bits(word as u32).to_string(),
            Some(Scalar::Float) if size == 8 => f64::from_bits(word).to_string(),
            Some(Scalar::Bool) if word <= 1 => (word == 1).to_string(),
            Some(Scalar::Char) if (32..127).contains(&word) => format!("'{}'", word as u8 as char),
            Some(Scalar::Pointer) if size == 8 => self.pointer(machine, Address(word)).unwrap_or_else(|| format!("{word:#x}")),
            None if size == 8 && word >= 1 << 16 => self.pointer(machine, Address(word)).unwrap_or_else(|| signed.to_string()),
            _ => signed.to_string(),
        }
    }

    fn pointer(&mut self, machine: &dyn Mapped, address: Address) -> Option<String> {
        if address.0 == 0 {
            return Some("NULL".into());
        }
        let object = self.object(machine, address)?;
        let layout = object.layout.filter(|_| object.offset != 0);
        Some(format!("&{}", machine.world().program().member_name(&object.name, layout, object.offset, 1)))
    }

    fn object(&mut self, machine: &dyn Mapped, address: Address) -> Option<Spot> {
        let program = machine.world().program();
        let (region, number, offset) = machine.world().addresses().find(address)?;
        let number = number as usize;
        let (name, layout) = match region {
            Region::Code if offset == 0 => {
                program.functions.get(number).map(|_| (function_name(program, FunctionId(number as u32)), None))?
            }
            Region::Code => return None,
            Region::Globals => program.globals.get(number).map(|global| (demangled(&global.name), global.layout))?,
            Region::ThreadLocal(thread) => {
                program.globals.get(number).map(|global| (format!("{} of {thread}", global.name), global.layout))?
            }
            Region::Threads => (format!("thread T{number}"), None),
            Region::Heap(_) | Region::Stack(_) => self.made(machine, machine.maker(address)?, Address(address.0 - offset)),
        };
        Some(Spot { name, layout, offset })
    }

    /// Where the object of the heap or stack was made that an address belongs to.
    pub fn made_at(&self, machine: &dyn Mapped, address: Address) -> Option<Place> {
        let Some((Region::Heap(_) | Region::Stack(_), ..)) = machine.world().addresses().find(address) else { return None };
        let Site::Code(function, at) = machine.maker(address)? else { return None };
        user_place(machine.world().program(), &Moment { stack: vec![(function, at)] }).cloned()
    }

    /// The name of an object by what made it.
    pub fn made(&mut self, machine: &dyn Mapped, site: Site, start: Address) -> (String, Option<TypeId>) {
        let (name, layout) = site_name(machine.world().program(), site);
        let same = self.of_site.entry(site).or_default();
        let nth = same.iter().position(|&other| other == start).unwrap_or_else(|| {
            same.push(start);
            same.len() - 1
        });
        (if nth == 0 { name } else { format!("{name}#{}", nth + 1) }, layout)
    }
}

fn site_name(program: &Program, site: Site) -> (String, Option<TypeId>) {
    let (function, at) = match site {
        Site::Code(function, at) => (function, at),
        Site::Global(global) | Site::ThreadLocal(global) => {
            let global = program.globals.get(global.index());
            return global.map_or_else(|| ("a variable".into(), None), |global| (global.name.clone(), global.layout));
        }
    };
    let note = |id: NoteId| program.notes.get(id.index()).filter(|note| !note.text.is_empty());
    match program.functions.get(function.index()).and_then(|function| function.code.get(at as usize)) {
        Some(Instr::Alloca { name, .. }) if note(*name).is_some() => {
            note(*name).map(|note| (note.text.clone(), note.layout)).unwrap_or_default()
        }
        Some(Instr::CallExtern { function: callee, .. }) => {
            let moment = Moment { stack: vec![(function, at)] };
            let place = user_place(program, &moment).map(|place| format!("@{}:{}", file_name(&place.file), place.line));
            (format!("{}{}", extern_name(program, *callee), place.unwrap_or_default()), None)
        }
        Some(_) => ("a local variable".into(), None),
        None => ("the variable arguments".into(), None),
    }
}

/// The function of the library that an instruction calls, as its caller writes it.
pub(crate) fn extern_name(program: &Program, callee: ExternId) -> &str {
    program.externs.get(callee.index()).map_or("a function", |name| call_name(name))
}

/// The function of the library as its caller writes it.
fn call_name(name: &str) -> &str {
    match name {
        "_Znwm" | "_ZnwmSt11align_val_t" | "_ZnwmRKSt9nothrow_t" => "new",
        "_Znam" | "_ZnamSt11align_val_t" | "_ZnamRKSt9nothrow_t" => "new[]",
        "_ZdlPv" | "_ZdlPvm" | "_ZdlPvSt11align_val_t" | "_ZdlPvmSt11align_val_t" => "delete",
        "_ZdaPv" | "_ZdaPvm" | "_ZdaPvSt11align_val_t" | "_ZdaPvmSt11align_val_t" => "delete[]",
        "_ZNSt18condition_variable10notify_oneEv" => "notify_one",
        "_ZNSt18condition_variable10notify_allEv" => "notify_all",
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => "wait",
        _ => name,
    }
}

/// The name of a function in the source, where that is known.
pub(crate) fn function_name(program: &Program, id: FunctionId) -> String {
    let Some(function) = program.functions.get(id.index()) else { return format!("function {}", id.0) };
    if function.name == "__raddle_std_thread" {
        return "std::thread".into();
    }
    let places = function.places.iter().map(|&place| program.place(place));
    let outermost = places.filter(|place| place.line != 0 && place.inlined_at.is_none()).map(|place| place.function.clone());
    outermost.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| demangled(&function.name))
}

/// A name of C++ as its source has it; other names stay.
fn demangled(name: &str) -> String {
    let of_cpp = || cpp_demangle::Symbol::new(name).ok()?.demangle(&cpp_demangle::DemangleOptions::default()).ok();
    if name.starts_with("_Z") { of_cpp().unwrap_or_else(|| name.into()) } else { name.into() }
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
