//! Strings: the `str` functions, in the C locale.

use super::{Builtin, Call, Shared, int};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("strlen", |call| Ok(call.string(call.address(0))?.len() as u64)),
    ("strnlen", |call| Ok(call.string_of(call.address(0), call.word(1))?.len() as u64)),
    ("strcmp", |call| compare(call, u64::MAX, |c| c)),
    ("strcoll", |call| compare(call, u64::MAX, |c| c)),
    ("strncmp", |call| compare(call, call.word(2), |c| c)),
    ("strcasecmp", |call| compare(call, u64::MAX, |c| c.to_ascii_lowercase())),
    ("strncasecmp", |call| compare(call, call.word(2), |c| c.to_ascii_lowercase())),
    ("strcpy", |call| copy(call).map(|_| call.word(0))),
    ("__strcpy_chk", |call| copy(call).map(|_| call.word(0))),
    ("stpcpy", |call| copy(call).map(|end| end.0)),
    ("__stpcpy_chk", |call| copy(call).map(|end| end.0)),
    ("strncpy", |call| copy_filled(call).map(|_| call.word(0))),
    ("__strncpy_chk", |call| copy_filled(call).map(|_| call.word(0))),
    ("stpncpy", |call| copy_filled(call).map(|length| call.word(0) + length)),
    ("strcat", |call| append(call, u64::MAX)),
    ("__strcat_chk", |call| append(call, u64::MAX)),
    ("strncat", |call| append(call, call.word(2))),
    ("__strncat_chk", |call| append(call, call.word(2))),
    ("strlcpy", copy_cut),
    ("strlcat", append_cut),
    ("strchr", |call| find(call, false)),
    ("index", |call| find(call, false)),
    ("strchrnul", |call| find(call, true)),
    ("strrchr", find_last),
    ("rindex", find_last),
    ("strstr", |call| find_string(call, |c| c)),
    ("strcasestr", |call| find_string(call, |c| c.to_ascii_lowercase())),
    ("strspn", |call| Ok(span(call, call.address(0), true)?.0)),
    ("strcspn", |call| Ok(span(call, call.address(0), false)?.0)),
    ("strpbrk", find_any),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
];

/// Where `strtok` goes on: one place for the process, which nothing protects.
pub const TOKEN: Shared = ("place of strtok", 8, &["strtok"]);

/// Compares byte by byte, looking no further than the first difference.
fn compare(call: &mut Call, most: u64, seen: fn(u8) -> u8) -> Run<u64> {
    for offset in 0..most {
        let first = seen(call.load(Address(call.word(0) + offset), 1)? as u8);
        let second = seen(call.load(Address(call.word(1) + offset), 1)? as u8);
        if first != second || first == 0 {
            return Ok(int(first as i32 - second as i32));
        }
    }
    Ok(0)
}

/// Copies the second string over the first; gives where the zero stands.
fn copy(call: &mut Call) -> Run<Address> {
    let mut bytes = call.string(call.address(1))?;
    let end = call.word(0) + bytes.len() as u64;
    bytes.push(0);
    call.runner.write_bytes(call.address(0), &bytes)?;
    Ok(Address(end))
}

/// Copies at most so many bytes and fills the rest with zeros; gives how many were copied.
fn copy_filled(call: &mut Call) -> Run<u64> {
    let room = call.word(2);
    let mut bytes = call.string_of(call.address(1), room)?;
    let length = bytes.len() as u64;
    bytes.resize(room as usize, 0);
    call.runner.write_bytes(call.address(0), &bytes)?;
    Ok(length)
}

fn append(call: &mut Call, most: u64) -> Run<u64> {
    let length = call.string(call.address(0))?.len() as u64;
    let mut bytes = call.string_of(call.address(1), most)?;
    bytes.push(0);
    call.runner.write_bytes(Address(call.word(0) + length), &bytes)?;
    Ok(call.word(0))
}

/// Writes as much of a string as fits into the room, with a zero behind it.
fn write_cut(call: &mut Call, at: u64, bytes: &[u8], room: u64) -> Run<()> {
    if room == 0 {
        return Ok(());
    }
    let fits = bytes.len().min(room as usize - 1);
    call.runner.write_bytes(Address(at), &[&bytes[..fits], &[0]].concat())
}

fn copy_cut(call: &mut Call) -> Run<u64> {
    let bytes = call.string(call.address(1))?;
    write_cut(call, call.word(0), &bytes, call.word(2))?;
    Ok(bytes.len() as u64)
}

fn append_cut(call: &mut Call) -> Run<u64> {
    let room = call.word(2);
    let before = call.string_of(call.address(0), room)?.len() as u64;
    let bytes = call.string(call.address(1))?;
    write_cut(call, call.word(0) + before, &bytes, room - before)?;
    Ok(before + bytes.len() as u64)
}

fn find(call: &mut Call, or_end: bool) -> Run<u64> {
    let (start, wanted) = (call.word(0), call.word(1) as u8);
    for at in start.. {
        match call.load(Address(at), 1)? as u8 {
            byte if byte == wanted => return Ok(at),
            0 => return Ok(if or_end { at } else { 0 }),
            _ => {}
        }
    }
    Ok(0)
}

fn find_last(call: &mut Call) -> Run<u64> {
    let wanted = call.word(1) as u8;
    let mut bytes = call.string(call.address(0))?;
    bytes.push(0);
    Ok(bytes.iter().rposition(|&byte| byte == wanted).map_or(0, |at| call.word(0) + at as u64))
}

fn find_string(call: &mut Call, seen: fn(u8) -> u8) -> Run<u64> {
    let mut text = call.string(call.address(0))?;
    let mut wanted = call.string(call.address(1))?;
    text.iter_mut().chain(&mut wanted).for_each(|byte| *byte = seen(*byte));
    if wanted.is_empty() {
        return Ok(call.word(0));
    }
    let found = text.windows(wanted.len()).position(|window| window == wanted);
    Ok(found.map_or(0, |at| call.word(0) + at as u64))
}

/// How many bytes from an address on are in the set that the second argument lists (or are not), and the byte that ends
/// them.
fn span(call: &mut Call, start: Address, inside: bool) -> Run<(u64, u8)> {
    let set = call.string(call.address(1))?;
    for length in 0.. {
        let byte = call.load(Address(start.0 + length), 1)? as u8;
        if byte == 0 || set.contains(&byte) != inside {
            return Ok((length, byte));
        }
    }
    Ok((0, 0))
}

fn find_any(call: &mut Call) -> Run<u64> {
    let (length, byte) = span(call, call.address(0), false)?;
    Ok(if byte == 0 { 0 } else { call.word(0) + length })
}

/// The token from an address on, and where the next one is looked for.
fn token(call: &mut Call, from: Address) -> Run<(u64, Address)> {
    let (skipped, _) = span(call, from, true)?;
    let start = from.0 + skipped;
    let (length, byte) = span(call, Address(start), false)?;
    let end = start + length;
    if byte != 0 {
        call.store(Address(end), 1, 0)?;
    }
    let next = Address(if byte == 0 { end } else { end + 1 });
    Ok((if length == 0 { 0 } else { start }, next))
}

fn strtok(call: &mut Call) -> Run<u64> {
    let place = call.shared(TOKEN)?;
    next_token(call, place)
}

fn strtok_r(call: &mut Call) -> Run<u64> {
    next_token(call, call.address(2))
}

/// The next token of a string that is given, or of the one that `place` says.
fn next_token(call: &mut Call, place: Address) -> Run<u64> {
    let from = match call.address(0) {
        Address(0) => Address(call.load(place, 8)?),
        given => given,
    };
    if from.0 == 0 {
        return Ok(0);
    }
    let (start, next) = token(call, from)?;
    call.store(place, 8, next.0)?;
    Ok(start)
}

fn strsep(call: &mut Call) -> Run<u64> {
    let place = call.address(0);
    let start = call.load(place, 8)?;
    if start == 0 {
        return Ok(0);
    }
    let (length, byte) = span(call, Address(start), false)?;
    let end = start + length;
    if byte != 0 {
        call.store(Address(end), 1, 0)?;
    }
    call.store(place, 8, if byte == 0 { 0 } else { end + 1 })?;
    Ok(start)
}
