//! `pthread_once` and its kin.

use super::Definition;
use super::writer::Writer;
use raddle_program::{GlobalId, Reg};

pub const TABLE: &[Definition] = &[
    Definition::new("pthread_once", 2, 1, pthread_once),
    Definition::new("call_once", 2, 0, |w| once(w, &[])),
    Definition::new("__once_proxy", 0, 0, proxy),
];

fn pthread_once(w: &mut Writer) {
    let zero = w.constant(0);
    once(w, &[zero]);
}

fn once(w: &mut Writer, results: &[Reg]) {
    let (control, function) = (w.parameter(0), w.parameter(1));
    let [run, ended, thrown, done] = [(); 4].map(|()| w.block());
    let [first] = w.call("__raddle_once_begin", &[control]);
    w.branch(first, run, done);
    w.begin(run);
    w.call_pointer::<0>(function, &[]);
    w.invoked(ended, thrown);
    w.begin(ended);
    w.call::<0>("__raddle_once_end", &[control]);
    w.jump(done);
    // Who throws has not done it, and the next one tries again.
    w.begin(thrown);
    w.call::<0>("__raddle_once_abort", &[control]);
    w.throw_on();
    w.begin(done);
    w.ret(results);
}

/// What `std::call_once` gives to `pthread_once`: it calls what a thread-local variable points to.
fn proxy(w: &mut Writer) {
    let name = "_ZSt11__once_call";
    if let Some(number) = w.program().globals.iter().position(|global| global.name == name) {
        let variable = w.thread_local(GlobalId(number as u32));
        let function = w.load(variable, 0);
        w.call_pointer::<0>(function, &[]);
    }
    w.ret(&[]);
}
