//! Printing: the `printf` family and the plain functions of `<stdio.h>` for the standard streams.

use super::format::{Amount, Conversion, Length, float, integer, pointer};
use super::{Builtin, Call, errno, heap, int, nothing};
use crate::extended;
use crate::output::Stream;
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("printf", |call| printed(call, Stream::Out, 0, Arguments::words(1))),
    ("__printf_chk", |call| printed(call, Stream::Out, 1, Arguments::words(2))),
    ("vprintf", |call| printed(call, Stream::Out, 0, Arguments::list(call, 1))),
    ("__vprintf_chk", |call| printed(call, Stream::Out, 1, Arguments::list(call, 2))),
    ("fprintf", |call| printed(call, stream(call, 0)?, 1, Arguments::words(2))),
    ("__fprintf_chk", |call| printed(call, stream(call, 0)?, 2, Arguments::words(3))),
    ("vfprintf", |call| printed(call, stream(call, 0)?, 1, Arguments::list(call, 2))),
    ("__raddle_vfprintf", |call| printed(call, stream(call, 0)?, 1, Arguments::list(call, 2))),
    ("__vfprintf_chk", |call| printed(call, stream(call, 0)?, 2, Arguments::list(call, 3))),
    ("dprintf", |call| printed(call, descriptor(call, 0)?, 1, Arguments::words(2))),
    ("vdprintf", |call| printed(call, descriptor(call, 0)?, 1, Arguments::list(call, 2))),
    ("sprintf", |call| written(call, u64::MAX, 1, Arguments::words(2))),
    ("__sprintf_chk", |call| written(call, u64::MAX, 3, Arguments::words(4))),
    ("vsprintf", |call| written(call, u64::MAX, 1, Arguments::list(call, 2))),
    ("__vsprintf_chk", |call| written(call, u64::MAX, 3, Arguments::list(call, 4))),
    ("snprintf", |call| written(call, call.word(1), 2, Arguments::words(3))),
    ("__snprintf_chk", |call| written(call, call.word(1), 4, Arguments::words(5))),
    ("vsnprintf", |call| written(call, call.word(1), 2, Arguments::list(call, 3))),
    ("__vsnprintf_chk", |call| written(call, call.word(1), 4, Arguments::list(call, 5))),
    ("asprintf", |call| allocated(call, Arguments::words(2))),
    ("vasprintf", |call| allocated(call, Arguments::list(call, 2))),
    ("puts", puts),
    ("fputs", |call| fputs(call, 0, 1)),
    ("putchar", |call| put(call, Stream::Out)),
    ("putc", |call| put(call, stream(call, 1)?)),
    ("fputc", |call| put(call, stream(call, 1)?)),
    ("_IO_putc", |call| put(call, stream(call, 1)?)),
    ("putchar_unlocked", |call| put(call, Stream::Out)),
    ("putc_unlocked", |call| put(call, stream(call, 1)?)),
    ("fwrite", fwrite),
    ("write", write),
    ("__raddle_write", write),
    ("perror", perror),
    ("fflush", nothing),
    ("setvbuf", nothing),
    ("setbuf", nothing),
    ("setlinebuf", nothing),
    ("ferror", nothing),
    ("clearerr", nothing),
    ("flockfile", nothing),
    ("funlockfile", nothing),
];

/// The value of `stdout`; `stderr` is one more.
const STDOUT: u64 = 0x11;

/// Where the arguments of a format come from.
enum Arguments {
    /// The arguments of the call from the second of these on; the first is the first that a format may use.
    Words(usize, usize),
    /// A `va_list` of x86-64 whose register arguments are used up: the overflow area, found when it is first needed.
    List(Address),
    Area(Address),
}

impl Arguments {
    fn words(first: usize) -> Arguments {
        Arguments::Words(first, first)
    }

    fn list(call: &Call, number: usize) -> Arguments {
        Arguments::List(call.address(number))
    }

    /// Two words in a row, which begin at a multiple of sixteen bytes.
    fn next_pair(&mut self, call: &mut Call) -> Run<u128> {
        match self {
            Arguments::Words(first, number) => *number += (*number - *first) % 2,
            Arguments::List(list) => {
                let area = call.load(Address(list.0 + 8), 8)?;
                *self = Arguments::Area(Address(area.next_multiple_of(16)));
            }
            Arguments::Area(at) => at.0 = at.0.next_multiple_of(16),
        }
        Ok(self.next(call)? as u128 | (self.next(call)? as u128) << 64)
    }

    fn next(&mut self, call: &mut Call) -> Run<u64> {
        match self {
            Arguments::Words(_, number) => {
                *number += 1;
                Ok(call.word(*number - 1))
            }
            Arguments::List(list) => {
                let area = call.load(Address(list.0 + 8), 8)?;
                *self = Arguments::Area(Address(area));
                self.next(call)
            }
            Arguments::Area(at) => {
                let here = *at;
                at.0 += 8;
                call.runner.load(here, 8, raddle_event::Order::Plain, false).map(|word| word as u64)
            }
        }
    }
}

fn stream(call: &Call, number: usize) -> Run<Stream> {
    match call.word(number) {
        STDOUT => Ok(Stream::Out),
        word if word == STDOUT + 1 => Ok(Stream::Err),
        _ => call.unsupported(format!("`{}` on a stream that is neither stdout nor stderr", call.name)),
    }
}

fn descriptor(call: &Call, number: usize) -> Run<Stream> {
    match call.int(number) {
        1 => Ok(Stream::Out),
        2 => Ok(Stream::Err),
        _ => call.unsupported(format!("`{}` on a file that is neither stdout nor stderr", call.name)),
    }
}

/// The text that a format makes of its arguments. The format is an argument of the call, by number.
fn text(call: &mut Call, format: usize, mut arguments: Arguments) -> Run<Vec<u8>> {
    let format = call.string(call.address(format))?;
    let (mut out, mut at) = (Vec::new(), 0);
    while at < format.len() {
        let plain = format[at..].iter().position(|&byte| byte == b'%').unwrap_or(format.len() - at);
        out.extend_from_slice(&format[at..at + plain]);
        at += plain + 1;
        if at > format.len() {
            break;
        }
        let Some((mut conversion, length)) = Conversion::parse(&format[at..]) else { break };
        at += length;
        if conversion.width == Amount::Argument {
            conversion.set_width(arguments.next(call)? as i32);
        }
        if conversion.precision == Some(Amount::Argument) {
            conversion.set_precision(arguments.next(call)? as i32);
        }
        let piece = convert(call, &conversion, &mut arguments, out.len())?;
        out.extend(piece);
    }
    Ok(out)
}

fn convert(call: &mut Call, conversion: &Conversion, arguments: &mut Arguments, printed: usize) -> Run<Vec<u8>> {
    Ok(match conversion.letter {
        b'%' => vec![b'%'],
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => integer(conversion, arguments.next(call)?),
        b'c' if conversion.length == Length::Long => {
            let wide = arguments.next(call)? as u32;
            conversion.padded(&[narrow(call, wide)?])
        }
        b'c' => conversion.padded(&[arguments.next(call)? as u8]),
        b's' => {
            let address = Address(arguments.next(call)?);
            let most = conversion.most_bytes();
            match address.0 {
                0 if most >= 6 => conversion.padded(b"(null)"),
                0 => conversion.padded(b""),
                _ if conversion.length == Length::Long => conversion.padded(&wide_string(call, address, most)?),
                _ => conversion.padded(&call.string_of(address, most)?),
            }
        }
        b'p' => pointer(conversion, arguments.next(call)?),
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' if conversion.length == Length::LongDouble => {
            float(conversion, extended::number(arguments.next_pair(call)?))
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => float(conversion, f64::from_bits(arguments.next(call)?)),
        b'n' => {
            let size = match conversion.length {
                Length::Byte => 1,
                Length::Short => 2,
                Length::Int => 4,
                Length::Long | Length::LongDouble => 8,
            };
            let address = Address(arguments.next(call)?);
            call.store(address, size, printed as u64)?;
            Vec::new()
        }
        letter => return call.unsupported(format!("the conversion `%{}` of `{}`", letter as char, call.name)),
    })
}

/// The byte of a wide character, which has one below 128 in the locale "C".
fn narrow(call: &Call, wide: u32) -> Run<u8> {
    match wide {
        0..128 => Ok(wide as u8),
        _ => call.unsupported(format!("the wide character {wide:#x} in `{}`", call.name)),
    }
}

/// The bytes of a string of wide characters, at most so many.
fn wide_string(call: &mut Call, address: Address, most: u64) -> Run<Vec<u8>> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < most {
        let wide = call.load(Address(address.0 + 4 * bytes.len() as u64), 4)? as u32;
        if wide == 0 {
            break;
        }
        bytes.push(narrow(call, wide)?);
    }
    Ok(bytes)
}

fn printed(call: &mut Call, stream: Stream, format: usize, arguments: Arguments) -> Run<u64> {
    let text = text(call, format, arguments)?;
    let length = text.len();
    call.print(stream, text);
    Ok(int(length as i32))
}

/// Writes to the buffer that is the first argument, at most so many bytes with the zero at the end.
fn written(call: &mut Call, room: u64, format: usize, arguments: Arguments) -> Run<u64> {
    let mut text = text(call, format, arguments)?;
    let length = text.len();
    if room > 0 {
        text.truncate((room - 1).min(length as u64) as usize);
        text.push(0);
        call.runner.write_bytes(call.address(0), &text)?;
    }
    Ok(int(length as i32))
}

/// Writes to a new heap object.
fn allocated(call: &mut Call, arguments: Arguments) -> Run<u64> {
    let text = text(call, 1, arguments)?;
    let address = heap::new_string(call, &text)?;
    call.store(call.address(0), 8, address)?;
    Ok(int(text.len() as i32))
}

fn puts(call: &mut Call) -> Run<u64> {
    let mut text = call.string(call.address(0))?;
    text.push(b'\n');
    let length = text.len();
    call.print(Stream::Out, text);
    Ok(int(length as i32))
}

fn fputs(call: &mut Call, string: usize, to: usize) -> Run<u64> {
    let to = stream(call, to)?;
    let text = call.string(call.address(string))?;
    call.print(to, text);
    Ok(1)
}

fn put(call: &mut Call, to: Stream) -> Run<u64> {
    let byte = call.word(0) as u8;
    call.print(to, vec![byte]);
    Ok(byte as u64)
}

fn fwrite(call: &mut Call) -> Run<u64> {
    let (size, n) = (call.word(1), call.word(2));
    let to = stream(call, 3)?;
    let bytes = call.runner.read_bytes(call.address(0), size.saturating_mul(n))?;
    call.print(to, bytes);
    Ok(if size == 0 { 0 } else { n })
}

fn write(call: &mut Call) -> Run<u64> {
    let to = descriptor(call, 0)?;
    let bytes = call.runner.read_bytes(call.address(1), call.word(2))?;
    call.print(to, bytes);
    Ok(call.word(2))
}

fn perror(call: &mut Call) -> Run<u64> {
    let mut text = match call.address(0) {
        Address(0) => Vec::new(),
        address => call.string(address)?,
    };
    if !text.is_empty() {
        text.extend(b": ");
    }
    let error = errno::get(call)?;
    text.extend(errno::message(error).bytes().chain([b'\n']));
    call.print(Stream::Err, text);
    Ok(0)
}
