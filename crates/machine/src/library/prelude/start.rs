//! The start and the end of threads that do more than call a function.
//!
//! In a program whose threads have something to do when they end (destructors of thread-specific values and of
//! thread-local variables), a thread is started by a function that calls the program's and then the destructors. It
//! gets both its function and its argument through a heap object.

use super::Definition;
use super::writer::Writer;
use raddle_program::Reg;

pub const TABLE: &[Definition] = &[
    Definition::new("pthread_create", 4, 1, pthread_create).for_endings(),
    Definition::new("thrd_create", 3, 1, thrd_create).for_endings(),
    Definition::new("pthread_exit", 1, 0, thread_exit).for_endings(),
    Definition::new("thrd_exit", 1, 0, thread_exit).for_endings(),
    Definition::new("__pthread_unwind_next", 1, 0, unwind_next).for_endings(),
    Definition::new("__raddle_thread", 1, 1, thread),
    Definition::new("__raddle_endings", 0, 0, endings),
    Definition::new(START_STD_THREAD, 3, 0, start_std_thread),
    Definition::new("__raddle_std_thread", 1, 1, std_thread),
];

/// `std::thread::_M_start_thread`
const START_STD_THREAD: &str = "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE";

fn pthread_create(w: &mut Writer) {
    let [handle, attributes, function, argument] = [0, 1, 2, 3].map(|p| w.parameter(p));
    create(w, handle, attributes, function, argument);
}

fn thrd_create(w: &mut Writer) {
    let [handle, function, argument] = [0, 1, 2].map(|p| w.parameter(p));
    let attributes = w.constant(0);
    create(w, handle, attributes, function, argument);
}

fn create(w: &mut Writer, handle: Reg, attributes: Reg, function: Reg, argument: Reg) {
    let size = w.constant(16);
    let [pair] = w.call("__raddle_allocate", &[size]);
    w.store(pair, 0, function);
    w.store(pair, 8, argument);
    let start = w.address_of("__raddle_thread");
    let [error] = w.call("__raddle_spawn", &[handle, attributes, start, pair]);
    w.ret(&[error]);
}

/// The first function of a thread.
fn thread(w: &mut Writer) {
    let pair = w.parameter(0);
    let function = w.load(pair, 0);
    let argument = w.load(pair, 8);
    w.call::<0>("free", &[pair]);
    let [result] = w.call_pointer(function, &[argument]);
    w.call::<0>("__raddle_endings", &[]);
    w.ret(&[result]);
}

fn thread_exit(w: &mut Writer) {
    let result = w.parameter(0);
    leave(w, result);
}

/// A cleanup handler has run.
fn unwind_next(w: &mut Writer) {
    let [result] = w.call("__raddle_result", &[]);
    leave(w, result);
}

fn leave(w: &mut Writer, result: Reg) {
    w.call::<0>("__raddle_cleanups", &[result]);
    w.call::<0>("__raddle_endings", &[]);
    w.call::<0>("__raddle_end", &[result]);
    w.unreachable();
}

/// Calls the destructors of the thread.
fn endings(w: &mut Writer) {
    let [head, run, done] = [(); 3].map(|()| w.block());
    let zero = w.constant(0);
    let position = w.variable(zero);
    w.jump(head);
    w.begin(head);
    let [function, value, next] = w.call("__raddle_next_destructor", &[position]);
    w.branch(function, run, done);
    w.begin(run);
    w.assign(position, next);
    w.call_pointer::<0>(function, &[value]);
    w.jump(head);
    w.begin(done);
    w.call::<0>("__raddle_leave_robust", &[]);
    w.ret(&[]);
}

/// The arguments are the `std::thread`, whose only word is the handle, and the unique pointer to its state, which is
/// taken out.
fn start_std_thread(w: &mut Writer) {
    let (handle, owner, none) = (w.parameter(0), w.parameter(1), w.constant(0));
    let state = w.load(owner, 0);
    w.store(owner, 0, none);
    let start = w.address_of("__raddle_std_thread");
    w.call::<1>("__raddle_spawn", &[handle, none, start, state]);
    w.ret(&[]);
}

/// Runs the state by its virtual function `_M_run` and deletes it by its destructor; both stand in its table.
fn std_thread(w: &mut Writer) {
    let state = w.parameter(0);
    for slot in [16, 8] {
        let table = w.load(state, 0);
        let function = w.load(table, slot);
        w.call_pointer::<0>(function, &[state]);
    }
    if w.endings() {
        w.call::<0>("__raddle_endings", &[]);
    }
    let result = w.constant(0);
    w.ret(&[result]);
}
