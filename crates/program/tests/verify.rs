//! Each invariant of the program form, broken once.

use raddle_program::{Reg, parse, verify};

/// Checks that the text is a program, and what is wrong with it.
#[track_caller]
fn check(text: &str, expected: &str) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let found = verify(&program).map_or_else(|invalid| invalid.to_string(), |()| "valid".to_string());
    assert_eq!(found, expected);
}

/// Checks one function with one parameter and one result; `b0:` stands before the code.
#[track_caller]
fn check_code(code: &str, expected: &str) {
    let text = format!("entry f0\nfunction f0 \"f\" parameters 1 results 1\nb0:\n{code}\n");
    let expected = match expected {
        "valid" => expected.to_string(),
        what => format!("function `f`, instruction {what}"),
    };
    check(&text, &expected);
}

#[test]
fn the_first_invariant_no_block_is_empty() {
    check("entry f0\nfunction f0 \"f\"\n", "function `f`, instruction 0: there is no first block");
    check_code("return (0)\nb1:\nb2:\nreturn (0)", "1: block 1 is empty");
    check_code("return (0)\nb1:", "1: block 1 is empty");
}

#[test]
fn the_second_invariant_blocks_end_where_they_end() {
    check_code("move r1, 5", "0: `move` cannot stand here in block 0");
    check_code("return (0)\nfence sync", "0: `return` cannot stand here in block 0");
    check_code("move r1, 5\nb1:\nreturn (0)", "0: `move` cannot stand here in block 0");
}

#[test]
fn the_third_invariant_what_is_named_exists() {
    check(
        "entry f0\nfunction f0 \"f\" registers 1\nb0:\nmove r0, r1\nreturn ()",
        "function `f`, instruction 0: `move`: register 1 does not exist",
    );
    check_code("jump b7", "0: `jump`: block 7 does not exist");
    check_code("br r0, b0, b7", "0: `br`: block 7 does not exist");
    check_code("switch r0, t0, b0", "0: `switch`: table 0 does not exist");
    check_code("table t0 1:b5\nswitch r0, t0, b0", "0: `switch`: block 5 does not exist");
    check_code("loop.next l0, b0", "0: `loop.next`: loop 0 does not exist");
    check_code("call (), f3, ()\nreturn (0)", "0: `call`: function 3 does not exist");
    check_code("call.extern (), x0, ()\nreturn (0)", "0: `call.extern`: extern 0 does not exist");
    check_code("thread.local r1, g0\nreturn (0)", "0: `thread.local`: global 0 does not exist");
    check_code("alloca r1, 4, 4, n1\nreturn (0)", "0: `alloca`: note 1 does not exist");
    check_code("unsupported n1", "0: `unsupported`: note 1 does not exist");
    check_code("jump b0 @p1", "0: `jump`: place 1 does not exist");
    check("entry f0\nfunction f0 \"f\" @p1\nb0:\nreturn ()", "function `f`, instruction 0: place 1 does not exist");
    check("place p1 \"a\" 1 1 \"f\" inlined p2", "function ``, instruction 0: place 2 does not exist");
    check("note n1 \"a\" layout y0", "function ``, instruction 0: layout 0 does not exist");
    check("global g0 \"a\" layout y0", "function ``, instruction 0: layout 0 does not exist");
    check("layout y0 array y1 5", "function ``, instruction 0: layout 1 does not exist");
    check("layout y0 record \"a\" 4 member \"b\" 0 y9", "function ``, instruction 0: layout 9 does not exist");
    let listed = "entry f0\nfunction f0 \"f\" registers 1\nloop l0 (r1)\nb0:\nreturn ()";
    check(listed, "function `f`, instruction 0: loop 0 lists a register that does not exist");
}

#[test]
fn lists_exist() {
    let mut program = parse("entry f0\nfunction f0 \"f\" results 1\nb0:\nreturn (0)").unwrap();
    program.functions[0].lists.clear();
    assert_eq!(verify(&program).unwrap_err().what, "`return`: the list at 0 does not exist");
    let mut program = parse("entry f0\nfunction f0 \"f\"\nb0:\nreturn ()").unwrap();
    program.functions[0].loops.push(raddle_program::Regs { start: u32::MAX, len: u32::MAX });
    assert_eq!(verify(&program).unwrap_err().what, format!("the list at {} does not exist", u32::MAX));
}

#[test]
fn every_instruction_has_a_place() {
    let mut program = parse("entry f0\nfunction f0 \"f\"\nb0:\nreturn ()").unwrap();
    program.functions[0].places.clear();
    assert_eq!(verify(&program).unwrap_err().what, "not every instruction has a place");
}

#[test]
fn parameters_are_registers() {
    check(
        "entry f0\nfunction f0 \"f\" parameters 2 registers 1\nb0:\nreturn ()",
        "function `f`, instruction 0: there are fewer registers than parameters",
    );
}

#[test]
fn the_fourth_invariant_no_constant_is_written() {
    let text = "entry f0\nfunction f0 \"f\" registers 1\nb0:\nmove r1, 5\nreturn ()";
    check(text, "function `f`, instruction 0: `move`: register 1 cannot be written");
    let text = "entry f0\nextern x0 \"g\"\nfunction f0 \"f\" registers 1\nb0:\ncall.extern (r0 r1), x0, (5)\nreturn ()";
    check(text, "function `f`, instruction 0: `call.extern`: register 1 cannot be written");
    let mut program = parse("entry f0\nfunction f0 \"f\" registers 1\nb0:\nmove r0, 5\nreturn ()").unwrap();
    program.functions[0].code[0].rename(|_| Reg(1));
    assert_eq!(verify(&program).unwrap_err().what, "`move`: register 1 cannot be written");
}

#[test]
fn the_fifth_invariant_widths() {
    check_code("add r0, r0, r0, 65\nreturn (0)", "0: `add`: 65 bits");
    check_code("add r0, r0, r0, 0\nreturn (0)", "0: `add`: 0 bits");
    check_code("sext r0, r0, 8, 65\nreturn (0)", "0: `sext`: 65 bits");
    check_code("sext r0, r0, 33, 32\nreturn (0)", "0: `sext`: 33 bits");
    check_code("fadd r0, r0, r0, 16\nreturn (0)", "0: `fadd`: 16 bits of floating point");
    check_code("fconvert r0, fptofp, r0, 32, 16\nreturn (0)", "0: `fconvert`: 16 bits of floating point");
    check_code("fconvert r0, sitofp, r0, 17, 33\nreturn (0)", "0: `fconvert`: 33 bits of floating point");
    check_code("fconvert r0, fptoui, r0, 17, 33\nreturn (0)", "0: `fconvert`: 17 bits of floating point");
    check_code("fconvert r0, fptoui, r0, 32, 129\nreturn (0)", "0: `fconvert`: 129 bits");
    check_code("fconvert r0, uitofp, r0, 128, 64\nreturn (0)", "valid");
    check_code("wide r0, add, r0, r0, 64\nreturn (0)", "0: `wide`: 64 bits");
    check_code("wide.sext r0, r0, 65, 128\nreturn (0)", "0: `wide.sext`: 65 bits");
    check_code("load r0, r0, 17, plain\nreturn (0)", "0: `load`: 17 bytes");
    check_code("store r0, r0, 0, plain\nreturn (0)", "0: `store`: 0 bytes");
    let pair = |code| format!("entry f0\nfunction f0 \"f\" registers 1\nb0:\n{code}\nreturn ()");
    check(&pair("load r0, r0, 9, plain"), "function `f`, instruction 0: `load`: register 1 cannot be written");
    check(&pair("store r0, r0, 9, plain"), "function `f`, instruction 0: `store`: register 0 is the first of no pair");
    check(&pair("store 5, r0, 9, plain"), "function `f`, instruction 0: `store`: register 0 is the first of no pair");
    check(&pair("store r0, 5, 9, plain"), "function `f`, instruction 0: `store`: register 2 does not exist");
    check(&pair("store r0, 5:5, 9, plain"), "valid");
    check(&pair("load.reserve r0, r0, 8, plain"), "valid");
    check(&pair("load.reserve r0, r0, 16, plain"), "function `f`, instruction 0: `load.reserve`: register 1 cannot be written");
    let conditional = "store.conditional r0, r0, r0, 9, plain";
    check(&pair(conditional), "function `f`, instruction 0: `store.conditional`: register 0 is the first of no pair");
    check(&pair("store.conditional r0, r0, 5, 9, plain"), "function `f`, instruction 0: `store.conditional`: register 2 does not exist");
    check(&pair("rmw r0, add, r0, 5:5, 16, plain"), "function `f`, instruction 0: `rmw`: register 1 cannot be written");
    check(&pair("cas r0, r0, r0, 5:5, 5:5, 16, plain, plain"), "function `f`, instruction 0: `cas`: register 1 cannot be written");
    check(
        &pair("cas.weak r0, r0, r0, 5:5, 5:5, 16, plain, plain"),
        "function `f`, instruction 0: `cas.weak`: register 1 cannot be written",
    );
    check(&pair("fconvert r0, fptoui, 0, 64, 128"), "function `f`, instruction 0: `fconvert`: register 1 cannot be written");
    check(&pair("fconvert r0, uitofp, r0, 65, 64"), "function `f`, instruction 0: `fconvert`: register 0 is the first of no pair");
    check(&pair("wide r0, add, 5:5, 5:5, 128"), "function `f`, instruction 0: `wide`: register 1 cannot be written");
    check(&pair("wide r0, eq, 5:5, 5:5, 128"), "valid");
    check(&pair("wide.sext r0, r0, 8, 128"), "function `f`, instruction 0: `wide.sext`: register 1 cannot be written");
}

#[test]
fn read_modify_writes_are_those_of_the_language() {
    check_code("rmw r0, fadd, r0, r0, 8, relaxed\nreturn (0)", "valid");
    check_code("rmw r0, fadd, r0, r0, 2, relaxed\nreturn (0)", "0: `rmw`: 2 bytes of floating point");
    check_code("rmw r0, fmin, r0, 5:5, 16, relaxed\nreturn (0)", "0: `rmw`: 16 bytes of floating point");
    for op in ["cas", "take", "give", "uinc_below", "signal"] {
        check_code(&format!("rmw r0, {op}, r0, r0, 8, relaxed\nreturn (0)"), "0: `rmw`: an operation of the library's locks");
    }
}

#[test]
fn registers_that_have_no_number_are_not_added_to() {
    let program = parse("entry f0\nfunction f0 \"f\" registers 2\nb0:\nload r0, r0, 16, plain\nreturn ()").unwrap();
    for reg in [2, u32::MAX - 1, u32::MAX] {
        let mut program = program.clone();
        program.functions[0].code[0].rename(|_| Reg(reg));
        assert_eq!(verify(&program).unwrap_err().what, format!("`load`: register {reg} does not exist"));
    }
}

#[test]
fn the_eleventh_invariant_registers_can_be_counted() {
    let mut program = parse("entry f0\nfunction f0 \"f\"\nb0:\nreturn ()").unwrap();
    program.functions[0].registers = Reg::LIMIT + 1;
    assert_eq!(verify(&program).unwrap_err().what, "there are more than 1048576 registers");
}

#[test]
fn the_sixth_invariant_calls_fit() {
    let wrong = "0: `call`: `f` is called with the wrong number of arguments or results";
    check_code("call (r1), f0, (1)\nreturn (0)", "valid");
    check_code("call (r1), f0, (1 2)\nreturn (0)", wrong);
    check_code("call (r1), f0, ()\nreturn (0)", wrong);
    check_code("call (), f0, (1)\nreturn (0)", wrong);
    let variadic = |arguments| format!("entry f0\nfunction f0 \"f\" parameters 1 variadic\nb0:\ncall (), f0, {arguments}\nreturn ()");
    check(&variadic("(1 2 3)"), "valid");
    check(&variadic("()"), &format!("function `f`, instruction {wrong}"));
}

#[test]
fn the_seventh_invariant_returns_fit() {
    check_code("return ()", "0: `return`: the wrong number of values is returned");
    check_code("return (1 2)", "0: `return`: the wrong number of values is returned");
}

#[test]
fn the_eighth_invariant_globals_hold_their_bytes() {
    check("global g0 \"x\" size 1 bytes 0102", "function ``, instruction 0: global `x` has more bytes than its size");
}

#[test]
fn the_ninth_invariant_there_is_an_entry() {
    check("", "function ``, instruction 0: there is no entry");
    check("entry f0", "function ``, instruction 0: entry 0 does not exist");
}

#[test]
fn the_tenth_invariant_tables_rise_and_are_not_shared() {
    check_code("table t0 1:b0 1:b0\nswitch r0, t0, b0", "0: the cases of table 0 do not rise");
    check_code("table t0 1:b0\nswitch r0, t0, b1\nb1:\nswitch r0, t0, b0", "1: table 0 belongs to another switch");
}

#[test]
fn the_twelfth_invariant_nothing_holds_itself() {
    check("layout y0 array y1 2\nlayout y1 array y0 2", "function ``, instruction 0: layout 0 is an array of itself");
    check("place p1 \"a\" 1 1 \"f\" inlined p1", "function ``, instruction 0: place 1 is inlined at itself");
    let chain = "place p1 \"a\" 1 1 \"f\" inlined p2\nplace p2 \"a\" 1 1 \"g\" inlined p3\nplace p3 \"a\" 1 1 \"h\"";
    check(&format!("{chain}\nentry f0\nfunction f0 \"f\"\nb0:\nreturn ()"), "valid");
}

#[test]
fn the_thirteenth_invariant_loops_are_marked() {
    check_code("jump b0", "0: code comes back to block 0 without the mark of a loop");
    check_code("br r0, b0, b1\nb1:\nreturn (0)", "0: code comes back to block 0 without the mark of a loop");
    check_code("table t0 1:b0\nswitch r0, t0, b1\nb1:\nreturn (0)", "0: code comes back to block 0 without the mark of a loop");
    check_code("loop l0 ()\nloop.next l0, b0", "valid");
    // One of two ways round is marked.
    let two = "loop l0 ()\nbr r0, b1, b2\nb1:\nloop.next l0, b0\nb2:\njump b0";
    check_code(two, "0: code comes back to block 0 without the mark of a loop");
    // Behind a mark there may be another loop, which needs its own.
    let behind = "loop l0 ()\nloop.next l0, b1\nb1:\njump b2\nb2:\njump b1";
    check_code(behind, "1: code comes back to block 1 without the mark of a loop");
    // What is never reached does not go round.
    check_code("return (0)\nb1:\njump b1", "valid");
}
