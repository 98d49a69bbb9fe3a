//! Shrinks descriptions.

use crate::{Description, Expression, Statement, Style, ThreadNumber};
use raddle_event::Order;
use raddle_program::Program;

/// Makes a description smaller as long as its program still fails.
pub fn minimise(description: Description, mut fails: impl FnMut(&Program) -> bool) -> Description {
    shrink(description, |smaller| fails(&smaller.lower()))
}

/// Makes a description smaller as long as it still fails.
pub fn shrink(mut description: Description, mut fails: impl FnMut(&Description) -> bool) -> Description {
    while let Some(smaller) = description.smaller().into_iter().find(&mut fails) {
        description = smaller;
    }
    description
}

impl Description {
    /// The descriptions that are one change smaller, those with the largest changes first.
    ///
    /// Repeated changes end: each one lowers the number of threads, of statements, of operands that are variables or of
    /// orders that are not plain, or lets the threads start all at once.
    pub fn smaller(&self) -> Vec<Description> {
        let mut all: Vec<Description> = (0..self.threads.len()).filter_map(|thread| self.without_thread(thread)).collect();
        all.extend(self.all_at_once());
        for thread in 0..self.threads.len() {
            for body in smaller_bodies(&self.threads[thread]) {
                let mut threads = self.threads.clone();
                threads[thread] = body;
                all.push(Description { threads, ..*self });
            }
        }
        all.retain(Description::is_sound);
        all
    }

    /// Without a thread, if something is left; those that it spawned then start nowhere, which is refused.
    fn without_thread(&self, thread: usize) -> Option<Description> {
        let gone = ThreadNumber(thread as u32);
        if self.threads.len() == 1 || (thread == 0 && self.style == Style::Spawned) {
            return None;
        }
        let mut threads = self.threads.clone();
        threads.remove(thread);
        for statement in threads.iter_mut().flat_map(|body| {
            body.retain(|s| !matches!(s, Statement::Spawn(n) | Statement::Join(n) if *n == gone));
            body
        }) {
            if let Statement::Spawn(number) | Statement::Join(number) = statement {
                number.0 -= (*number > gone) as u32;
            }
        }
        Some(Description { threads, ..*self })
    }

    /// With threads that need not be spawned.
    fn all_at_once(&self) -> Option<Description> {
        let mut threads = self.threads.clone();
        for body in &mut threads {
            body.retain(|s| !matches!(s, Statement::Spawn(_) | Statement::Join(_)));
        }
        (self.style == Style::Spawned).then_some(Description { style: Style::Entries, threads })
    }
}

/// A body with one statement dropped, replaced by what is inside, or made simpler.
fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for at in 0..body.len() {
        let mut replace = |with: &[Statement]| all.push([&body[..at], with, &body[at + 1..]].concat());
        replace(&[]);
        body[at].bodies().into_iter().filter(|inside| !inside.is_empty()).for_each(&mut replace);
        smaller_inside(&body[at]).into_iter().for_each(|statement| replace(&[statement]));
        simpler(&body[at]).into_iter().for_each(|statement| replace(&[statement]));
    }
    all
}

/// A statement with a smaller body.
fn smaller_inside(statement: &Statement) -> Vec<Statement> {
    let inside = |body| smaller_bodies(body).into_iter();
    match statement {
        Statement::Locked(mutex, body) => inside(body).map(|body| Statement::Locked(*mutex, body)).collect(),
        Statement::TryLocked(mutex, body) => inside(body).map(|body| Statement::TryLocked(*mutex, body)).collect(),
        Statement::Reserved { to, at, value, body } => {
            inside(body).map(|body| Statement::Reserved { to: *to, at: *at, value: *value, body }).collect()
        }
        Statement::SpinLocked { to, at, body } => inside(body).map(|body| Statement::SpinLocked { to: *to, at: *at, body }).collect(),
        Statement::If { variable, equals, then, otherwise } => {
            let with = |then, otherwise| Statement::If { variable: *variable, equals: *equals, then, otherwise };
            let first = inside(then).map(|then| with(then, otherwise.clone()));
            first.chain(inside(otherwise).map(|otherwise| with(then.clone(), otherwise))).collect()
        }
        _ => Vec::new(),
    }
}

/// A statement without a dependency, or with weaker orders.
fn simpler(statement: &Statement) -> Vec<Statement> {
    let change = |f: &dyn Fn(&mut Statement)| {
        let mut changed = statement.clone();
        f(&mut changed);
        changed
    };
    let all = [change(&without_address), change(&without_value), change(&with_plain_order)];
    all.into_iter().filter(|changed| changed != statement).collect()
}

fn without_address(statement: &mut Statement) {
    if let Statement::Load { from: at, .. }
    | Statement::Store { to: at, .. }
    | Statement::Rmw { at, .. }
    | Statement::CompareExchange { at, .. }
    | Statement::Await { at, .. }
    | Statement::AwaitPair { at, .. }
    | Statement::Reserved { at, .. } = statement
    {
        at.depends_on = None;
    }
}

fn without_value(statement: &mut Statement) {
    if let Statement::Store { value, .. }
    | Statement::Rmw { operand: value, .. }
    | Statement::CompareExchange { new: value, .. }
    | Statement::Reserved { value, .. } = statement
    {
        if let Expression::Sum(_, constant) | Expression::Masked(_, constant) = *value {
            *value = Expression::Constant(constant);
        }
    }
}

/// Read-modify-writes stay atomic.
fn with_plain_order(statement: &mut Statement) {
    match statement {
        Statement::Load { from: at, .. } | Statement::Store { to: at, .. } => at.order = Order::Plain,
        Statement::Rmw { at, .. } | Statement::Reserved { at, .. } | Statement::Await { at, .. } => at.order = Order::Relaxed,
        Statement::AwaitPair { at, other, .. } => (at.order, other.order) = (Order::Relaxed, Order::Relaxed),
        Statement::CompareExchange { at, failure, weak, .. } => {
            (at.order, *failure, *weak) = (Order::Relaxed, Order::Relaxed, false);
        }
        _ => {}
    }
}
