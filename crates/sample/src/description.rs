//! Descriptions: small concurrent programs as statements that can be dropped one by one.
//!
//! Invariants, which hold for every description that is drawn or shrunk:
//! 1. Every thread but the first is spawned once, by a thread of a smaller number and outside of other statements;
//!    when all start at once, none is spawned.
//! 2. Only the thread that spawned another one joins it, once and later.
//! 3. A thread waits for the condition only while it holds mutex 0, and locks no mutex that it holds.

use raddle_event::{Fence, Order, RmwOp};

/// How the threads of a program start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// All at once; each gives back all that it has read.
    Entries,
    /// The first one is `main`; the others are spawned and give back what they have read last.
    Spawned,
}

/// The number of a thread in its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadNumber(pub u32);

impl ThreadNumber {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of one thread; zero until something is read into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// A mutex, or one way to take the one lock that can also be taken for reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MutexId(pub u32);

impl MutexId {
    /// The one that goes with the condition.
    pub const OF_CONDITION: MutexId = MutexId(0);
    /// The read-write lock, taken for writing.
    pub const FOR_WRITING: MutexId = MutexId(2);
    /// The same lock, taken for reading.
    pub const FOR_READING: MutexId = MutexId(3);

    /// The number of the lock.
    pub fn lock(self) -> usize {
        self.0.min(MutexId::FOR_WRITING.0) as usize
    }
}

/// The bytes that are accessed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The number of a location of eight bytes.
    pub location: u32,
    pub offset: u32,
    pub size: u32,
    pub order: Order,
    /// The address is computed from this variable, which does not change it.
    pub depends_on: Option<Variable>,
}

/// A value that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    Constant(u64),
    /// The variable plus a constant.
    Sum(Variable, u64),
    /// The constant, computed from the variable.
    Masked(Variable, u64),
}

/// How a thread looks at what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Load,
    /// Puts back what it finds.
    Update,
    /// Puts a one there each time.
    Exchange,
    /// Puts a value there when it finds what it waits for.
    CompareExchange(u64),
    /// Waits until something else is there.
    LoadOther,
    /// The same, and puts back what is there until then.
    ExchangeOther,
}

impl Look {
    /// Whether it waits until something else is there than the value.
    pub fn is_for_other(self) -> bool {
        matches!(self, Look::LoadOther | Look::ExchangeOther)
    }
}

/// How a thread looks at two places while it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Until their sum is the value.
    Sum,
    /// Until one of them is.
    Either,
    /// At the first; while that is not the value at the second, until that is.
    Nested,
    /// The same, where a one is put at the first place each time.
    Exchanged,
    /// The same, but that another value at the second place ends all.
    Left(u64),
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Load {
        to: Variable,
        from: Access,
    },
    Store {
        to: Access,
        value: Expression,
    },
    Rmw {
        to: Variable,
        op: RmwOp,
        at: Access,
        operand: Expression,
    },
    CompareExchange {
        to: Variable,
        at: Access,
        expected: u64,
        new: Expression,
        weak: bool,
        failure: Order,
    },
    /// Reads and reserves; after the body stores conditionally, if the reservation still holds.
    Reserved {
        to: Variable,
        at: Access,
        value: Expression,
        body: Vec<Statement>,
    },
    /// Looks again and again until it finds a value.
    Await {
        to: Variable,
        at: Access,
        until: u64,
        look: Look,
    },
    /// Looks at two places again and again until it finds a value.
    AwaitPair {
        to: Variable,
        at: Access,
        other: Access,
        until: u64,
        pair: Pair,
    },
    /// Exchanges a word that nothing else touches for one until it was zero, and makes it zero again after the body.
    SpinLocked {
        to: Variable,
        at: Access,
        body: Vec<Statement>,
    },
    Fence(Fence),
    /// Locks the mutex, and unlocks it after the body.
    Locked(MutexId, Vec<Statement>),
    /// Tries to lock the mutex; if it did, does the body and unlocks it.
    TryLocked(MutexId, Vec<Statement>),
    /// Waits for the condition with [`MutexId::OF_CONDITION`].
    Wait,
    Signal,
    Broadcast,
    If {
        variable: Variable,
        equals: u64,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Spawn(ThreadNumber),
    Join(ThreadNumber),
    /// It is wrong for the variable to have this value.
    AssertNot {
        variable: Variable,
        value: u64,
    },
    /// The thread goes on only if the variable does not have this value.
    AssumeNot {
        variable: Variable,
        value: u64,
    },
    /// Any number below `n`.
    Choose {
        to: Variable,
        n: u32,
    },
}

impl Statement {
    /// The statements inside.
    pub fn bodies(&self) -> [&[Statement]; 2] {
        match self {
            Statement::Locked(_, body) | Statement::TryLocked(_, body) => [body, &[]],
            Statement::Reserved { body, .. } | Statement::SpinLocked { body, .. } => [body, &[]],
            Statement::If { then, otherwise, .. } => [then, otherwise],
            _ => [&[], &[]],
        }
    }

    /// The variable that it reads into.
    pub fn defines(&self) -> Option<Variable> {
        match *self {
            Statement::Load { to, .. }
            | Statement::Rmw { to, .. }
            | Statement::CompareExchange { to, .. }
            | Statement::Reserved { to, .. }
            | Statement::Await { to, .. }
            | Statement::AwaitPair { to, .. }
            | Statement::SpinLocked { to, .. }
            | Statement::Choose { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The bytes that it accesses.
    pub fn access(&self) -> Option<Access> {
        match *self {
            Statement::Load { from: at, .. }
            | Statement::Store { to: at, .. }
            | Statement::Rmw { at, .. }
            | Statement::CompareExchange { at, .. }
            | Statement::Reserved { at, .. }
            | Statement::Await { at, .. }
            | Statement::AwaitPair { at, .. }
            | Statement::SpinLocked { at, .. } => Some(at),
            _ => None,
        }
    }

    /// All bytes that it accesses.
    pub fn accesses(&self) -> impl Iterator<Item = Access> {
        let other = if let Statement::AwaitPair { other, .. } = *self { Some(other) } else { None };
        self.access().into_iter().chain(other)
    }

    /// How many visible actions it takes by itself, without the statements inside.
    pub fn n_actions(&self) -> u32 {
        match self {
            Statement::If { .. } | Statement::AssertNot { .. } | Statement::AssumeNot { .. } => 0,
            Statement::AwaitPair { .. }
            | Statement::Locked(..)
            | Statement::TryLocked(..)
            | Statement::SpinLocked { .. }
            | Statement::Wait => 2,
            Statement::Reserved { .. } => 3,
            _ => 1,
        }
    }
}

/// A small concurrent program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub style: Style,
    /// What each thread does.
    pub threads: Vec<Vec<Statement>>,
}

/// All statements of a body, those inside others behind them.
pub(crate) fn all(body: &[Statement]) -> Vec<&Statement> {
    let mut statements = Vec::new();
    for statement in body {
        statements.push(statement);
        statement.bodies().into_iter().for_each(|inside| statements.extend(all(inside)));
    }
    statements
}

/// The variables that a body reads into, in rising order.
pub(crate) fn defined(body: &[Statement]) -> Vec<Variable> {
    let mut variables: Vec<Variable> = all(body).into_iter().filter_map(Statement::defines).collect();
    variables.sort();
    variables.dedup();
    variables
}

impl Description {
    /// All statements of all threads.
    pub fn statements(&self) -> Vec<&Statement> {
        self.threads.iter().flat_map(|body| all(body)).collect()
    }

    /// How many visible actions there are, those of all branches counted.
    pub fn n_actions(&self) -> u32 {
        self.statements().into_iter().map(Statement::n_actions).sum()
    }

    /// Decides the invariants.
    pub(crate) fn is_sound(&self) -> bool {
        (0..self.threads.len()).all(|thread| self.is_started_well(thread))
            && self.threads.iter().all(|body| locks_well(body, &mut Vec::new()))
    }

    fn is_started_well(&self, thread: usize) -> bool {
        let number = ThreadNumber(thread as u32);
        let in_body = |wanted: &Statement| {
            let places = self.threads.iter().enumerate().flat_map(|(by, body)| (0..body.len()).map(move |at| (by, at)));
            places.filter(|&(by, at)| self.threads[by][at] == *wanted).collect::<Vec<_>>()
        };
        let spawns = in_body(&Statement::Spawn(number));
        let joins = in_body(&Statement::Join(number));
        let n_inside =
            self.statements().into_iter().filter(|s| matches!(s, Statement::Spawn(n) | Statement::Join(n) if *n == number)).count();
        if n_inside != spawns.len() + joins.len() {
            return false;
        }
        match (&spawns[..], joins.len()) {
            ([], 0) => thread == 0 || self.style == Style::Entries,
            (&[(by, at)], 0 | 1) => self.style == Style::Spawned && by < thread && joins.iter().all(|&join| join.0 == by && join.1 > at),
            _ => false,
        }
    }
}

fn locks_well(body: &[Statement], held: &mut Vec<MutexId>) -> bool {
    body.iter().all(|statement| match statement {
        Statement::Locked(mutex, inside) | Statement::TryLocked(mutex, inside) => {
            if held.iter().any(|other| other.lock() == mutex.lock()) {
                return false;
            }
            held.push(*mutex);
            let well = locks_well(inside, held);
            held.pop();
            well
        }
        Statement::Wait => held.contains(&MutexId::OF_CONDITION),
        other => other.bodies().into_iter().all(|inside| locks_well(inside, held)),
    })
}
