//! `exit`, which calls the functions registered for it, last first.

use super::Definition;
use super::writer::Writer;

pub const TABLE: &[Definition] = &[Definition::new("exit", 1, 0, exit)];

fn exit(w: &mut Writer) {
    let status = w.parameter(0);
    let [head, run, done] = [(); 3].map(|()| w.block());
    w.jump(head);
    w.begin(head);
    let [function, first, second] = w.call("__raddle_next_at_exit", &[status]);
    w.branch(function, run, done);
    w.begin(run);
    w.call_pointer::<0>(function, &[first, second]);
    w.jump(head);
    w.begin(done);
    w.call::<0>("_exit", &[status]);
    w.unreachable();
}
