//! Output by `std::cout`, `std::cerr` and `std::clog` of libstdc++.
//!
//! The objects have just enough inside for the code that compilers put into the program: the place of the base, the format that manipulators
//! change, and a facet that widens characters. What is printed goes the way of `printf`.

use super::format::{Amount, Conversion, Length, float, integer, pointer};
use super::{Builtin, Call, nothing};
use crate::output::Stream;
use crate::runner::Run;
use raddle_event::{Address, Order};

pub const TABLE: &[(&str, Builtin)] = &[
    ("_ZNSt8ios_base4InitC1Ev", nothing),
    ("_ZNSt8ios_base4InitD1Ev", nothing),
    ("_ZNKSt5ctypeIcE13_M_widen_initEv", nothing),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", c_string),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", character),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a", character),
    ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h", character),
    ("_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE", string),
    ("_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", bytes),
    ("_ZNSo5writeEPKcl", |call| put(call, None)),
    ("_ZNSo3putEc", |call| put(call, Some(call.word(1) as u8))),
    ("_ZNSo5flushEv", this),
    ("_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", this),
    ("_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", |call| put(call, Some(b'\n'))),
    ("_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", |call| put(call, Some(0))),
    ("_ZNSolsEs", |call| number(call, Length::Short, true)),
    ("_ZNSolsEt", |call| number(call, Length::Short, false)),
    ("_ZNSolsEi", |call| number(call, Length::Int, true)),
    ("_ZNSolsEj", |call| number(call, Length::Int, false)),
    ("_ZNSolsEl", |call| number(call, Length::Long, true)),
    ("_ZNSolsEm", |call| number(call, Length::Long, false)),
    ("_ZNSolsEx", |call| number(call, Length::Long, true)),
    ("_ZNSolsEy", |call| number(call, Length::Long, false)),
    ("_ZNSo9_M_insertIlEERSoT_", |call| number(call, Length::Long, true)),
    ("_ZNSo9_M_insertImEERSoT_", |call| number(call, Length::Long, false)),
    ("_ZNSo9_M_insertIxEERSoT_", |call| number(call, Length::Long, true)),
    ("_ZNSo9_M_insertIyEERSoT_", |call| number(call, Length::Long, false)),
    ("_ZNSolsEb", boolean),
    ("_ZNSo9_M_insertIbEERSoT_", boolean),
    ("_ZNSolsEd", |call| floating(call, f64::from_bits(call.word(1)))),
    ("_ZNSo9_M_insertIdEERSoT_", |call| floating(call, f64::from_bits(call.word(1)))),
    ("_ZNSolsEf", |call| floating(call, f32::from_bits(call.word(1) as u32) as f64)),
    ("_ZNSolsEPKv", address),
    ("_ZNSo9_M_insertIPKvEERSoT_", address),
    ("_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw", |call| set(call, WIDTH, 8)),
    ("_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision", |call| set(call, PRECISION, 8)),
    ("_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E", |call| set(call, FILL, 1)),
];

/// The names of the objects.
pub const OBJECTS: [(&str, Stream); 3] = [("_ZSt4cout", Stream::Out), ("_ZSt4cerr", Stream::Err), ("_ZSt4clog", Stream::Err)];

// Where things are in an object: the base begins after the pointer to the table of virtual functions.
const BASE: u64 = 8;
const PRECISION: u64 = BASE + 8;
const WIDTH: u64 = BASE + 16;
const FLAGS: u64 = BASE + 24;
const FILL: u64 = BASE + 224;
const CTYPE: u64 = BASE + 240;
const SIZE: usize = 272;

const BOOLALPHA: u64 = 1 << 0;
const DEC: u64 = 1 << 1;
const FIXED: u64 = 1 << 2;
const HEX: u64 = 1 << 3;
const INTERNAL: u64 = 1 << 4;
const LEFT: u64 = 1 << 5;
const OCT: u64 = 1 << 6;
const SCIENTIFIC: u64 = 1 << 8;
const SHOW_BASE: u64 = 1 << 9;
const SHOW_POINT: u64 = 1 << 10;
const SHOW_SIGN: u64 = 1 << 11;
const SKIP_SPACE: u64 = 1 << 12;
const UPPERCASE: u64 = 1 << 14;

/// The table of virtual functions of an object, up to where the object points: the distance of the base, and two words unused.
pub fn table() -> Vec<u8> {
    [BASE, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A facet that says that it is ready to widen, and each character as itself.
pub fn facet() -> Vec<u8> {
    let mut bytes = vec![0; 576];
    bytes[56] = 1;
    for byte in 0..=255 {
        bytes[57 + byte as usize] = byte;
    }
    bytes
}

/// An object that points to its table and its facet.
pub fn object(table: Address, facet: Address) -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    for (at, word) in [(0, table.0 + 24), (PRECISION, 6), (FLAGS, DEC | SKIP_SPACE), (CTYPE, facet.0)] {
        bytes[at as usize..at as usize + 8].copy_from_slice(&word.to_le_bytes());
    }
    // The character to fill with, and that it is set.
    bytes[FILL as usize] = b' ';
    bytes[FILL as usize + 1] = 1;
    bytes
}

/// The format that manipulators have set.
struct Format {
    precision: u64,
    width: u64,
    flags: u64,
}

impl Format {
    fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// A conversion without width: filling is done here.
    fn conversion(&self, letter: u8, length: Length) -> Conversion {
        Conversion {
            left: false,
            plus: self.has(SHOW_SIGN),
            space: false,
            alternative: false,
            zero: false,
            width: Amount::Number(0),
            precision: None,
            length,
            letter: if self.has(UPPERCASE) { letter.to_ascii_uppercase() } else { letter },
        }
    }
}

fn which(call: &Call) -> Run<Stream> {
    let at = call.address(0);
    match call.runner.world.library.streams.iter().find(|stream| stream.0 == at) {
        Some(stream) => Ok(stream.1),
        None => call.unsupported("output to a C++ stream that is neither cout nor cerr nor clog"),
    }
}

fn format(call: &mut Call) -> Run<Format> {
    let at = call.word(0);
    // One read for all three: they stand in a row.
    let bytes = call.runner.read_bytes(Address(at + PRECISION), 20)?;
    let word = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
    Ok(Format { precision: word(0), width: word(8), flags: u32::from_le_bytes(bytes[16..20].try_into().expect("four bytes")) as u64 })
}

fn this(call: &mut Call) -> Run<u64> {
    Ok(call.word(0))
}

/// Sets a part of the format.
fn set(call: &mut Call, field: u64, size: u32) -> Run<u64> {
    let value = if size == 8 { call.int(1) as i64 as u64 } else { call.word(1) & 0xff };
    call.store(Address(call.word(0) + field), size, value)?;
    Ok(call.word(0))
}

/// Prints without regard to the format.
fn put(call: &mut Call, byte: Option<u8>) -> Run<u64> {
    let to = which(call)?;
    let text = match byte {
        Some(byte) => vec![byte],
        None => call.runner.read_bytes(call.address(1), call.word(2))?,
    };
    call.print(to, text);
    Ok(call.word(0))
}

/// Prints with spaces or another character up to the width, which then is zero again.
fn filled(call: &mut Call, format: &Format, text: &[u8], is_number: bool) -> Run<u64> {
    let to = which(call)?;
    let missing = (format.width as usize).saturating_sub(text.len());
    let mut padded = text.to_vec();
    if missing > 0 {
        let fill = call.runner.load(Address(call.word(0) + FILL), 1, Order::Plain, false)? as u8;
        let sign = is_number && matches!(text.first(), Some(b'-' | b'+'));
        let at = match (format.has(LEFT), format.has(INTERNAL)) {
            (true, _) => text.len(),
            (_, true) => sign as usize,
            _ => 0,
        };
        padded.splice(at..at, std::iter::repeat_n(fill, missing));
    }
    if format.width != 0 {
        call.store(Address(call.word(0) + WIDTH), 8, 0)?;
    }
    call.print(to, padded);
    Ok(call.word(0))
}

fn c_string(call: &mut Call) -> Run<u64> {
    let format = format(call)?;
    let text = call.string(call.address(1))?;
    filled(call, &format, &text, false)
}

fn character(call: &mut Call) -> Run<u64> {
    let format = format(call)?;
    filled(call, &format, &[call.word(1) as u8], false)
}

fn bytes(call: &mut Call) -> Run<u64> {
    let format = format(call)?;
    let text = call.runner.read_bytes(call.address(1), call.word(2))?;
    filled(call, &format, &text, false)
}

/// A `std::string` begins with the pointer to its bytes and their number.
fn string(call: &mut Call) -> Run<u64> {
    let format = format(call)?;
    let start = call.load(call.address(1), 8)?;
    let length = call.load(Address(call.word(1) + 8), 8)?;
    let text = call.runner.read_bytes(Address(start), length)?;
    filled(call, &format, &text, false)
}

fn number(call: &mut Call, length: Length, is_signed: bool) -> Run<u64> {
    let format = format(call)?;
    let letter = match (format.has(HEX), format.has(OCT)) {
        (true, _) => b'x',
        (_, true) => b'o',
        _ if is_signed => b'd',
        _ => b'u',
    };
    let mut conversion = format.conversion(letter, length);
    conversion.alternative = format.has(SHOW_BASE);
    if matches!(letter, b'd' | b'u') {
        conversion.letter = letter;
    }
    let text = integer(&conversion, call.word(1));
    filled(call, &format, &text, true)
}

fn boolean(call: &mut Call) -> Run<u64> {
    let format = format(call)?;
    if !format.has(BOOLALPHA) {
        return number(call, Length::Byte, false);
    }
    let text: &[u8] = if call.word(1) & 1 == 1 { b"true" } else { b"false" };
    filled(call, &format, text, false)
}

fn floating(call: &mut Call, value: f64) -> Run<u64> {
    let format = format(call)?;
    let letter = match (format.has(FIXED), format.has(SCIENTIFIC)) {
        (true, true) => b'a',
        (true, _) => b'f',
        (_, true) => b'e',
        _ => b'g',
    };
    let mut conversion = format.conversion(letter, Length::Int);
    conversion.alternative = format.has(SHOW_POINT);
    if letter != b'a' {
        conversion.set_precision(format.precision as i32);
    }
    let text = float(&conversion, value);
    filled(call, &format, &text, true)
}

fn address(call: &mut Call) -> Run<u64> {
    let format = format(call)?;
    let text = match call.word(1) {
        0 => b"0".to_vec(),
        word => pointer(&format.conversion(b'p', Length::Long), word),
    };
    filled(call, &format, &text, true)
}
