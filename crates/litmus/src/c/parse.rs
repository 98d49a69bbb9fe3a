//! Reads functions and statements.

use super::ast::{Function, Parameter, Statement, StatementKind};
use super::expression::MAX_DEPTH;
use crate::cursor::{Cursor, Token};
use crate::error::{Result, syntax, unsupported};
use crate::final_state;
use crate::location::thread_number;
use crate::types::Type;

/// Reads all functions, up to the final state.
pub(crate) fn parse(cursor: &mut Cursor) -> Result<Vec<Function>> {
    let mut parser = Parser { cursor: *cursor, depth: 0, operations: 0 };
    let mut functions = Vec::new();
    while !final_state::begins(&parser.cursor) {
        functions.push(parser.function(functions.len())?);
    }
    *cursor = parser.cursor;
    match functions.is_empty() {
        true => cursor.expected("a function (`P0`)"),
        false => Ok(functions),
    }
}

pub(super) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    depth: usize,
    /// How many operations the expression has so far.
    pub operations: usize,
}

impl Parser<'_> {
    /// Reads something that is nested in itself.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return unsupported(self.cursor.offset(), format!("a function nested more than {MAX_DEPTH} deep"));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn function(&mut self, number: usize) -> Result<Function> {
        while self.cursor.accept_word("static") || self.cursor.accept_word("void") {}
        let at = self.cursor.offset();
        let name = self.cursor.name("a function (`P0`)")?;
        if thread_number(name) != Some(number) {
            return syntax(at, format!("expected function `P{number}`, found `{name}`"));
        }
        self.cursor.expect("(")?;
        let parameters = self.parameters()?;
        self.cursor.expect("{")?;
        Ok(Function { parameters, body: self.statements()? })
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>> {
        let mut parameters = Vec::new();
        self.cursor.accept_word("void");
        if self.cursor.accept(")") {
            return Ok(parameters);
        }
        loop {
            let start = self.cursor.offset();
            let of = self.type_name()?;
            let at = self.cursor.offset();
            let name = self.cursor.name("the name of a parameter")?.to_string();
            let of = match (of, self.cursor.accept("[")) {
                (of, true) => {
                    self.cursor.expect("]")?;
                    of
                }
                (Type::Pointer(of), false) => *of,
                _ => return unsupported(start, "a parameter must be a pointer to a location"),
            };
            parameters.push(Parameter { at, name, of });
            if self.cursor.accept(")") {
                return Ok(parameters);
            }
            if !self.cursor.accept(",") {
                return self.cursor.expected("`,` or `)`");
            }
        }
    }

    /// Whether a type stands `ahead` tokens from here.
    pub fn is_type_at(&self, ahead: usize) -> bool {
        let mut cursor = self.cursor;
        for _ in 0..ahead {
            cursor.next();
        }
        matches!(cursor.peek(), Token::Name(word) if Type::is_word(word))
    }

    /// The words of a type and its stars.
    pub fn type_name(&mut self) -> Result<Type> {
        let mut of = self.base_type()?;
        let mut stars = 0;
        loop {
            if self.cursor.accept("*") {
                of = of.pointer_to();
                stars += 1;
            } else if !(self.cursor.accept_word("volatile") || self.cursor.accept_word("const") || self.cursor.accept_word("restrict")) {
                return Ok(of);
            }
            if stars > 8 {
                return unsupported(self.cursor.offset(), "a pointer of so many stars");
            }
        }
    }

    fn base_type(&mut self) -> Result<Type> {
        let (mut words, mut is_open, at) = (Vec::new(), false, self.cursor.offset());
        while let Token::Name(word) = self.cursor.peek() {
            if !Type::is_word(word) {
                break;
            }
            self.cursor.next();
            words.push(word);
            is_open |= word == "_Atomic" && self.cursor.accept("(");
        }
        if is_open {
            self.cursor.expect(")")?;
        }
        match Type::named(&words) {
            Some(of) => Ok(of),
            None => match self.cursor.peek() {
                Token::Name(word) => unsupported(at, format!("type `{word}` is not supported")),
                _ => self.cursor.expected("a type"),
            },
        }
    }

    /// Statements up to the brace that closes them.
    fn statements(&mut self) -> Result<Vec<Statement>> {
        let mut statements = Vec::new();
        while !self.cursor.accept("}") {
            if self.cursor.peek() == Token::End {
                return self.cursor.expected("`}`");
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement> {
        self.nested(|this| {
            let at = this.cursor.offset();
            Ok(Statement { at, kind: this.statement_kind()? })
        })
    }

    fn statement_kind(&mut self) -> Result<StatementKind> {
        if self.is_type_at(0) {
            return self.declarations();
        }
        let at = self.cursor.offset();
        let kind = match self.cursor.peek() {
            Token::Sign(";") => StatementKind::Nothing,
            Token::Sign("{") => {
                self.cursor.next();
                return Ok(StatementKind::Block(self.statements()?));
            }
            Token::Name(word @ ("if" | "while" | "do" | "for")) => {
                self.cursor.next();
                return match word {
                    "if" => self.conditional(),
                    "for" => self.counting(),
                    "while" => {
                        let condition = self.parenthesised()?;
                        Ok(StatementKind::While(condition, Box::new(self.statement()?)))
                    }
                    _ => self.do_while(),
                };
            }
            Token::Name(word @ ("break" | "continue" | "return")) => {
                self.cursor.next();
                match word {
                    "break" => StatementKind::Break,
                    "continue" => StatementKind::Continue,
                    _ => StatementKind::Return,
                }
            }
            Token::Name("switch") => {
                self.cursor.next();
                let value = self.parenthesised()?;
                self.cursor.expect("{")?;
                return Ok(StatementKind::Switch(value, self.statements()?));
            }
            Token::Name("case" | "default") => return self.case(),
            Token::Name("goto") => {
                self.cursor.next();
                StatementKind::Goto(self.cursor.name("a label")?.to_string())
            }
            Token::Name(label) if self.cursor.peek_second() == Token::Sign(":") => {
                self.cursor.next();
                self.cursor.next();
                return Ok(StatementKind::Label(label.to_string()));
            }
            Token::Name(word @ ("struct" | "asm")) => return unsupported(at, format!("`{word}` is not supported")),
            _ => StatementKind::Evaluate(self.expression()?),
        };
        match self.cursor.accept(";") {
            true => Ok(kind),
            false => self.cursor.expected("an operator or `;`"),
        }
    }

    /// `case 1:` or `default:`
    fn case(&mut self) -> Result<StatementKind> {
        let value = match self.cursor.next() {
            Token::Name("case") => Some(self.expression()?),
            _ => None,
        };
        self.cursor.expect(":")?;
        Ok(StatementKind::Case(value))
    }

    fn parenthesised(&mut self) -> Result<super::ast::Expression> {
        self.cursor.expect("(")?;
        let inner = self.expression()?;
        self.cursor.expect(")")?;
        Ok(inner)
    }

    fn conditional(&mut self) -> Result<StatementKind> {
        let condition = self.parenthesised()?;
        let yes = Box::new(self.statement()?);
        let no = match self.cursor.accept_word("else") {
            true => Some(Box::new(self.statement()?)),
            false => None,
        };
        Ok(StatementKind::If(condition, yes, no))
    }

    fn do_while(&mut self) -> Result<StatementKind> {
        let body = Box::new(self.statement()?);
        if !self.cursor.accept_word("while") {
            return self.cursor.expected("`while`");
        }
        let condition = self.parenthesised()?;
        self.cursor.expect(";")?;
        Ok(StatementKind::DoWhile(body, condition))
    }

    /// `for (first; condition; step) body`
    fn counting(&mut self) -> Result<StatementKind> {
        self.cursor.expect("(")?;
        let first = self.statement()?;
        if !matches!(first.kind, StatementKind::Block(_) | StatementKind::Declare(..) | StatementKind::Evaluate(_) | StatementKind::Nothing)
        {
            return syntax(first.at, "expected a declaration or an expression");
        }
        let condition = match self.cursor.peek() {
            Token::Sign(";") => None,
            _ => Some(self.expression()?),
        };
        self.cursor.expect(";")?;
        let step = match self.cursor.peek() {
            Token::Sign(")") => None,
            _ => Some(self.expression()?),
        };
        self.cursor.expect(")")?;
        Ok(StatementKind::For(Box::new(first), condition, step, Box::new(self.statement()?)))
    }

    /// `int a = 1, *b;`
    fn declarations(&mut self) -> Result<StatementKind> {
        let base = self.base_type()?;
        let mut list = Vec::new();
        loop {
            let mut of = base.clone();
            let at = self.cursor.offset();
            for stars in 0.. {
                if !self.cursor.accept("*") {
                    break;
                }
                if stars == 8 {
                    return unsupported(at, "a pointer of so many stars");
                }
                of = of.pointer_to();
            }
            let at = self.cursor.offset();
            let name = self.cursor.name("the name of a variable")?.to_string();
            let value = match self.cursor.accept("=") {
                true => Some(self.expression()?),
                false => None,
            };
            list.push(Statement { at, kind: StatementKind::Declare(name, of, value) });
            if self.cursor.accept(";") {
                return Ok(if list.len() == 1 { list.remove(0).kind } else { StatementKind::Block(list) });
            }
            if !self.cursor.accept(",") {
                return self.cursor.expected("`=`, `,` or `;`");
            }
        }
    }
}
