//! The initial state: `{ int x = 1; 0:r1 = x; int y[2] = {1,2}; int *p = &x; }`.

use crate::cursor::{Cursor, Token};
use crate::error::{Result, syntax, unsupported};
use crate::location::{MAX_ELEMENTS, Named, Value, named, value};
use crate::types::Type;

/// One statement of the initial state.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    pub at: usize,
    /// A register or a whole location.
    pub named: Named,
    pub of: Option<Type>,
    /// One value, or those of an array from its first element on.
    pub values: Vec<Value>,
}

/// Reads the braces and what is between them.
pub(crate) fn parse(cursor: &mut Cursor) -> Result<Vec<Binding>> {
    cursor.expect("{")?;
    let mut bindings = Vec::new();
    loop {
        while cursor.accept(";") {}
        if cursor.accept("}") {
            return Ok(bindings);
        }
        bindings.push(binding(cursor)?);
        if !matches!(cursor.peek(), Token::Sign(";" | "}")) {
            return cursor.expected("`;` or `}`");
        }
    }
}

fn binding(cursor: &mut Cursor) -> Result<Binding> {
    let at = cursor.offset();
    let base = base_type(cursor)?;
    let mut stars = 0;
    while cursor.accept("*") {
        stars += 1;
    }
    if stars > 8 {
        return unsupported(at, "a pointer of so many stars");
    }
    let place = cursor.offset();
    let (named, count) = match named(cursor)? {
        Named::Element(_, 0) => return syntax(place, "an array has at least one element"),
        Named::Element(name, count) => (Named::Location(name), Some(count)),
        named => (named, None),
    };
    let values = match cursor.accept("=") {
        false => Vec::new(),
        true => values(cursor, count)?,
    };
    let mut of = base;
    for _ in 0..stars {
        of = Some(of.unwrap_or(Type::INT).pointer_to());
    }
    if let Some(count) = count {
        of = Some(Type::Array(Box::new(of.unwrap_or(Type::INT)), count));
    }
    Ok(Binding { at, named, of, values })
}

/// The words of a type, where they stand in front of what is declared.
fn base_type(cursor: &mut Cursor) -> Result<Option<Type>> {
    let (mut words, at) = (Vec::new(), cursor.offset());
    while let Token::Name(word) = cursor.peek() {
        let mut behind = *cursor;
        behind.next();
        let declares = match behind.peek() {
            Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Sign("*") => true,
            Token::Sign("[") => !matches!(behind.peek_second(), Token::Number(_)),
            Token::Sign("(") => word == "_Atomic",
            _ => false,
        };
        if !declares {
            break;
        }
        cursor.next();
        words.push(word);
        if cursor.accept("(") {
            words.push(cursor.name("a type")?);
            cursor.expect(")")?;
        }
    }
    match Type::named(&words) {
        None if !words.is_empty() => unsupported(at, format!("type `{}` is not supported", words.join(" "))),
        found => Ok(found),
    }
}

/// One value, or as many as the array has elements between braces.
fn values(cursor: &mut Cursor, count: Option<u64>) -> Result<Vec<Value>> {
    let at = cursor.offset();
    if !cursor.accept("{") {
        if count.is_some() {
            return cursor.expected("`{` and the values of the array");
        }
        return Ok(vec![value(cursor)?]);
    }
    let mut values = vec![value(cursor)?];
    while cursor.accept(",") {
        values.push(value(cursor)?);
        if values.len() as u64 > MAX_ELEMENTS {
            return unsupported(at, format!("an array of more than {MAX_ELEMENTS} elements"));
        }
    }
    cursor.expect("}")?;
    match count {
        Some(count) if count == values.len() as u64 => Ok(values),
        Some(count) => syntax(at, format!("the array has {count} elements, and {} values", values.len())),
        None => syntax(at, "several values need an array"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::Dialect;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = |b: &Binding| {
            let of = b.of.as_ref().map_or(String::new(), |t| format!(" {}", t.size()));
            format!("{:?}{of} {:?}", b.named, b.values)
        };
        let found = match parse(&mut Cursor::new(text, 0, Dialect::State)) {
            Ok(bindings) => bindings.iter().map(shown).collect::<Vec<_>>().join("; "),
            Err(problem) => format!("{}: {}", problem.at, problem.message),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn bindings_have_many_forms() {
        check("{}", "");
        check("{ x=1; }", "Location(\"x\") [Number(1)]");
        check("{ uint64_t x; [y] = -2 }", "Location(\"x\") 8 []; Location(\"y\") [Number(-2)]");
        check(
            "{ 0:r1=x; int 1:EAX=2; }",
            "Register { thread: 0, name: \"r1\" } [Address(\"x\", 0)]; Register { thread: 1, name: \"EAX\" } 4 [Number(2)]",
        );
        check("{ int x[2]={1,2}; int *p=&x; }", "Location(\"x\") 8 [Number(1), Number(2)]; Location(\"p\") 8 [Address(\"x\", 0)]");
        check(
            "{ 0:X1=x[1]; _Atomic(int) y; volatile unsigned char [z]; }",
            "Register { thread: 0, name: \"X1\" } [Address(\"x\", 1)]; Location(\"y\") 4 []; Location(\"z\") 1 []",
        );
    }

    #[test]
    fn mistakes_are_located() {
        check("{ x=; }", "4: expected a number or the name of a location, found `;`");
        check("{ x=1 y }", "6: expected `;` or `}`, found `y`");
        check("{ int x[2]={1}; }", "11: the array has 2 elements, and 1 values");
        check("{ mutex x; }", "2: type `mutex` is not supported");
        check("{ x=1;", "6: expected a register (`0:r1`) or a location, found the end of the file");
    }
}
