//! Marks of loops, and the registers that are live where blocks begin.

use raddle_program::{Program, live_at_start, mark_loops, parse, verify};

/// A function whose loops have no marks yet; with them the verifier accepts it.
fn function(code: &str) -> Program {
    let text = format!("entry f0\nfunction f0 \"f\" parameters 2\n{code}");
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut marked = program.clone();
    mark_loops(&mut marked.functions[0]);
    verify(&marked).unwrap();
    program
}

/// Marks the loops of a function and compares the loops and blocks that come out, one line for each block.
#[track_caller]
fn check(code: &str, expected: &str) {
    let mut program = function(code);
    mark_loops(&mut program.functions[0]);
    let printed = program.to_string();
    assert!(parse(&printed).unwrap() == program, "another program comes back\n{printed}");
    let lines = printed.lines().filter(|line| !line.starts_with("entry") && !line.starts_with("function") && !line.contains("constants"));
    let mut found = String::new();
    for line in lines {
        match line.starts_with("  ") && !line.starts_with("  loop l") && !line.starts_with("  table") {
            true => found += &format!("{};", &line[1..]),
            false => found += &format!("\n{}", line.trim()),
        }
    }
    assert_eq!(found.trim(), expected.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n"));
}

#[test]
fn no_loop_no_mark() {
    check("b0:\n br r0, b1, b2\nb1:\n jump b2\nb2:\n return ()", "b0: br r0, b1, b2;\nb1: jump b2;\nb2: return ();");
}

#[test]
fn a_while_loop() {
    check(
        "b0:\n jump b1\nb1:\n br r0, b2, b3\nb2:\n add r0, r0, r1, 32\n jump b1\nb3:\n return ()",
        "loop l0 (r0 r1)
         b0: jump b4;
         b1: br r0, b2, b3;
         b2: add r0, r0, r1, 32; loop.next l0, b1;
         b3: return ();
         b4: loop.enter l0; jump b1;",
    );
}

#[test]
fn nested_loops() {
    check(
        "b0:\n jump b1\nb1:\n br r0, b2, b4\nb2:\n br r1, b3, b1\nb3:\n jump b2\nb4:\n return ()",
        "loop l0 (r0 r1)
         loop l1 (r0 r1)
         b0: jump b5;
         b1: br r0, b6, b4;
         b2: br r1, b3, b7;
         b3: loop.next l1, b2;
         b4: return ();
         b5: loop.enter l0; jump b1;
         b6: loop.enter l1; jump b2;
         b7: loop.next l0, b1;",
    );
}

#[test]
fn a_loop_of_one_block() {
    check(
        "b0:\n jump b1\nb1:\n br r0, b1, b1",
        "loop l0 (r0)
         b0: jump b2;
         b1: br r0, b3, b3;
         b2: loop.enter l0; jump b1;
         b3: loop.next l0, b1;",
    );
}

#[test]
fn a_loop_that_begins_with_the_first_block() {
    check(
        "b0:\n sub r0, r0, 1, 32\n fence sync\n br r0, b0, b1\nb1:\n return ()",
        "loop l0 (r0)
         b0: loop.enter l0; jump b3;
         b1: return ();
         b2: loop.next l0, b3;
         b3: sub r0, r0, 1, 32; fence sync; br r0, b2, b1;",
    );
    check(
        "b0:\n jump b0",
        "loop l0 ()
         b0: loop.enter l0; jump b1;
         b1: loop.next l0, b1;",
    );
}

#[test]
fn lists_stay_with_their_calls_when_the_first_block_moves() {
    check(
        "b0:\n call.pointer (r0), r1, (r0 r1)\n br r0, b0, b1\nb1:\n call.pointer (), r1, (r1)\n return ()",
        "loop l0 (r0 r1)
         b0: loop.enter l0; jump b3;
         b1: call.pointer (), r1, (r1); return ();
         b2: loop.next l0, b3;
         b3: call.pointer (r0), r1, (r0 r1); br r0, b2, b1;",
    );
}

#[test]
fn a_switch_in_a_loop() {
    check(
        "b0:\n jump b1\nb1:\n table t0 0:b1 1:b2 2:b1\n switch r0, t0, b1\nb2:\n switch r1, t1, b3\n table t1 7:b1\nb3:\n return ()",
        "table t0 0:b5 1:b2 2:b5
         table t1 7:b6
         loop l0 (r0 r1)
         b0: jump b4;
         b1: switch r0, t0, b5;
         b2: switch r1, t1, b3;
         b3: return ();
         b4: loop.enter l0; jump b1;
         b5: loop.next l0, b1;
         b6: loop.next l0, b1;",
    );
}

/// A cycle with two entries has one head; the way in through the other entry is not marked.
#[test]
fn irreducible_control_flow() {
    check(
        "b0:\n br r0, b1, b2\nb1:\n br r1, b2, b3\nb2:\n jump b1\nb3:\n return ()",
        "loop l0 (r1)
         b0: br r0, b1, b4;
         b1: br r1, b5, b3;
         b2: jump b1;
         b3: return ();
         b4: loop.enter l0; jump b2;
         b5: loop.next l0, b2;",
    );
}

#[test]
fn a_loop_that_nothing_reaches_has_no_mark() {
    check("b0:\n return ()\nb1:\n jump b1\n", "b0: return ();\nb1: jump b1;");
}

/// Compares the live registers at the start of each block.
#[track_caller]
fn check_live(code: &str, expected: &[&[u32]]) {
    let live = live_at_start(&function(code).functions[0]);
    let live: Vec<Vec<u32>> = live.into_iter().map(|regs| regs.into_iter().map(|reg| reg.0).collect()).collect();
    assert_eq!(live, expected);
}

#[test]
fn a_register_is_live_until_it_is_written() {
    check_live(
        "b0:\n move r2, r0\n jump b1\nb1:\n add r2, r2, r1, 32\n move r1, 5\n jump b2\nb2:\n move r3, r1\n return ()",
        &[&[0, 1], &[1, 2], &[1]],
    );
}

#[test]
fn liveness_goes_around_loops() {
    check_live(
        "b0:\n move r2, 5\n jump b1\nb1:\n br r0, b2, b3\nb2:\n move r3, r2\n jump b1\nb3:\n return ()",
        &[&[0], &[0, 2], &[0, 2], &[]],
    );
}

#[test]
fn pairs_and_lists_are_live() {
    check_live(
        "b0:\n store r0, r2, 16, plain\n jump b1\nb1:\n load r2, r0, 16, plain\n jump b2\nb2:\n call.pointer (r4), r5, (r2 r3 7)\n return ()",
        &[&[0, 2, 3, 5], &[0, 5], &[2, 3, 5]],
    );
    check_live("b0:\n table t0 1:b1\n switch r0, t0, b2\nb1:\n assume r66\n return ()\nb2:\n return ()", &[&[0, 66], &[66], &[]]);
}
