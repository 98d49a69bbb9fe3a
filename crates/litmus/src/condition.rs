//! Conditions on final states, and how herd7 prints them.

/// A condition over atoms of some kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition<A> {
    /// Holds when the atom does.
    Atom(A),
    /// Holds when the other does not.
    Not(Box<Proposition<A>>),
    /// Holds when it is empty.
    And(Vec<Proposition<A>>),
    /// Does not hold when it is empty.
    Or(Vec<Proposition<A>>),
    /// Holds when the first does not or the second does.
    Implies(Box<Proposition<A>>, Box<Proposition<A>>),
}

/// A condition over the observed values.
pub type Condition = Proposition<Atom>;

/// An observed value equals a number or another observed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The number of the observed value.
    pub left: usize,
    /// What it is compared with.
    pub right: Right,
}

/// What an observed value is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// A number or an address.
    Value(u64),
    /// Another observed value, by its number.
    Observed(usize),
}

/// What is said about the executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// The condition holds for at least one execution.
    Exists,
    /// It holds for none.
    NotExists,
    /// It holds for all.
    Forall,
}

impl Quantifier {
    /// How the condition begins.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::Forall => "forall",
        }
    }

    /// How the report names a test with this quantifier.
    pub fn kind(self) -> &'static str {
        match self {
            Quantifier::Exists => "Allowed",
            Quantifier::NotExists => "Forbidden",
            Quantifier::Forall => "Required",
        }
    }
}

impl<A> Proposition<A> {
    /// Whether it holds, given whether its atoms do.
    pub fn holds(&self, atom: &impl Fn(&A) -> bool) -> bool {
        match self {
            Proposition::Atom(a) => atom(a),
            Proposition::Not(p) => !p.holds(atom),
            Proposition::And(all) => all.iter().all(|p| p.holds(atom)),
            Proposition::Or(any) => any.iter().any(|p| p.holds(atom)),
            Proposition::Implies(p, q) => !p.holds(atom) || q.holds(atom),
        }
    }

    /// The same condition over other atoms.
    pub(crate) fn map<B, E>(&self, atom: &mut impl FnMut(&A) -> Result<B, E>) -> Result<Proposition<B>, E> {
        let mut each = |list: &[Proposition<A>]| list.iter().map(|p| p.map(atom)).collect::<Result<Vec<_>, E>>();
        Ok(match self {
            Proposition::And(all) => Proposition::And(each(all)?),
            Proposition::Or(any) => Proposition::Or(each(any)?),
            Proposition::Atom(a) => Proposition::Atom(atom(a)?),
            Proposition::Not(p) => Proposition::Not(Box::new(p.map(atom)?)),
            Proposition::Implies(p, q) => Proposition::Implies(Box::new(p.map(atom)?), Box::new(q.map(atom)?)),
        })
    }

    /// Calls `f` for each atom.
    pub(crate) fn atoms<'p>(&'p self, f: &mut impl FnMut(&'p A)) {
        match self {
            Proposition::Atom(a) => f(a),
            Proposition::Not(p) => p.atoms(f),
            Proposition::And(list) | Proposition::Or(list) => list.iter().for_each(|p| p.atoms(f)),
            Proposition::Implies(p, q) => {
                p.atoms(f);
                q.atoms(f);
            }
        }
    }

    /// The text that herd7 prints: parentheses only where they are needed, and always after `not`.
    pub(crate) fn text(&self, atom: &impl Fn(&A) -> String) -> String {
        let within = |parts: &[Proposition<A>], sign: &str, empty: &str, needs: fn(&Proposition<A>) -> bool| {
            let shown = |p: &Proposition<A>| if needs(p) { format!("({})", p.text(atom)) } else { p.text(atom) };
            match parts {
                [] => empty.to_string(),
                parts => parts.iter().map(shown).collect::<Vec<_>>().join(sign),
            }
        };
        match self {
            Proposition::Atom(a) => atom(a),
            Proposition::Not(p) => format!("not ({})", p.text(atom)),
            Proposition::And(all) => within(all, " /\\ ", "true", |p| {
                matches!(p, Proposition::Implies(..)) || matches!(p, Proposition::Or(any) if !any.is_empty())
            }),
            Proposition::Or(any) => within(any, " \\/ ", "false", |p| matches!(p, Proposition::Implies(..))),
            Proposition::Implies(p, q) => {
                let joined = |p: &Proposition<A>| match p {
                    Proposition::And(list) | Proposition::Or(list) if !list.is_empty() => format!("({})", p.text(atom)),
                    p => p.text(atom),
                };
                format!("{} => {}", joined(p), joined(q))
            }
        }
    }
}
