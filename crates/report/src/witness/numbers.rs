//! The numbers that the search has given to blocks of addresses, shared sites and threads, as text: with them the same
//! numbers mean the same in a replay.

use raddle_event::{AddressMap, Block, Region, ThreadId, ThreadNames};
use raddle_machine::Site;
use raddle_program::{FunctionId, GlobalId, Program};

/// The names of threads: for each its parent and how many siblings came before it. Those that start with the program
/// have no parent, and come first.
pub(super) fn names(threads: &[Option<(u32, u32)>], program: &Program) -> Option<ThreadNames> {
    let mut names = ThreadNames::default();
    for (number, parent) in threads.iter().enumerate() {
        let given = match parent {
            None if number < program.entries.len() => names.root(),
            Some((parent, nth)) if (*parent as usize) < number && number >= program.entries.len() => names.child(ThreadId(*parent), *nth),
            _ => return None,
        };
        (given.index() == number).then_some(())?;
    }
    (names.len() >= program.entries.len()).then_some(names)
}

pub(super) fn block_text(block: Block) -> String {
    let (region, thread) = match block.region {
        Region::Code => ("code", None),
        Region::Globals => ("globals", None),
        Region::Threads => ("threads", None),
        Region::Heap(thread) => ("heap", Some(thread)),
        Region::Stack(thread) => ("stack", Some(thread)),
        Region::ThreadLocal(thread) => ("local", Some(thread)),
    };
    let size = if block.is_large() { "large" } else { "small" };
    format!("{region} {} {} {size}", thread.map_or(0, |thread| thread.0), block.first)
}

/// Takes a block into use that is not in use yet.
pub(super) fn add_block(map: &mut AddressMap, text: &str) -> Option<()> {
    let mut words = text.split(' ');
    let region = words.next()?;
    let thread = ThreadId(words.next()?.parse().ok()?);
    let region = match region {
        "code" => Region::Code,
        "globals" => Region::Globals,
        "threads" => Region::Threads,
        "heap" => Region::Heap(thread),
        "stack" => Region::Stack(thread),
        "local" => Region::ThreadLocal(thread),
        _ => return None,
    };
    let first = words.next()?.parse().ok()?;
    let size = match words.next()? {
        "large" => AddressMap::MAX_OBJECT,
        "small" => 1,
        _ => return None,
    };
    let n_before = map.blocks().count();
    map.address(region, first, size)?;
    (map.blocks().count() > n_before && words.next().is_none()).then_some(())
}

pub(super) fn site_text(site: Site) -> String {
    match site {
        Site::Global(global) => format!("global {}", global.0),
        Site::ThreadLocal(global) => format!("local {}", global.0),
        Site::Code(function, at) => format!("code {} {at}", function.0),
    }
}

pub(super) fn site(text: &str, program: &Program) -> Option<Site> {
    let words: Vec<&str> = text.split(' ').collect();
    let global = |number: &str| number.parse().ok().filter(|&n: &u32| (n as usize) < program.globals.len()).map(GlobalId);
    match words[..] {
        ["global", number] => global(number).map(Site::Global),
        ["local", number] => global(number).map(Site::ThreadLocal),
        // The variable arguments of a function are made by no instruction of it.
        ["code", function, at] => match (function.parse().ok()?, at.parse().ok()?) {
            (function, u32::MAX) => instruction(program, function, 0).map(|(function, _)| Site::Code(function, u32::MAX)),
            (function, at) => instruction(program, function, at).map(|(function, at)| Site::Code(function, at)),
        },
        _ => None,
    }
}

/// An instruction that the program has.
pub(super) fn instruction(program: &Program, function: u32, at: u32) -> Option<(FunctionId, u32)> {
    let code = program.functions.get(function as usize)?;
    ((at as usize) < code.code.len()).then_some((FunctionId(function), at))
}
