//! Statements of a program as text, with as much structure as is needed to drop some of them and to write variants.
//!
//! In the text `@` stands for the suffix that every name of a program has, and `~` for a number that no other statement
//! has.

/// A statement of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One that stands for itself.
    Line(String),
    /// A loop that waits, and the same with an assumption instead.
    Await { spins: String, assumes: String },
    /// Statements between two: a lock and its unlock, a branch.
    Block { head: Box<Statement>, body: Vec<Statement>, tail: Box<Statement> },
}

impl Statement {
    /// A statement that stands for itself.
    pub fn line(text: impl Into<String>) -> Statement {
        Statement::Line(text.into())
    }

    /// A loop that waits.
    pub fn awaits(spins: impl Into<String>, assumes: impl Into<String>) -> Statement {
        Statement::Await { spins: spins.into(), assumes: assumes.into() }
    }

    /// Statements between one and a text.
    pub fn block(head: Statement, body: Vec<Statement>, tail: impl Into<String>) -> Statement {
        Statement::between(head, body, Statement::line(tail))
    }

    /// Statements between two.
    pub fn between(head: Statement, body: Vec<Statement>, tail: Statement) -> Statement {
        Statement::Block { head: Box::new(head), body, tail: Box::new(tail) }
    }

    /// Whether there is a loop that waits in it.
    pub fn waits(&self) -> bool {
        match self {
            Statement::Line(_) => false,
            Statement::Await { .. } => true,
            Statement::Block { head, body, tail } => head.waits() || tail.waits() || body.iter().any(Statement::waits),
        }
    }

    /// Calls `show` with the lines of the text.
    pub fn lines(&self, assumes: bool, show: &mut dyn FnMut(&str)) {
        match self {
            Statement::Line(text) => show(text),
            Statement::Await { assumes: text, .. } if assumes => show(text),
            Statement::Await { spins: text, .. } => show(text),
            Statement::Block { head, body, tail } => {
                head.lines(assumes, show);
                body.iter().for_each(|statement| statement.lines(assumes, show));
                tail.lines(assumes, show);
            }
        }
    }
}

/// The lists of statements that have one thing less: a statement dropped, or a block replaced by what is in it.
pub fn smaller(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for at in 0..statements.len() {
        let with = |others: &[Statement]| [&statements[..at], others, &statements[at + 1..]].concat();
        found.push(with(&[]));
        if let Statement::Block { head, body, tail } = &statements[at] {
            found.push(with(body));
            let inside = |body| with(&[Statement::Block { head: head.clone(), body, tail: tail.clone() }]);
            found.extend(smaller(body).into_iter().map(inside));
        }
    }
    found
}
