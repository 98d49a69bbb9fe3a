//! Idioms: two threads that meet at a mutex or at the condition, which statements drawn one by one seldom do.

use super::{Draw, Kind, Scope};
use crate::{Access, MutexId, Statement};
use raddle_event::Order;

#[derive(Clone, Copy)]
struct Idiom {
    n_actions: u32,
    signals: bool,
    /// What each of two threads does.
    draw: fn(&mut Draw<'_>, usize, usize) -> [Vec<Statement>; 2],
}

const IDIOMS: [Idiom; 3] = [
    Idiom { n_actions: 6, signals: false, draw: contention },
    Idiom { n_actions: 8, signals: false, draw: opposite_orders },
    Idiom { n_actions: 7, signals: true, draw: signalling },
];

impl Draw<'_> {
    /// Two threads that contend for a mutex, lock two in opposite orders, or signal one another.
    pub(super) fn idiom(&mut self, threads: &mut [Vec<Statement>]) {
        let mut possible = IDIOMS.to_vec();
        possible.retain(|idiom| idiom.n_actions <= self.left && (self.shape.conditions || !idiom.signals));
        if possible.is_empty() || !self.shape.locks {
            return;
        }
        let idiom = self.random.pick(&possible);
        self.left -= idiom.n_actions;
        let first = self.random.below(threads.len() as u32) as usize;
        let second = (first + self.random.within(1..=threads.len() as u32 - 1) as usize) % threads.len();
        for (thread, body) in [first, second].into_iter().zip((idiom.draw)(self, first, second)) {
            let at = self.random.below(threads[thread].len() as u32 + 1) as usize;
            threads[thread].splice(at..at, body);
        }
    }
}

/// One access in each thread, under the same mutex.
fn contention(draw: &mut Draw<'_>, first: usize, second: usize) -> [Vec<Statement>; 2] {
    [first, second].map(|thread| {
        let kind = draw.random.pick(&[Kind::Load, Kind::Store]);
        let access = draw.simple(kind, &mut Scope::first(thread));
        vec![Statement::Locked(MutexId(0), vec![access])]
    })
}

/// Two mutexes, which may end in a deadlock.
fn opposite_orders(_: &mut Draw<'_>, _: usize, _: usize) -> [Vec<Statement>; 2] {
    [(0, 1), (1, 0)].map(|(outer, inner)| {
        let inside = Statement::Locked(MutexId(inner), Vec::new());
        vec![Statement::Locked(MutexId(outer), vec![inside])]
    })
}

/// The first thread waits unless the second has written; the second writes and signals.
fn signalling(draw: &mut Draw<'_>, first: usize, second: usize) -> [Vec<Statement>; 2] {
    let waiting = draw.waiting(&mut Scope::first(first));
    let flag = waiting[0].access().expect("it begins with a load");
    let store = draw.simple(Kind::Store, &mut Scope::first(second));
    let Statement::Store { to, value } = store else { unreachable!("a store was asked for") };
    let order = if flag.order == Order::Plain { Order::Plain } else { to.order };
    let to = Access { order, depends_on: None, ..flag };
    let signal = draw.simple(Kind::Signal, &mut Scope::first(second));
    [vec![Statement::Locked(MutexId::OF_CONDITION, waiting)], vec![Statement::Store { to, value }, signal]]
}
