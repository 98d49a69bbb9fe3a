//! Prints descriptions as pseudo-code.

use crate::{Access, Description, Expression, MutexId, Statement, Style, Variable};
use std::fmt::{Display, Formatter, Result};

/// The name of a location.
pub(crate) fn location_name(location: u32) -> String {
    match ["x", "y", "z"].get(location as usize) {
        Some(name) => name.to_string(),
        None => format!("x{location}"),
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "r{}", self.0)
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&location_name(self.location))?;
        if self.offset > 0 {
            write!(f, "+{}", self.offset)?;
        }
        if let Some(variable) = self.depends_on {
            write!(f, "+({variable}&0)")?;
        }
        write!(f, ", {}, {}", self.size, self.order.word())
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Expression::Constant(value) => write!(f, "{value:#x}"),
            Expression::Sum(variable, value) => write!(f, "{variable}+{value:#x}"),
            Expression::Masked(variable, value) => write!(f, "({variable}&0)+{value:#x}"),
        }
    }
}

impl Display for Description {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let how = match self.style {
            Style::Entries => "all at once",
            Style::Spawned => "spawned by the first",
        };
        writeln!(f, "{} threads, {how}", self.threads.len())?;
        for (number, body) in self.threads.iter().enumerate() {
            writeln!(f, "thread {number}:")?;
            print_body(body, 1, f)?;
        }
        Ok(())
    }
}

fn print_body(body: &[Statement], depth: usize, f: &mut Formatter<'_>) -> Result {
    for statement in body {
        write!(f, "{:1$}", "", depth * 2)?;
        print_statement(statement, f)?;
        writeln!(f)?;
        let [first, second] = statement.bodies();
        print_body(first, depth + 1, f)?;
        if !second.is_empty() {
            writeln!(f, "{:1$}else", "", depth * 2)?;
            print_body(second, depth + 1, f)?;
        }
    }
    Ok(())
}

fn print_statement(statement: &Statement, f: &mut Formatter<'_>) -> Result {
    match statement {
        Statement::Load { to, from } => write!(f, "{to} = load({from})"),
        Statement::Store { to, value } => write!(f, "store({to}, {value})"),
        Statement::Rmw { to, op, at, operand } => write!(f, "{to} = {}({at}, {operand})", op.word()),
        Statement::CompareExchange { to, at, expected, new, weak, failure } => {
            let name = if *weak { "cas.weak" } else { "cas" };
            write!(f, "{to} = {name}({at}, {}, {expected:#x} -> {new})", failure.word())
        }
        Statement::Reserved { to, at, value, .. } => write!(f, "{to} = reserve({at}), then store {value} if it holds after"),
        Statement::Await { to, at, until, look } => write!(f, "{to} = {look:?}({at}) until {until:#x}"),
        Statement::AwaitPair { to, at, other, until, pair } => write!(f, "{to} = {pair:?}({at}, {other}) until {until:#x}"),
        Statement::SpinLocked { to, at, .. } => write!(f, "{to} = spin({at}), with it"),
        Statement::Fence(fence) => write!(f, "fence({})", fence.word()),
        Statement::Locked(mutex, _) => write!(f, "with {}lock m{}", way(*mutex), mutex.lock()),
        Statement::TryLocked(mutex, _) => write!(f, "if try{}lock m{}", way(*mutex), mutex.lock()),
        Statement::Wait => write!(f, "wait"),
        Statement::Signal => write!(f, "signal"),
        Statement::Broadcast => write!(f, "broadcast"),
        Statement::If { variable, equals, .. } => write!(f, "if {variable} == {equals:#x}"),
        Statement::Spawn(thread) => write!(f, "spawn thread {}", thread.0),
        Statement::Join(thread) => write!(f, "join thread {}", thread.0),
        Statement::AssertNot { variable, value } => write!(f, "assert {variable} != {value:#x}"),
        Statement::AssumeNot { variable, value } => write!(f, "assume {variable} != {value:#x}"),
        Statement::Choose { to, n } => write!(f, "{to} = choose({n})"),
    }
}

/// How a lock is taken, where there are several ways.
fn way(mutex: MutexId) -> &'static str {
    match mutex {
        MutexId::FOR_WRITING => "wr",
        MutexId::FOR_READING => "rd",
        _ => "",
    }
}
