//! Histories that lead to the same state go on as one, and no others.

use raddle_event::{Reply, ThreadId, Value};
use raddle_machine::{HistoryId, Limits, Machine, Sites};
use raddle_program::parse;

/// Where the first thread of a program is after these replies, one history after the other.
fn after<const N: usize>(code: &str, histories: [&[Reply]; N]) -> [HistoryId; N] {
    let text = format!(
        "global g0 \"x\" size 4 align 4\nentry f0\nentry f1\nfunction f0 \"first\" registers 2\nb0:\n{code}\n  return ()\nfunction f1 \"second\"\nb0:\n  return ()\n"
    );
    let program = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let mut machine = Machine::new(&program, Limits::default(), Sites::default());
    histories.map(|replies| {
        let mark = machine.mark();
        for reply in replies {
            machine.advance(ThreadId(0), reply.clone());
        }
        let step = machine.position(ThreadId(0));
        machine.rewind(mark);
        step
    })
}

fn value(word: u64) -> Reply {
    Reply::Value(Value::Word(word))
}

#[test]
fn a_value_that_is_written_back_is_forgotten() {
    let code = "  load r0, &g0, 4, relaxed\n  add r1, r0, 1, 32\n  store &g0, r1, 4, relaxed\n  store &g0, 7, 4, relaxed";
    let [a, b, before, other] = after(code, [&[value(3), Reply::Done], &[value(4), Reply::Done], &[value(3)], &[value(4)]]);
    assert_eq!(a, b);
    assert_ne!(before, other);
}

#[test]
fn a_value_that_is_needed_is_not_forgotten() {
    let code = "  load r0, &g0, 4, relaxed\n  store &g0, 7, 4, relaxed\n  store &g0, r0, 4, relaxed";
    let [a, b] = after(code, [&[value(3), Reply::Done], &[value(4), Reply::Done]]);
    assert_ne!(a, b);
}

/// A spin loop is found by looking back over reads, so these keep histories apart.
#[test]
fn behind_a_read_histories_stay_apart() {
    let code = "  load r0, &g0, 4, relaxed\n  load r0, &g0, 4, relaxed\n  store &g0, r0, 4, relaxed";
    let [a, b] = after(code, [&[value(3)], &[value(4)]]);
    assert_ne!(a, b);
}
