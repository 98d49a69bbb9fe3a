//! The end of a test: `locations [...]`, `filter ...` and the condition with its quantifier.
//!
//! As in herd7, `\/` binds weakest, then `/\`, then `=>`, then `not`. A test without a condition requires nothing.

use crate::condition::{Proposition, Quantifier};
use crate::cursor::{Cursor, Token};
use crate::error::{Result, syntax, unsupported};
use crate::location::{Named, Value, at_deref, at_register, named, value};
use crate::types::Type;

/// What an atom compares a register or location with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Value(Value),
    Named(Named),
}

/// A comparison as it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub at: usize,
    pub left: Named,
    pub right: Side,
}

pub(crate) type Claim = Proposition<Comparison>;

pub(crate) struct FinalState {
    /// What is shown although the condition does not name it, with the type where one is given.
    pub locations: Vec<(usize, Named, Option<Type>)>,
    pub filter: Option<Claim>,
    pub quantifier: Quantifier,
    pub claim: Claim,
}

/// How deep a condition may be nested.
const MAX_DEPTH: usize = 200;

/// The words that end a program and begin the final state.
pub(crate) fn begins(cursor: &Cursor) -> bool {
    match cursor.peek() {
        Token::Name(word) => matches!(word, "exists" | "forall" | "locations" | "filter" | "final" | "observed" | "Observed" | "cases"),
        Token::Sign("~") => cursor.peek_second() == Token::Name("exists"),
        Token::End | Token::Unclosed(_) => true,
        _ => false,
    }
}

/// Reads up to the end of the file.
pub(crate) fn parse(cursor: &mut Cursor) -> Result<FinalState> {
    let (mut locations, mut filter) = (Vec::new(), None);
    loop {
        if cursor.accept_word("locations") {
            locations.extend(listed(cursor)?);
        } else if filter.is_none() && cursor.accept_word("filter") {
            filter = Some(claim(cursor, 0)?);
        } else {
            break;
        }
    }
    let (start, at) = (*cursor, cursor.offset());
    let negated = cursor.accept("~");
    let (quantifier, claim) = match cursor.next() {
        Token::Name("exists") if negated => (Quantifier::NotExists, claim(cursor, 0)?),
        Token::Name("exists" | "final") => (Quantifier::Exists, claim(cursor, 0)?),
        Token::Name("forall") if !negated => (Quantifier::Forall, claim(cursor, 0)?),
        Token::End if !negated => (Quantifier::Forall, Proposition::And(Vec::new())),
        Token::Name(word @ ("observed" | "Observed" | "cases")) => {
            return unsupported(at, format!("`{word}` is not supported; use `exists`"));
        }
        _ => return start.expected("`exists`, `~exists` or `forall`"),
    };
    cursor.accept(";");
    match cursor.peek() {
        Token::End => Ok(FinalState { locations, filter, quantifier, claim }),
        // What other tools have found, or expect of other models.
        Token::Name("with" | "Observed" | "observed" | "States") | Token::Sign("<") => {
            Ok(FinalState { locations, filter, quantifier, claim })
        }
        _ => cursor.expected("`/\\`, `\\/` or the end of the file"),
    }
}

/// Reads `[0:r1; x; y int;]`.
fn listed(cursor: &mut Cursor) -> Result<Vec<(usize, Named, Option<Type>)>> {
    cursor.expect("[")?;
    let mut list = Vec::new();
    while !cursor.accept("]") {
        let at = cursor.offset();
        let named = named(cursor)?;
        list.push((at, named, location_type(cursor)?));
        if !cursor.accept(";") && cursor.peek() != Token::Sign("]") {
            return cursor.expected("`;` or `]`");
        }
    }
    Ok(list)
}

/// The type that may stand behind a location.
fn location_type(cursor: &mut Cursor) -> Result<Option<Type>> {
    let (mut words, at) = (Vec::new(), cursor.offset());
    while let Token::Name(word) = cursor.peek() {
        cursor.next();
        words.push(word);
    }
    let of = Type::named(&words);
    if of.is_none() && !words.is_empty() {
        return unsupported(at, format!("type `{}` is not supported", words.join(" ")));
    }
    Ok(match cursor.accept("*") {
        true => Some(of.unwrap_or(Type::INT).pointer_to()),
        false => of,
    })
}

fn claim(cursor: &mut Cursor, depth: usize) -> Result<Claim> {
    let mut parts = vec![conjunction(cursor, depth)?];
    while cursor.accept("\\/") {
        parts.push(conjunction(cursor, depth)?);
    }
    Ok(joined(parts, Proposition::Or))
}

fn conjunction(cursor: &mut Cursor, depth: usize) -> Result<Claim> {
    let mut parts = vec![implication(cursor, depth)?];
    while cursor.accept("/\\") {
        parts.push(implication(cursor, depth)?);
    }
    Ok(joined(parts, Proposition::And))
}

fn joined(mut parts: Vec<Claim>, join: fn(Vec<Claim>) -> Claim) -> Claim {
    match parts.len() {
        1 => parts.remove(0),
        _ => join(parts),
    }
}

fn implication(cursor: &mut Cursor, depth: usize) -> Result<Claim> {
    if depth > MAX_DEPTH {
        return unsupported(cursor.offset(), format!("a condition nested more than {MAX_DEPTH} deep"));
    }
    let left = unary(cursor, depth)?;
    match cursor.accept("=>") {
        true => Ok(Proposition::Implies(Box::new(left), Box::new(implication(cursor, depth + 1)?))),
        false => Ok(left),
    }
}

fn unary(cursor: &mut Cursor, depth: usize) -> Result<Claim> {
    if depth > MAX_DEPTH {
        return unsupported(cursor.offset(), format!("a condition nested more than {MAX_DEPTH} deep"));
    }
    if cursor.accept_word("not") || cursor.accept("~") {
        return Ok(Proposition::Not(Box::new(unary(cursor, depth + 1)?)));
    }
    if cursor.accept("(") {
        let inner = claim(cursor, depth + 1)?;
        if !cursor.accept(")") {
            return cursor.expected("`/\\`, `\\/` or `)`");
        }
        return Ok(inner);
    }
    if cursor.accept_word("true") {
        return Ok(Proposition::And(Vec::new()));
    }
    if cursor.accept_word("false") {
        return Ok(Proposition::Or(Vec::new()));
    }
    comparison(cursor)
}

fn comparison(cursor: &mut Cursor) -> Result<Claim> {
    let at = cursor.offset();
    if matches!(cursor.peek(), Token::Name("fault" | "Fault")) {
        return fault(cursor);
    }
    let left = named(cursor)?;
    let equal = cursor.accept("=") || cursor.accept("==");
    if !equal && !cursor.accept("!=") && !cursor.accept("<>") {
        return cursor.expected("`=` or `!=`");
    }
    if cursor.peek() == Token::Sign("{") {
        let claim = elements(cursor, at, left)?;
        return Ok(if equal { claim } else { Proposition::Not(Box::new(claim)) });
    }
    let right = if at_register(cursor) || at_deref(cursor) { Side::Named(named(cursor)?) } else { Side::Value(value(cursor)?) };
    let atom = Proposition::Atom(Comparison { at, left, right });
    Ok(if equal { atom } else { Proposition::Not(Box::new(atom)) })
}

/// `fault(P0:L0,x)` does not hold: what a test accesses is mapped, and an access to no object ends it.
fn fault(cursor: &mut Cursor) -> Result<Claim> {
    cursor.next();
    cursor.expect("(")?;
    while !cursor.accept(")") {
        if matches!(cursor.next(), Token::End | Token::Unclosed(_)) {
            return cursor.expected("`)`");
        }
    }
    Ok(Proposition::Or(Vec::new()))
}

/// `x={1,2}` says `x[0]=1 /\ x[1]=2`.
fn elements(cursor: &mut Cursor, at: usize, left: Named) -> Result<Claim> {
    let Named::Location(name) = left else { return syntax(at, "only an array equals several values") };
    cursor.expect("{")?;
    let mut parts = Vec::new();
    loop {
        let left = Named::Element(name.clone(), parts.len() as u64);
        parts.push(Proposition::Atom(Comparison { at, left, right: Side::Value(value(cursor)?) }));
        if !cursor.accept(",") {
            cursor.expect("}")?;
            return Ok(Proposition::And(parts));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::Dialect;

    fn shown(named: &Named) -> String {
        match named {
            Named::Register { thread, name } => format!("{thread}:{name}"),
            Named::Location(name) => format!("[{name}]"),
            Named::Element(name, at) => format!("{name}[{at}]"),
        }
    }

    fn atom(c: &Comparison) -> String {
        let right = match &c.right {
            Side::Value(Value::Number(n)) => n.to_string(),
            Side::Value(Value::Address(name, _)) => name.clone(),
            Side::Named(named) => shown(named),
        };
        format!("{}={right}", shown(&c.left))
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match parse(&mut Cursor::new(text, 0, Dialect::State)) {
            Ok(end) => {
                let filter = end.filter.map_or(String::new(), |f| format!("filter ({}) ", f.text(&atom)));
                let shown: String = end.locations.iter().map(|(_, named, _)| shown(named) + ";").collect();
                format!("{shown}{filter}{} ({})", end.quantifier.word(), end.claim.text(&atom))
            }
            Err(problem) => format!("{}: {}", problem.at, problem.message),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn conditions_print_as_herd_prints_them() {
        check("exists (0:EAX=1 /\\ x=2)", "exists (0:EAX=1 /\\ [x]=2)");
        check("~exists 0:r1=0 \\/ 0:r2=1 /\\ y=-1;", "~exists (0:r1=0 \\/ 0:r2=1 /\\ [y]=-1)");
        check("forall ((0:r1=0 \\/ 0:r2=1) /\\ not (x=1))", "forall ((0:r1=0 \\/ 0:r2=1) /\\ not ([x]=1))");
        check("exists x=1 => y=2 /\\ z=3", "exists (([x]=1 => [y]=2) /\\ [z]=3)");
        check("exists (0:X1=x /\\ x!=0x10 /\\ x[1]==3 /\\ [x]=1:X2)", "exists (0:X1=x /\\ not ([x]=16) /\\ x[1]=3 /\\ [x]=1:X2)");
        check("forall (true)", "forall (true)");
        check("", "forall (true)");
    }

    #[test]
    fn locations_and_filter_come_first() {
        check("locations [0:r1; x int; *y; z[1]] filter (x=1) exists (y=1)", "0:r1;[x];[y];z[1];filter ([x]=1) exists ([y]=1)");
        check("filter (x=1) locations [y;] locations [z;] exists (y=1)", "[y];[z];filter ([x]=1) exists ([y]=1)");
    }

    #[test]
    fn what_others_found_is_left_out() {
        check("exists (x=1) <a hint> and \"more", "exists ([x]=1)");
        check("exists (x=1)\nObserved\n x=1; and x=0;", "exists ([x]=1)");
        check("exists (x=1) with tso: ~exists;", "exists ([x]=1)");
    }

    #[test]
    fn nothing_that_is_mapped_faults() {
        check("exists (fault(P0:L0,x) \\/ ~Fault(P1,y))", "exists (false \\/ not (false))");
        check("exists (fault(P0", "16: expected `)`, found the end of the file");
    }

    #[test]
    fn mistakes_are_located() {
        check("exists (0:EAX=1 /\\ )", "19: expected a register (`0:r1`) or a location, found `)`");
        check("exists (x=1", "11: expected `/\\`, `\\/` or `)`, found the end of the file");
        check("exists (x 1)", "10: expected `=` or `!=`, found `1`");
        check("exists x=1 y", "11: expected `/\\`, `\\/` or the end of the file, found `y`");
        check("perhaps x=1", "0: expected `exists`, `~exists` or `forall`, found `perhaps`");
        check(&format!("exists {}", "(".repeat(100_000)), "208: a condition nested more than 200 deep");
    }
}
