//! Idioms: two threads that meet at a mutex, at the condition or in a loop that waits, which statements drawn one by
//! one seldom do.

use super::{Draw, Kind, LOADS, Scope};
use crate::{Access, Expression, Look, MutexId, Shape, Statement};
use raddle_event::{Fence, Order};

#[derive(Clone, Copy)]
struct Idiom {
    n_actions: u32,
    fits: fn(&Shape) -> bool,
    /// What each of two threads does.
    draw: fn(&mut Draw<'_>, usize, usize) -> [Vec<Statement>; 2],
}

const IDIOMS: [Idiom; 4] = [
    Idiom { n_actions: 6, fits: |shape| shape.locks, draw: contention },
    Idiom { n_actions: 8, fits: |shape| shape.locks, draw: opposite_orders },
    Idiom { n_actions: 7, fits: |shape| shape.locks && shape.conditions, draw: signalling },
    Idiom { n_actions: 7, fits: |shape| shape.awaits > 0 && !shape.widths, draw: grace },
];

impl Draw<'_> {
    /// Two threads that contend for a mutex, lock two in opposite orders, signal one another, or of which one waits
    /// until the other has left.
    pub(super) fn idiom(&mut self, threads: &mut [Vec<Statement>]) {
        let mut possible = IDIOMS.to_vec();
        possible.retain(|idiom| idiom.n_actions <= self.left && (idiom.fits)(self.shape));
        if possible.is_empty() {
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

/// The first thread says that it is there, reads, and says that it has left; the second writes, and waits until nobody
/// is there. Which value the read finds may hang on the order of seq_cst alone, and the wait could end before the first
/// thread has come.
fn grace(draw: &mut Draw<'_>, first: usize, second: usize) -> [Vec<Statement>; 2] {
    let n_locations = draw.widths.len() as u32;
    let (there, what) = (draw.random.below(n_locations), draw.random.below(n_locations));
    let access = |draw: &mut Draw<'_>, location: u32, orders: &[Order]| {
        let order = match draw.shape.orders {
            false => Order::Plain,
            true if draw.random.once_in(3) => draw.random.pick(orders),
            true => Order::SeqCst,
        };
        Access { location, offset: 0, size: draw.widths[location as usize], order, depends_on: None }
    };
    let store = |draw: &mut Draw<'_>, location: u32, value: u64| {
        let to = access(draw, location, &[Order::Relaxed, Order::Release]);
        Statement::Store { to, value: Expression::Constant(value) }
    };
    let fence = |draw: &mut Draw<'_>| draw.shape.fences && draw.random.once_in(3);
    let mut reader = vec![store(draw, there, 1)];
    reader.extend(fence(draw).then_some(Statement::Fence(Fence::SeqCst)));
    reader.push(Statement::Load { to: draw.variable(&mut Scope::first(first)), from: access(draw, what, &LOADS) });
    reader.push(store(draw, there, 0));
    let mut writer = vec![store(draw, what, 1)];
    writer.extend(fence(draw).then_some(Statement::Fence(Fence::SeqCst)));
    let at = access(draw, there, &[Order::Relaxed, Order::Acquire]);
    let at = if at.order == Order::Plain { Access { order: Order::Relaxed, ..at } } else { at };
    writer.push(Statement::Await { to: draw.variable(&mut Scope::first(second)), at, until: 0, look: Look::Load });
    [reader, writer]
}
