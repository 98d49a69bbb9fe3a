//! Draws a description from a seed.
//!
//! Spawns and joins come first, then sometimes an idiom in which two threads meet; then statements are put at random
//! places of random threads until their visible actions are used up. A statement that names variables takes those
//! that are read into before it.

mod idiom;

use crate::description::defined;
use crate::{Access, Description, Expression, Look, MutexId, Pair, Shape, Statement, Style, ThreadNumber, Variable};
use raddle_event::Random;
use raddle_event::{Fence, Order, RmwOp};

/// The description of a seed.
pub fn describe(seed: u64, shape: &Shape) -> Description {
    let mut random = Random::new(seed);
    let n_locations = random.within(shape.locations.clone());
    let widths = (0..n_locations).map(|_| random.pick(&[1, 2, 4, 4, 8])).collect();
    let n_threads = random.within(shape.threads.clone()) as usize;
    let left = shape.actions;
    let mut draw = Draw { shape, random, widths, left, n_variables: vec![0; n_threads] };
    let style = if shape.spawns && draw.random.once_in(2) { Style::Spawned } else { Style::Entries };
    let mut threads = vec![Vec::new(); n_threads];
    if style == Style::Spawned {
        draw.spawns(&mut threads);
    }
    if threads.len() > 1 && draw.random.once_in(3) {
        draw.idiom(&mut threads);
    }
    draw.left -= draw.random.below(draw.left / 3 + 1);
    while draw.left > 0 {
        draw.add_statement(&mut threads);
    }
    let description = Description { style, threads };
    debug_assert!(description.is_sound(), "{description}");
    debug_assert!(description.n_actions() <= shape.actions, "{description}");
    description
}

/// A kind of statement that can be drawn.
#[derive(Clone, Copy)]
enum Kind {
    Load,
    Store,
    Rmw,
    CompareExchange,
    Reserved,
    Await,
    AwaitPair,
    SpinLocked,
    Fence,
    Locked,
    TryLocked,
    Wait,
    Signal,
    If,
    AssertNot,
    AssumeNot,
    Choose,
}

/// Where a statement comes to stand.
#[derive(Clone)]
struct Scope {
    thread: usize,
    /// What has been read before.
    variables: Vec<Variable>,
    held: Vec<MutexId>,
    depth: u32,
}

impl Scope {
    /// The start of a thread.
    fn first(thread: usize) -> Scope {
        Scope { thread, variables: Vec::new(), held: Vec::new(), depth: 0 }
    }
}

struct Draw<'s> {
    shape: &'s Shape,
    random: Random,
    /// The width of each location, where it has one.
    widths: Vec<u32>,
    /// How many visible actions may still be drawn.
    left: u32,
    /// How many variables each thread has.
    n_variables: Vec<u32>,
}

impl Draw<'_> {
    /// Lets each thread be spawned, and perhaps joined, by one before it.
    fn spawns(&mut self, threads: &mut Vec<Vec<Statement>>) {
        let n_spawned = self.left.saturating_sub(1).min(threads.len() as u32 - 1);
        threads.truncate(n_spawned as usize + 1);
        self.left -= n_spawned;
        let mut joins = Vec::new();
        for number in 1..=n_spawned {
            let nested = number > 1 && self.random.once_in(4);
            let parent = if nested { self.random.within(1..=number - 1) } else { 0 } as usize;
            threads[parent].push(Statement::Spawn(ThreadNumber(number)));
            if self.shape.joins && self.left > 2 && !self.random.once_in(3) {
                self.left -= 1;
                let join = Statement::Join(ThreadNumber(number));
                match self.random.once_in(4) {
                    true => threads[parent].push(join),
                    false => joins.push((parent, join)),
                }
            }
        }
        joins.into_iter().for_each(|(parent, join)| threads[parent].push(join));
    }

    /// Of two random threads the one that has fewer statements gets one more.
    fn add_statement(&mut self, threads: &mut [Vec<Statement>]) {
        let two = [0; 2].map(|_| self.random.below(threads.len() as u32) as usize);
        let thread = if threads[two[0]].len() <= threads[two[1]].len() { two[0] } else { two[1] };
        let at = self.random.below(threads[thread].len() as u32 + 1) as usize;
        let mut scope = Scope { variables: defined(&threads[thread][..at]), ..Scope::first(thread) };
        let statement = self.statement(&mut scope);
        let load = self.load_again(&statement, &mut scope);
        threads[thread].splice(at..at, std::iter::once(statement).chain(load));
    }

    /// A load of what was just stored.
    fn load_again(&mut self, store: &Statement, scope: &mut Scope) -> Option<Statement> {
        let Statement::Store { to, .. } = *store else { return None };
        if !self.shape.forwards || self.left == 0 || self.random.once_in(2) {
            return None;
        }
        self.left -= 1;
        let order = if self.shape.orders { self.random.pick(&LOADS) } else { Order::Plain };
        Some(Statement::Load { to: self.variable(scope), from: Access { order, ..to } })
    }

    /// At least one statement, and at most three.
    fn body(&mut self, mut scope: Scope) -> Vec<Statement> {
        scope.depth += 1;
        let mut body = vec![self.statement(&mut scope)];
        while self.left > 0 && body.len() < 3 && self.random.once_in(2) {
            body.push(self.statement(&mut scope));
        }
        body
    }

    /// The kinds that can come next, with their weights.
    fn kinds(&self, scope: &Scope) -> Vec<(Kind, u32)> {
        let shape = self.shape;
        let has_read = !scope.variables.is_empty();
        let can_nest = scope.depth < 2;
        let can_lock = shape.locks && can_nest && self.left >= 3 && scope.held.len() < 2;
        let can_wait = can_lock && shape.conditions && self.left >= 5 && scope.held.is_empty();
        let weights = [
            (Kind::Load, 4, true),
            (Kind::Store, 4, true),
            (Kind::Rmw, 2, shape.rmws),
            (Kind::CompareExchange, shape.cas, shape.cas > 0),
            (Kind::Reserved, 6, shape.reservations && can_nest && self.left >= 4),
            (Kind::Await, shape.awaits, shape.awaits > 0),
            (Kind::AwaitPair, shape.awaits, shape.pairs && self.left >= 2),
            (Kind::SpinLocked, 2, shape.awaits > 0 && can_nest && self.left >= 3),
            (Kind::Fence, if shape.barriers { 3 } else { 1 }, shape.fences),
            (Kind::Locked, 2, can_lock),
            (Kind::TryLocked, 1, can_lock),
            (Kind::Wait, 2, can_wait),
            (Kind::Signal, 1, shape.conditions && shape.locks),
            (Kind::If, shape.branches, shape.branches > 0 && can_nest && has_read),
            (Kind::AssertNot, 1, shape.asserts && has_read),
            (Kind::AssumeNot, shape.assumes, shape.assumes > 0 && has_read),
            (Kind::Choose, shape.choices, shape.choices > 0),
        ];
        weights.into_iter().filter(|kind| kind.2).map(|(kind, weight, _)| (kind, weight)).collect()
    }

    /// One statement; at least one action is left for it.
    fn statement(&mut self, scope: &mut Scope) -> Statement {
        let kind = self.random.weighted(&self.kinds(scope));
        match kind {
            Kind::Locked | Kind::TryLocked | Kind::Wait => self.locked(kind, scope),
            Kind::If => self.branch(scope),
            Kind::Reserved => self.reserved(scope),
            Kind::SpinLocked => self.spin_locked(scope),
            Kind::AwaitPair => self.await_pair(scope),
            Kind::AssertNot => {
                let (variable, value) = (self.random.pick(&scope.variables), self.constant(1));
                Statement::AssertNot { variable, value }
            }
            Kind::AssumeNot => {
                let (variable, value) = (self.random.pick(&scope.variables), self.random.below(2) as u64);
                Statement::AssumeNot { variable, value }
            }
            _ => {
                self.left -= 1;
                self.simple(kind, scope)
            }
        }
    }

    /// A statement of one action.
    fn simple(&mut self, kind: Kind, scope: &mut Scope) -> Statement {
        match kind {
            Kind::Store => {
                let to = self.access(scope, &[Order::Plain, Order::Relaxed, Order::Release, Order::SeqCst]);
                Statement::Store { to, value: self.expression(scope, to.size) }
            }
            Kind::Rmw => {
                let at = self.access(scope, &UPDATES);
                let op = self.random.pick(&[RmwOp::Exchange, RmwOp::Add, RmwOp::Sub, RmwOp::Or, RmwOp::Xor, RmwOp::UMax]);
                let operand = self.expression(scope, at.size);
                Statement::Rmw { to: self.variable(scope), op, at, operand }
            }
            Kind::CompareExchange => {
                let at = self.access(scope, &UPDATES);
                let failure = self.random.pick(&[Order::Relaxed, Order::Acquire, Order::SeqCst]);
                let expected = if self.random.once_in(2) { 0 } else { self.constant(at.size) };
                let (new, weak) = (self.expression(scope, at.size), self.random.once_in(4));
                Statement::CompareExchange { to: self.variable(scope), at, expected, new, weak, failure }
            }
            Kind::Await => {
                let at = self.access(scope, &UPDATES);
                let until = self.random.below(4) as u64;
                let value = self.constant(at.size);
                let exchange = Look::CompareExchange(value);
                let look = self.random.pick(&[Look::Load, Look::Load, Look::Update, exchange, Look::LoadOther, Look::ExchangeOther]);
                Statement::Await { to: self.variable(scope), at, until, look }
            }
            Kind::Fence if self.shape.barriers => {
                let barriers = [Fence::Sync, Fence::Lwsync, Fence::DmbLd, Fence::Eieio, Fence::Isync, Fence::SeqCst];
                Statement::Fence(self.random.pick(&barriers))
            }
            Kind::Fence => {
                Statement::Fence(self.random.pick(&[Fence::Acquire, Fence::Release, Fence::AcqRel, Fence::SeqCst, Fence::SeqCst]))
            }
            Kind::Signal => {
                if self.random.once_in(2) {
                    Statement::Signal
                } else {
                    Statement::Broadcast
                }
            }
            Kind::Choose => Statement::Choose { to: self.variable(scope), n: 2 },
            _ => {
                let from = self.access(scope, &LOADS);
                Statement::Load { to: self.variable(scope), from }
            }
        }
    }

    /// A body under a mutex that is not held; at least three actions are left for it, five to wait.
    fn locked(&mut self, kind: Kind, scope: &mut Scope) -> Statement {
        self.left -= if matches!(kind, Kind::Wait) { 5 } else { 2 };
        let mutex = self.free_lock(scope);
        let mut inner = scope.clone();
        inner.held.push(mutex);
        match kind {
            Kind::Wait => Statement::Locked(MutexId::OF_CONDITION, self.waiting(scope)),
            Kind::TryLocked => Statement::TryLocked(mutex, self.body(inner)),
            _ => Statement::Locked(mutex, self.body(inner)),
        }
    }

    /// A lock that is not held.
    fn free_lock(&mut self, scope: &Scope) -> MutexId {
        let all = [MutexId(0), MutexId(1), MutexId::FOR_WRITING, MutexId::FOR_READING, MutexId::FOR_READING];
        let all = if self.shape.rwlocks { &all[1..] } else { &all[..2] };
        let is_free = |mutex: &MutexId| scope.held.iter().all(|held| held.lock() != mutex.lock());
        let free: Vec<MutexId> = all.iter().copied().filter(is_free).collect();
        self.random.pick(&free)
    }

    /// Waits if nothing has been written yet: three actions.
    fn waiting(&mut self, scope: &mut Scope) -> Vec<Statement> {
        let load = self.simple(Kind::Load, scope);
        let variable = load.defines().expect("a load reads into a variable");
        vec![load, Statement::If { variable, equals: 0, then: vec![Statement::Wait], otherwise: Vec::new() }]
    }

    /// A reservation with something or nothing before its conditional store; at least four actions are left for it.
    fn reserved(&mut self, scope: &mut Scope) -> Statement {
        self.left -= 3;
        let at = self.access(scope, &UPDATES);
        let (to, value) = (self.variable(scope), self.expression(scope, at.size));
        let body = if self.random.once_in(3) { self.body(scope.clone()) } else { Vec::new() };
        Statement::Reserved { to, at, value, body }
    }

    /// A body under a spin lock, which is a location of its own; at least three actions are left for it.
    fn spin_locked(&mut self, scope: &mut Scope) -> Statement {
        self.left -= 2;
        let order = self.random.pick(&[Order::Acquire, Order::Acquire, Order::Relaxed]);
        let at = Access { location: self.widths.len() as u32, offset: 0, size: 4, order, depends_on: None };
        let (to, body) = (self.variable(scope), self.body(Scope { depth: 2, ..scope.clone() }));
        Statement::SpinLocked { to, at, body }
    }

    /// A loop that looks at two places, or twice at one; at least two actions are left for it.
    fn await_pair(&mut self, scope: &mut Scope) -> Statement {
        self.left -= 2;
        let at = self.access(scope, &UPDATES);
        let other = if self.random.once_in(2) { at } else { self.access(scope, &UPDATES) };
        let value = self.constant(other.size);
        let pair = self.random.pick(&[Pair::Sum, Pair::Either, Pair::Nested, Pair::Exchanged, Pair::Exchanged, Pair::Left(value)]);
        let until = self.random.below(3) as u64;
        Statement::AwaitPair { to: self.variable(scope), at, other, until, pair }
    }

    fn branch(&mut self, scope: &Scope) -> Statement {
        let variable = self.random.pick(&scope.variables);
        let equals = if self.random.once_in(2) { 0 } else { self.constant(1) };
        let then = self.body(scope.clone());
        let otherwise = match self.left > 0 && self.random.once_in(3) {
            true => self.body(scope.clone()),
            false => Vec::new(),
        };
        Statement::If { variable, equals, then, otherwise }
    }

    /// A new variable of the thread.
    fn variable(&mut self, scope: &mut Scope) -> Variable {
        let next = &mut self.n_variables[scope.thread];
        let variable = Variable(*next);
        *next += 1;
        scope.variables.push(variable);
        variable
    }

    fn depends_on(&mut self, scope: &Scope) -> Option<Variable> {
        let depends = self.shape.dependencies && !scope.variables.is_empty() && self.random.once_in(4);
        depends.then(|| self.random.pick(&scope.variables))
    }

    /// Plain accesses need not be aligned.
    fn access(&mut self, scope: &Scope, orders: &[Order]) -> Access {
        let location = self.random.below(self.widths.len() as u32);
        let order = if self.shape.orders || !orders.contains(&Order::Plain) { self.random.pick(orders) } else { Order::Plain };
        let depends_on = self.depends_on(scope);
        if !self.shape.widths {
            return Access { location, offset: 0, size: self.widths[location as usize], order, depends_on };
        }
        let size = self.random.pick(&[1, 2, 4, 4, 4, 8]);
        let step = if order == Order::Plain && self.random.once_in(4) { 1 } else { size };
        // Most accesses begin where the location does, so that threads meet.
        let offset = if self.random.once_in(2) { self.random.below((8 - size) / step + 1) * step } else { 0 };
        Access { location, offset, size, order, depends_on }
    }

    fn expression(&mut self, scope: &Scope, size: u32) -> Expression {
        let constant = self.constant(size);
        match self.depends_on(scope) {
            None => Expression::Constant(constant),
            Some(variable) if self.random.once_in(2) => Expression::Sum(variable, constant),
            Some(variable) => Expression::Masked(variable, constant),
        }
    }

    /// A small number, sometimes the same in each byte.
    fn constant(&mut self, size: u32) -> u64 {
        let small = 1 + self.random.below(3) as u64;
        let repeated = self.shape.widths && self.random.once_in(2);
        if repeated { (0..size).fold(0, |value, _| value << 8 | small) } else { small }
    }
}

/// The orders of loads.
const LOADS: [Order; 4] = [Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst];

/// The orders of read-modify-writes.
const UPDATES: [Order; 5] = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
