//! Reads expressions, with the precedence of C.

use super::ast::{Expression, ExpressionKind, Unary};
use super::parse::Parser;
use crate::cursor::Token;
use crate::error::{Result, unsupported};
use crate::types::Type;

/// How deep expressions and statements may be nested, and how many operations one expression may have.
pub(super) const MAX_DEPTH: usize = 150;
const MAX_OPERATIONS: usize = 400;

/// The binary operators by rising strength.
const LEVELS: [&[&str]; 10] =
    [&["||"], &["&&"], &["|"], &["^"], &["&"], &["==", "!="], &["<", "<=", ">", ">="], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

const ASSIGNMENTS: [(&str, Option<&str>); 11] = [
    ("=", None),
    ("+=", Some("+")),
    ("-=", Some("-")),
    ("*=", Some("*")),
    ("/=", Some("/")),
    ("%=", Some("%")),
    ("&=", Some("&")),
    ("|=", Some("|")),
    ("^=", Some("^")),
    ("<<=", Some("<<")),
    (">>=", Some(">>")),
];

fn boxed(at: usize, kind: ExpressionKind) -> Box<Expression> {
    Box::new(Expression { at, kind })
}

impl Parser<'_> {
    /// A whole expression.
    pub fn expression(&mut self) -> Result<Expression> {
        self.operations = 0;
        self.assignment()
    }

    fn count(&mut self) -> Result<()> {
        self.operations += 1;
        match self.operations > MAX_OPERATIONS {
            true => unsupported(self.cursor.offset(), format!("an expression of more than {MAX_OPERATIONS} operations")),
            false => Ok(()),
        }
    }

    fn assignment(&mut self) -> Result<Expression> {
        self.nested(|this| {
            let left = this.choice()?;
            for (sign, op) in ASSIGNMENTS {
                if this.cursor.accept(sign) {
                    let right = this.assignment()?;
                    let kind = ExpressionKind::Assign(op, Box::new(left), Box::new(right));
                    return Ok(Expression { at: this.cursor.offset(), kind });
                }
            }
            Ok(left)
        })
    }

    fn choice(&mut self) -> Result<Expression> {
        let condition = self.binary(0)?;
        let at = condition.at;
        if !self.cursor.accept("?") {
            return Ok(condition);
        }
        let yes = self.assignment()?;
        self.cursor.expect(":")?;
        let no = self.nested(|this| this.choice())?;
        Ok(Expression { at, kind: ExpressionKind::Choice(Box::new(condition), Box::new(yes), Box::new(no)) })
    }

    fn binary(&mut self, level: usize) -> Result<Expression> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.cursor.accept(sign)) {
            self.count()?;
            let right = self.binary(level + 1)?;
            let at = left.at;
            left = Expression { at, kind: ExpressionKind::Binary(sign, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression> {
        let at = self.cursor.offset();
        let Token::Sign(sign) = self.cursor.peek() else { return self.postfix() };
        let simple = match sign {
            "-" => Some(Unary::Minus),
            "!" => Some(Unary::Not),
            "~" => Some(Unary::Invert),
            "+" | "*" | "&" | "++" | "--" => None,
            "(" if self.is_type_at(1) => return self.cast(),
            _ => return self.postfix(),
        };
        self.cursor.next();
        let inner = self.nested(|this| this.unary())?;
        let one = || boxed(at, ExpressionKind::Number(1, Type::INT));
        let inner = Box::new(inner);
        let kind = match (simple, sign) {
            (Some(op), _) => ExpressionKind::Unary(op, inner),
            (None, "*") => ExpressionKind::Deref(inner),
            (None, "&") => ExpressionKind::AddressOf(inner),
            (None, "++") => ExpressionKind::Assign(Some("+"), inner, one()),
            (None, "--") => ExpressionKind::Assign(Some("-"), inner, one()),
            _ => return Ok(*inner),
        };
        Ok(Expression { at, kind })
    }

    fn cast(&mut self) -> Result<Expression> {
        let at = self.cursor.offset();
        self.cursor.expect("(")?;
        let of = self.type_name()?;
        self.cursor.expect(")")?;
        let inner = self.nested(|this| this.unary())?;
        Ok(Expression { at, kind: ExpressionKind::Cast(of, Box::new(inner)) })
    }

    fn postfix(&mut self) -> Result<Expression> {
        let mut left = self.primary()?;
        loop {
            let at = left.at;
            if self.cursor.accept("[") {
                self.count()?;
                let index = self.assignment()?;
                self.cursor.expect("]")?;
                let sum = boxed(at, ExpressionKind::Binary("+", Box::new(left), Box::new(index)));
                left = Expression { at, kind: ExpressionKind::Deref(sum) };
            } else if self.cursor.accept("++") {
                self.count()?;
                left = Expression { at, kind: ExpressionKind::Step("+", Box::new(left)) };
            } else if self.cursor.accept("--") {
                self.count()?;
                left = Expression { at, kind: ExpressionKind::Step("-", Box::new(left)) };
            } else {
                return Ok(left);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression> {
        let at = self.cursor.offset();
        let kind = match self.cursor.peek() {
            Token::Number(digits) => {
                let number = self.cursor.number("a number")?;
                let is_long = digits.ends_with(['l', 'L']) || i32::try_from(number).is_err();
                ExpressionKind::Number(number, if is_long { Type::LONG } else { Type::INT })
            }
            Token::Name("NULL") => {
                self.cursor.next();
                ExpressionKind::Number(0, Type::LONG)
            }
            Token::Name(name) => {
                self.cursor.next();
                match self.cursor.accept("(") {
                    true => ExpressionKind::Call(name.to_string(), self.arguments()?),
                    false => ExpressionKind::Variable(name.to_string()),
                }
            }
            Token::Sign("(") => {
                self.cursor.next();
                let inner = self.assignment()?;
                self.cursor.expect(")")?;
                return Ok(inner);
            }
            _ => return self.cursor.expected("an expression"),
        };
        Ok(Expression { at, kind })
    }

    fn arguments(&mut self) -> Result<Vec<Expression>> {
        let mut arguments = Vec::new();
        if self.cursor.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if self.cursor.accept(")") {
                return Ok(arguments);
            }
            if !self.cursor.accept(",") {
                return self.cursor.expected("`,` or `)`");
            }
        }
    }
}
