//! Whole programs: globals, the start, places, what is refused and when.

mod support;

use raddle_llvm::Error;
use raddle_program::{Instr, layout_path};
use support::{c, cpp, function, load_files, text, unsupported, words};

#[test]
fn the_start_runs_constructors_then_main_then_exit() {
    let program = c(
        "__attribute__((constructor(200))) static void second(void) {}
         __attribute__((constructor(101))) static void first(void) {}
         int main(int argc, char **argv) { return argc + (argv[1] == 0); }",
        &[],
    );
    let start = function(&program, "__raddle_start");
    assert_eq!(program.functions[program.entries[0].index()].name, "__raddle_start");
    let called = |i: &Instr| match *i {
        Instr::Call { function, .. } => Some(program.functions[function.index()].name.clone()),
        Instr::CallExtern { function, .. } => Some(program.externs[function.index()].clone()),
        _ => None,
    };
    let order: Vec<String> = start.code.iter().filter_map(called).collect();
    assert_eq!(order, ["first", "second", "main", "exit"]);
    let argv = program.globals.iter().find(|g| g.name == "argv").unwrap();
    assert_eq!((argv.bytes.len(), &argv.bytes[8..]), (16, &[0; 8][..]));
}

#[test]
fn globals_hold_addresses_of_each_other() {
    let program = c(
        "extern int *second; int numbers[4] = {1, 2, 3, 4}; int *third = &numbers[2]; int **there = &third; const char *text = \"hi\";
         int main(void) { return *third; }",
        &[],
    );
    let global = |name: &str| program.globals.iter().find(|g| g.name == name).unwrap();
    let word = |name: &str| u64::from_le_bytes(global(name).bytes[..8].try_into().unwrap());
    assert_eq!(word("third"), global("numbers").address.0 + 8);
    assert_eq!(word("there"), global("third").address.0);
    assert_eq!(global("numbers").bytes, [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
    let literal = program.globals.iter().find(|g| g.address.0 == word("text")).unwrap();
    assert!(literal.constant && literal.bytes == b"hi\0");
}

#[test]
fn standard_streams_have_handles() {
    let program = c("#include <stdio.h>\nint main(void) { fputs(\"x\", stderr); return stdout == stdin; }", &[]);
    let handle = |name: &str| program.globals.iter().find(|g| g.name == name).unwrap().bytes[0];
    assert_eq!([handle("stdin"), handle("stdout"), handle("stderr")], [0x10, 0x11, 0x12]);
}

#[test]
fn thread_locals_are_asked_for_their_address() {
    let program = c("_Thread_local int n[2] = {1, 2}; int main(void) { return n[1]++; }", &[]);
    assert!(words(&program, "main").contains(&"thread.local"));
    assert!(program.globals.iter().any(|g| g.name == "n" && g.thread_local && g.bytes == [1, 0, 0, 0, 2, 0, 0, 0]));
}

#[test]
fn cpp_with_virtual_functions_templates_and_strings() {
    let program = cpp(
        "#include <string>
         struct shape { virtual int area() const = 0; virtual ~shape() {} };
         struct square : shape { int side; square(int s) : side(s) {} int area() const override { return side * side; } };
         template <class T> T twice(T a) { return a + a; }
         int main() { square s(3); const shape &any = s; std::string text(\"abc\"); text += \"d\"; return any.area() + twice(2) + (int)text.size(); }",
        &[],
    );
    assert!(words(&program, "main").contains(&"call.pointer"));
    assert!(program.function_named("twice<int>").is_some());
    let by_library = program.externs.iter().filter(|name| name.contains("basic_string"));
    assert_eq!(by_library.collect::<Vec<_>>(), Vec::<&String>::new(), "strings are compiled with the program");
    assert!(unsupported(&program).iter().all(|what| what.contains("exception")), "{:?}", unsupported(&program));
}

#[test]
fn several_files_make_one_program() {
    let program = load_files(
        &[
            ("a.c", "int f(int); static int n = 1; int main(void) { return f(n); }"),
            ("b.c", "static int n = 2; int f(int a) { return a + n; }"),
        ],
        &[],
    )
    .unwrap();
    assert_eq!(program.globals.iter().filter(|g| g.name == "n").count(), 2);
    assert!(text(&program, "main").contains("call ("));
}

#[test]
fn places_tell_where_code_was_inlined() {
    let program = c(
        "static inline __attribute__((always_inline)) void put(int *p) {\n  *p = 1;\n}\nint main(void) {\n  int x;\n  put(&x);\n  return x;\n}\n",
        &["-O1"],
    );
    let program_o0 = c("int x;\nint main(void) {\n  x = 1;\n  return 0;\n}\n", &[]);
    let main = function(&program_o0, "main");
    let store = main.code.iter().position(|i| matches!(i, Instr::Store { .. })).unwrap();
    let place = program_o0.place(main.places[store]);
    assert!(place.file.ends_with("a.c"), "{place:?}");
    assert_eq!((place.line, place.column, place.function.as_str(), place.inlined_at), (3, 5, "main", None));
    let inlined = program.places.iter().filter(|p| p.function == "put");
    assert!(inlined.into_iter().all(|p| p.inlined_at.is_some_and(|at| program.place(at).function == "main")));
}

#[test]
fn variables_have_the_layout_of_the_source() {
    let program = c(
        "typedef struct { _Atomic int seq; char data; } slot; struct queue { volatile long head; slot slots[3][2]; union { int i; float f; } u; } q;
         int main(void) { struct queue *volatile p = &q; return p->slots[1][1].data; }",
        &[],
    );
    let q = program.globals.iter().find(|g| g.name == "q").unwrap();
    let path = |offset, size| layout_path(&program.layouts, q.layout.unwrap(), offset, size).0;
    assert_eq!(path(0, 8), ".head");
    assert_eq!(path(8 + 3 * 8 + 4, 1), ".slots[1][1].data");
    assert_eq!(path(8 + 6 * 8, 4), ".u.i");
    let main = function(&program, "main");
    let named = |i: &Instr| match *i {
        Instr::Alloca { name, .. } => Some(program.notes[name.index()].text.clone()),
        _ => None,
    };
    assert_eq!(main.code.iter().filter_map(named).collect::<Vec<_>>(), ["p"]);
}

#[test]
fn what_is_not_supported_waits_until_it_is_reached() {
    let program = c(
        "int f(int a) { if (a) { int b; __asm__ volatile(\"rdpmc\" : \"=a\"(b)); return b; } return 1; }
         _Float16 g(_Float16 a) { return a * (_Float16)2; }
         int main(void) { return f(0); }",
        &[],
    );
    let mut notes = unsupported(&program);
    notes.sort();
    assert_eq!(notes, ["a value of type `half`", "inline assembly `rdpmc`"]);
    assert!(words(&program, "f").contains(&"return"));
}

#[test]
fn a_call_that_an_exception_may_leave_says_where_it_goes() {
    let program = cpp("int main() { try { throw 1; } catch (int a) { return a; } }", &[]);
    assert!(words(&program, "main").contains(&"invoked"), "{:?}", words(&program, "main"));
    assert!(program.function_named("__cxa_throw").is_some(), "what throws it is put into the program");
}

#[test]
fn the_compiler_is_quoted() {
    let error = load_files(&[("a.c", "int main(void) { return }")], &[]).unwrap_err();
    assert!(error.is_compiler_error());
    assert!(error.to_string().contains("a.c:1:25: error: expected expression"), "{error}");
}

#[test]
fn flags_reach_the_compiler() {
    let error = load_files(&[("a.c", "int main(void) { return N; }")], &["-DM=1"]).unwrap_err();
    assert!(error.is_compiler_error());
    load_files(&[("a.c", "int main(void) { return N; }")], &["-DN=1"]).unwrap();
}

#[test]
fn main_is_needed() {
    assert_eq!(load_files(&[("a.c", "int f(void) { return 1; }")], &[]).unwrap_err(), Error::NoMain);
    assert_eq!(load_files(&[("a.c", "int main(void); int f(void) { return main(); }")], &[]).unwrap_err(), Error::NoMain);
}

#[test]
fn llvm_code_is_read_and_checked() {
    let good = "define i32 @main() {\n  %a = add i24 5, 6\n  %b = zext i24 %a to i32\n  ret i32 %b\n}\n";
    let program = load_files(&[("a.ll", good)], &[]).unwrap();
    assert!(text(&program, "main").contains("add r0, 5, 6, 24"));
    for (name, bad) in [("a.ll", "define i32 @main() { ret i64 0 }"), ("a.ll", "nonsense"), ("a.bc", "BC\u{c0}\u{de}nonsense")] {
        let error = load_files(&[(name, bad)], &[]).unwrap_err();
        assert!(matches!(error, Error::BadBitcode { .. }), "{error}");
    }
}

#[test]
fn unsound_code_is_refused() {
    let undominated =
        "define i32 @main(i1 %c) {\n  br i1 %c, label %x, label %y\nx:\n  %a = add i32 1, 2\n  br label %y\ny:\n  ret i32 %a\n}\n";
    let error = load_files(&[("a.ll", undominated)], &[]).unwrap_err();
    assert!(error.to_string().contains("dominate"), "{error}");
}

#[test]
fn files_that_cannot_be_read() {
    let error = raddle_llvm::load(&raddle_llvm::Sources::new(["missing.c"])).unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }) && error.is_bad_input(), "{error}");
    let error = load_files(&[("a.rs", "fn main() {}")], &[]).unwrap_err();
    assert!(error.to_string().contains("does not end in"), "{error}");
}
