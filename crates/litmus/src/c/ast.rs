//! The parts of a function.

use crate::types::Type;

pub(crate) struct Function {
    pub parameters: Vec<Parameter>,
    pub body: Vec<Statement>,
}

pub(crate) struct Parameter {
    pub at: usize,
    pub name: String,
    /// The type of what it points to.
    pub of: Type,
}

/// A statement and where it stands.
pub(crate) struct Statement {
    pub at: usize,
    pub kind: StatementKind,
}

pub(crate) enum StatementKind {
    /// A new variable and its first value.
    Declare(String, Type, Option<Expression>),
    Evaluate(Expression),
    Block(Vec<Statement>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>),
    DoWhile(Box<Statement>, Expression),
    /// The first statement is run before, the second after each iteration.
    For(Box<Statement>, Option<Expression>, Option<Expression>, Box<Statement>),
    /// The statements of a `switch`, cases among them.
    Switch(Expression, Vec<Statement>),
    /// `case 1:`, or `default:` without a value.
    Case(Option<Expression>),
    /// Where `goto` goes.
    Label(String),
    Goto(String),
    Break,
    Continue,
    Return,
    Nothing,
}

/// An expression and where it stands.
pub(crate) struct Expression {
    pub at: usize,
    pub kind: ExpressionKind,
}

pub(crate) enum ExpressionKind {
    Number(i64, Type),
    Variable(String),
    Deref(Box<Expression>),
    AddressOf(Box<Expression>),
    Unary(Unary, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `a ? b : c`
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// The operation of `+=` and its like, or none for `=`.
    Assign(Option<&'static str>, Box<Expression>, Box<Expression>),
    /// `r++` and `r--` give the old value.
    Step(&'static str, Box<Expression>),
    Cast(Type, Box<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Minus,
    Not,
    Invert,
}
