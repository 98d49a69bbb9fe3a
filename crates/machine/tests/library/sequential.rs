//! The C library in one thread: what is printed and how it ends.

use crate::text::Text;
use raddle_event::Reply;
use raddle_machine::{Limits, Machine, Next, Sites, Stream};

/// Runs a program of one thread, with the first of all choices; compares what it prints, and how it ends where that is
/// not by returning.
#[track_caller]
fn check(functions: &[&str], expected: &str) {
    let text = Text::new(functions);
    let limits = Limits { nondet: Some((-3, 5)), ..Limits::default() };
    let mut machine = Machine::new(&text.program, limits, Sites::default());
    let thread = machine.threads().next().expect("there is a first thread");
    let mut printed = String::new();
    loop {
        for piece in machine.output(thread).iter().flat_map(|pieces| pieces.iter()) {
            let mark = if piece.stream == Stream::Err { "!" } else { "" };
            printed += &format!("{mark}{}", String::from_utf8_lossy(&piece.bytes));
        }
        if machine.action(thread).is_none() {
            break;
        }
        machine.advance(thread, Reply::Chosen(0));
    }
    match machine.next(thread) {
        Next::Ended(_) => {}
        Next::Fault(fault) => printed += &format!(" fault: {}", fault.kind),
        Next::Unsupported(what) => printed += &format!(" unsupported: {what}"),
        other => printed += &format!(" {other:?}"),
    }
    assert_eq!(printed, expected);
}

#[test]
fn printing() {
    check(&["printf '%5d|%-4s|%c|%%|%x' 42 'ab' 65 255"], "   42|ab  |A|%|ff");
    check(&["printf '%*d%-*d|' 3 1 3 2; printf '%.*s' 2 'abcdef'"], "  12  |ab");
    check(&["printf '%s %.3s %p' 0 0 0"], "(null)  (nil)");
    check(&["printf 'abc%n' x; x = sub *x 0; printf '%d' *x"], "abc3");
    check(&["x = snprintf b 4 '%d' 123456; printf '%s %d' b *x"], "123 6");
    check(&["puts 'out'; fprintf 18 'err'; putchar 65; fputs 'x' 17; fwrite 'abcd' 2 2 17"], "out\n!errAxabcd");
    check(&["perror 'here'"], "!here: Success\n");
    check(&["x = asprintf b 'n%d' 7; puts *b; free *b"], "n7\n");
    check(&["fprintf 5 'err'"], " unsupported: `fprintf` on a stream that is neither stdout nor stderr");
}

#[test]
fn strings() {
    check(&["strcpy b 'abc'; strcat b 'def'; strncat b 'ghi' 1; puts b; printf '%d' 5"], "abcdefg\n5");
    check(&["x = strlen 'hello'; y = strcmp 'b' 'a'; printf '%d %d' *x *y"], "5 1");
    check(&["strcpy b 'a,b;;c'; strtok b ',;'; strtok 0 ',;'; x = strtok 0 ',;'; puts *x; x = strtok 0 ','; printf '%p' *x"], "c\n(nil)");
    check(&["x = strstr 'haystack' 'st'; y = strrchr 'abcabc' 98; printf '%s %s' *x *y"], "stack bc");
    check(&["x = strdup 'copy'; puts *x; free *x; free *x"], "copy\n fault: double-free");
    check(&["strcpy b 'xxxxxx'; memmove b+1 b 3; memset b 65 1; puts b"], "Axxxxx\n");
    check(&["x = toupper 97; y = isdigit 97; printf '%c %d' *x *y"], "A 0");
}

#[test]
fn numbers() {
    check(&["x = strtol '-12xyz' e 10; printf '%ld %s' *x *e"], "-12 xyz");
    check(&["x = strtoul '0x10' 0 0; y = atoi '77'; printf '%d %d' *x *y"], "16 77");
    check(
        &["x = __errno_location; y = strtol '99999999999999999999' 0 10; memcpy b *x 4; printf '%ld %d' *y *b"],
        "9223372036854775807 34",
    );
    check(&["x = rand; y = rand; printf '%d %d' *x *y"], "1804289383 846930886");
    check(&["x = div 7 0"], " fault: division-by-zero");
    check(&["x = strtod '2.5' 0; y = sqrt *x; printf '%.3f' *y"], "1.581");
}

#[test]
fn the_heap() {
    check(&["x = malloc 8; strcpy *x 'seven77'; x = realloc *x 4; printf '%.4s' *x; free *x"], "seve");
    check(&["x = malloc 8; free *x; strlen *x"], " fault: use-after-free");
    check(&["x = calloc 2 8; memset *x 65 17"], " fault: out-of-bounds");
    check(&["free b"], " fault: invalid-free");
    check(&["x = malloc 5; y = malloc_usable_size *x; printf '%d' *y"], "5");
}

#[test]
fn the_end_of_the_program() {
    check(&["atexit @1; atexit @2; exit 3", "puts 'first'", "puts 'second'"], "second\nfirst\n Exited(3)");
    check(&["on_exit @1 9; exit 3", "printf '%d %d' p q; return q"], "3 9 Exited(3)");
    check(&["abort"], " fault: assertion");
    check(&["__assert_fail 'x == 1' 'f.c' 5 'main'"], " fault: assertion");
    check(&["no_such_function 1"], " unsupported: the function `no_such_function`, which is neither defined nor known");
}

#[test]
fn choices() {
    check(&["x = __VERIFIER_nondet_int; y = __VERIFIER_nondet_uint; printf '%d %u' *x *y"], "-3 0");
    check(&["__VERIFIER_assume 0; puts 'never'"], " Blocked(Assume)");
    check(&["x = raddle_choose 1; printf '%d' *x"], "0");
}
