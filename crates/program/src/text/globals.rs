//! Parses what stands outside of functions, one line each.

use super::ParseError;
use super::line::Line;
use crate::{FunctionId, Global, Layout, Member, Place, PlaceId, Program, Scalar, Symbol, TypeId};
use raddle_event::{Address, AddressMap, Region};

/// Whether a line that begins with this word stands outside of functions.
pub(super) fn is_introduced_by(word: &str) -> bool {
    matches!(word, "addresses" | "place" | "layout" | "note" | "extern" | "global" | "entry")
}

/// Reads what follows one of these words.
pub(super) fn parse(program: &mut Program, word: &str, line: &mut Line<'_>) -> Result<(), ParseError> {
    match word {
        "addresses" => addresses(program, line)?,
        "place" => {
            let n_before = first_or_next(line, "p", program.places.len())?;
            program.places.truncate(n_before);
            program.places.push(place(line)?);
        }
        "layout" => {
            line.next_id("y", program.layouts.len())?;
            program.layouts.push(layout(line)?);
        }
        "note" => {
            let n_before = first_or_next(line, "n", program.notes.len())?;
            program.notes.truncate(n_before);
            let text = line.string()?;
            let layout = keyword(line, "layout")?.then(|| line.id("y")).transpose()?;
            program.notes.push(Symbol { text, layout: layout.map(TypeId) });
        }
        "extern" => {
            line.next_id("x", program.externs.len())?;
            program.externs.push(line.string()?);
        }
        "global" => {
            line.next_id("g", program.globals.len())?;
            let global = global(line)?;
            program.add_global(global).ok_or_else(|| line.error("there is no room for this global"))?;
        }
        _ => program.entries.push(FunctionId(line.id("f")?)),
    }
    Ok(())
}

/// Number 0 is there from the start and may be said again before the others.
fn first_or_next(line: &mut Line<'_>, prefix: &str, len: usize) -> Result<usize, ParseError> {
    match line.id(prefix)? as usize {
        0 if len == 1 => Ok(0),
        number if number == len => Ok(len),
        _ => Err(line.error(format!("`{prefix}{len}` comes next"))),
    }
}

/// Takes a word if it is the next one.
fn keyword(line: &mut Line<'_>, keyword: &str) -> Result<bool, ParseError> {
    if line.is_done() {
        return Ok(false);
    }
    match line.word()? {
        word if word == keyword => Ok(true),
        word => Err(line.error(format!("`{word}` should be `{keyword}`"))),
    }
}

/// Blocks like `code.0`, `globals.16384` and `globals.0.large`.
fn addresses(program: &mut Program, line: &mut Line<'_>) -> Result<(), ParseError> {
    while !line.is_done() {
        let word = line.word()?;
        let (name, large) = word.strip_suffix(".large").map_or((word, false), |name| (name, true));
        let region = match name.split_once('.') {
            Some(("code", _)) => Region::Code,
            Some(("globals", _)) => Region::Globals,
            _ => return Err(line.error(format!("`{word}` is not a block of addresses"))),
        };
        let first = name.split_once('.').and_then(|(_, first)| first.parse().ok());
        let first = first.ok_or_else(|| line.error(format!("`{word}` is not a block of addresses")))?;
        let size = if large { AddressMap::MAX_OBJECT } else { 1 };
        program.addresses.address(region, first, size).ok_or_else(|| line.error("there are too many blocks of addresses"))?;
    }
    Ok(())
}

fn place(line: &mut Line<'_>) -> Result<Place, ParseError> {
    Ok(Place {
        file: line.string()?,
        line: line.number32(u32::MAX)?,
        column: line.number32(u32::MAX)?,
        function: line.string()?,
        inlined_at: keyword(line, "inlined")?.then(|| line.id("p")).transpose()?.map(PlaceId),
    })
}

fn layout(line: &mut Line<'_>) -> Result<Layout, ParseError> {
    Ok(match line.word()? {
        "scalar" => Layout::Scalar { name: line.string()?, size: line.number(u64::MAX)?, kind: scalar(line)? },
        "array" => Layout::Array { element: TypeId(line.id("y")?), count: line.number(u64::MAX)? },
        "record" => Layout::Record { name: line.string()?, size: line.number(u64::MAX)?, members: members(line)? },
        word => return Err(line.error(format!("`{word}` should be `scalar`, `array` or `record`"))),
    })
}

fn scalar(line: &mut Line<'_>) -> Result<Scalar, ParseError> {
    let word = line.word()?;
    let found = Scalar::ALL.iter().find(|(_, name)| *name == word);
    found.map(|&(scalar, _)| scalar).ok_or_else(|| line.error(format!("`{word}` is not a kind of scalar")))
}

fn members(line: &mut Line<'_>) -> Result<Vec<Member>, ParseError> {
    let mut members = Vec::new();
    while keyword(line, "member")? {
        members.push(Member { name: line.string()?, offset: line.number(u64::MAX)?, of: TypeId(line.id("y")?) });
    }
    Ok(members)
}

fn global(line: &mut Line<'_>) -> Result<Global, ParseError> {
    let (name, bytes) = (line.string()?, Vec::new());
    let mut global = Global { name, bytes, size: 0, align: 1, constant: false, thread_local: false, layout: None, address: Address(0) };
    while !line.is_done() {
        match line.word()? {
            "size" => global.size = line.number(AddressMap::MAX_OBJECT)?,
            "align" => global.align = line.number(u64::MAX)?,
            "bytes" => global.bytes = bytes_of(line)?,
            "layout" => global.layout = Some(TypeId(line.id("y")?)),
            "constant" => global.constant = true,
            "thread_local" => global.thread_local = true,
            word => return Err(line.error(format!("`{word}` cannot be said of a global"))),
        }
    }
    Ok(global)
}

fn bytes_of(line: &mut Line<'_>) -> Result<Vec<u8>, ParseError> {
    let word = line.word()?;
    let digits: Option<Vec<u8>> = word.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    match digits {
        Some(digits) if digits.len() % 2 == 0 => Ok(digits.chunks(2).map(|two| two[0] << 4 | two[1]).collect()),
        _ => Err(line.error(format!("`{word}` is not bytes of two hexadecimal digits"))),
    }
}
