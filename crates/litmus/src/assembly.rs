//! Columns of instructions, the same for all machines: a word and operands. What they mean is each machine's matter.

use crate::cursor::{Cursor, Token};
use crate::error::{Result, syntax};
use crate::final_state;
use crate::location::thread_number;

/// An operand and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub at: usize,
    pub kind: OperandKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OperandKind {
    /// A register, a label, or a word such as `SY` or `SXTW`.
    Name(String),
    /// `$1`, `#1` or `1`.
    Number(i64),
    /// A word with an amount: `LSL #2`.
    Shift(String, i64),
    /// `[x]`, `(x)`, `4(r1)`, `[X1,W2,SXTW]`, `[X1,#4]!`.
    Memory { displacement: i64, parts: Vec<Operand>, writes_back: bool },
}

/// An instruction and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub at: usize,
    /// In capitals.
    pub word: String,
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// The operands, which must be this many.
    pub fn exactly<const N: usize>(&self) -> Result<[&Operand; N]> {
        let operands: Vec<&Operand> = self.operands.iter().collect();
        let n = operands.len();
        match operands.try_into() {
            Ok(operands) => Ok(operands),
            Err(_) => syntax(self.at, format!("`{}` has {N} operands, found {n}", self.word)),
        }
    }
}

impl Operand {
    /// The label that the operand must be.
    pub fn label(&self) -> Result<&str> {
        match &self.kind {
            OperandKind::Name(name) => Ok(name),
            _ => syntax(self.at, "expected a label"),
        }
    }

    /// The number that the operand must be.
    pub fn number(&self) -> Result<u64> {
        match self.kind {
            OperandKind::Number(number) => Ok(number as u64),
            _ => syntax(self.at, "expected a number"),
        }
    }
}

/// One step of a thread's column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Label(usize, String),
    Instruction(Instruction),
}

/// The steps of each thread, first to last.
pub(crate) type Columns = Vec<Vec<Item>>;

/// Reads the line of threads and the lines of instructions.
pub(crate) fn parse(cursor: &mut Cursor) -> Result<Columns> {
    while cursor.accept(";") {}
    let mut columns = Columns::new();
    loop {
        let at = cursor.offset();
        let name = cursor.name("a thread (`P0`)")?;
        if thread_number(name) != Some(columns.len()) {
            return syntax(at, format!("expected thread `P{}`, found `{name}`", columns.len()));
        }
        columns.push(Vec::new());
        if cursor.accept(";") {
            break;
        }
        if !cursor.accept("|") {
            return cursor.expected("`|` or `;`");
        }
    }
    while !final_state::begins(cursor) {
        line(cursor, &mut columns)?;
    }
    Ok(columns)
}

/// Reads one line: a cell for each thread.
fn line(cursor: &mut Cursor, columns: &mut Columns) -> Result<()> {
    let n = columns.len();
    for (thread, column) in columns.iter_mut().enumerate() {
        cell(cursor, column)?;
        match cursor.peek() {
            Token::Sign("|") if thread + 1 < n => {}
            Token::Sign(";") if thread + 1 == n => {}
            Token::Sign("|") => return syntax(cursor.offset(), format!("the test has {n} threads, this line has more")),
            Token::Sign(";") => return syntax(cursor.offset(), format!("the test has {n} threads, this line has only {}", thread + 1)),
            _ => return cursor.expected("`,`, `|` or `;`"),
        }
        cursor.next();
    }
    Ok(())
}

/// Reads labels and at most one instruction.
fn cell(cursor: &mut Cursor, column: &mut Vec<Item>) -> Result<()> {
    while let Token::Name(word) = cursor.peek() {
        let at = cursor.offset();
        cursor.next();
        if cursor.accept(":") {
            column.push(Item::Label(at, word.to_string()));
            continue;
        }
        column.push(Item::Instruction(instruction(cursor, at, word.to_ascii_uppercase())?));
        return Ok(());
    }
    match cursor.peek() {
        Token::Sign("|" | ";") => Ok(()),
        _ => cursor.expected("an instruction, a label, `|` or `;`"),
    }
}

fn instruction(cursor: &mut Cursor, at: usize, mut word: String) -> Result<Instruction> {
    if word == "LOCK" {
        cursor.accept(";");
        word = format!("LOCK {}", cursor.name("the instruction that is locked")?.to_ascii_uppercase());
    }
    let mut operands = Vec::new();
    while !matches!(cursor.peek(), Token::Sign("|" | ";")) {
        operands.push(operand(cursor, true)?);
        if !cursor.accept(",") {
            break;
        }
    }
    Ok(Instruction { at, word, operands })
}

/// Reads an operand; only outside of brackets it can be memory.
fn operand(cursor: &mut Cursor, outside: bool) -> Result<Operand> {
    let at = cursor.offset();
    let kind = match cursor.peek() {
        Token::Name(name) => {
            cursor.next();
            match cursor.peek() {
                Token::Sign("#") | Token::Number(_) => OperandKind::Shift(name.to_ascii_uppercase(), immediate(cursor)?),
                _ => OperandKind::Name(name.to_string()),
            }
        }
        Token::Sign("%") => {
            cursor.next();
            OperandKind::Name(format!("%{}", cursor.name("a register")?))
        }
        Token::Sign("[" | "(") if outside => memory(cursor, 0)?,
        Token::Sign("$" | "#" | "-") | Token::Number(_) => {
            let number = immediate(cursor)?;
            match cursor.peek() {
                Token::Sign("[" | "(") if outside => memory(cursor, number)?,
                _ => OperandKind::Number(number),
            }
        }
        _ => return cursor.expected("an operand"),
    };
    Ok(Operand { at, kind })
}

fn immediate(cursor: &mut Cursor) -> Result<i64> {
    if !cursor.accept("$") {
        cursor.accept("#");
    }
    cursor.number("a number")
}

/// Reads the brackets of a memory operand and what is between them.
fn memory(cursor: &mut Cursor, displacement: i64) -> Result<OperandKind> {
    let close = if cursor.accept("[") { "]" } else { ")" };
    if close == ")" {
        cursor.expect("(")?;
    }
    let mut parts = vec![operand(cursor, false)?];
    while cursor.accept(",") {
        parts.push(operand(cursor, false)?);
    }
    cursor.expect(close)?;
    let writes_back = cursor.accept("!");
    Ok(OperandKind::Memory { displacement, parts, writes_back })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::Dialect;

    fn shown(operand: &Operand) -> String {
        match &operand.kind {
            OperandKind::Name(name) => name.clone(),
            OperandKind::Number(n) => format!("#{n}"),
            OperandKind::Shift(word, n) => format!("{word}#{n}"),
            OperandKind::Memory { displacement, parts, writes_back } => {
                let parts: Vec<String> = parts.iter().map(shown).collect();
                format!("{displacement}[{}]{}", parts.join(" "), if *writes_back { "!" } else { "" })
            }
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let item = |item: &Item| match item {
            Item::Label(_, name) => format!("{name}:"),
            Item::Instruction(i) => format!("{}({})", i.word, i.operands.iter().map(shown).collect::<Vec<_>>().join(", ")),
        };
        let found = match parse(&mut Cursor::new(text, 0, Dialect::Assembly)) {
            Ok(columns) => columns.iter().map(|c| c.iter().map(item).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(" | "),
            Err(problem) => format!("{}: {}", problem.at, problem.message),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn columns_are_taken_apart() {
        check("P0|P1;\n MOV [x],$1 | ;\n L: | stwcx. r1,r0,r2;\nexists", "MOV(0[x], #1) L: | STWCX.(r1, r0, r2)");
        check("P0;\n L0: L1: lwz r1,-4(r2);", "L0: L1: LWZ(r1, -4[r2])");
        check("P0;\n LDR W0,[X1,W2,SXTW #2];", "LDR(W0, 0[X1 W2 SXTW#2])");
        check("P0;\n LDR W0,[X1],#4;\n STR W0,[X1,#8]!;", "LDR(W0, 0[X1], #4) STR(W0, 0[X1 #8]!)");
        check("P0;\n lock; addl $1,(x);\n B.NE L;\n MFENCE;", "LOCK ADDL(#1, 0[x]) B.NE(L) MFENCE()");
        check("P0;\n movq %rax,8(%rbx);", "MOVQ(%rax, 8[%rbx])");
    }

    #[test]
    fn mistakes_are_located() {
        check("P0|P1;\n MFENCE ;", "15: the test has 2 threads, this line has only 1");
        check("P0;\n MFENCE | ;", "12: the test has 1 threads, this line has more");
        check("P1;", "0: expected thread `P0`, found `P1`");
        check("P0;\n MOV [x;", "11: expected `]`, found `;`");
        check("P0;\n MOV EAX EBX;", "13: expected `,`, `|` or `;`, found `EBX`");
        check("P0;\n = ;", "5: expected an instruction, a label, `|` or `;`, found `=`");
    }
}
