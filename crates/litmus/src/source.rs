//! A whole test as it stands in the text.

use crate::assembly::{self, Columns};
use crate::c::{self, Function};
use crate::cursor::{Cursor, Dialect};
use crate::error::Result;
use crate::final_state::{self, FinalState};
use crate::header::{self, Arch, Header};
use crate::initial::{self, Binding};

pub(crate) struct TestText {
    pub header: Header,
    pub initial: Vec<Binding>,
    pub code: Code,
    pub end: FinalState,
}

pub(crate) enum Code {
    Assembly(Columns),
    C(Vec<Function>),
}

impl Code {
    pub fn n_threads(&self) -> usize {
        match self {
            Code::Assembly(columns) => columns.len(),
            Code::C(functions) => functions.len(),
        }
    }
}

pub(crate) fn parse(text: &str) -> Result<TestText> {
    let header = header::parse(text)?;
    let mut cursor = Cursor::new(text, header.end, Dialect::State);
    let initial = initial::parse(&mut cursor)?;
    let code = match header.arch {
        Arch::C => {
            cursor.switch_to(Dialect::C);
            Code::C(c::parse(&mut cursor)?)
        }
        _ => {
            cursor.switch_to(Dialect::Assembly);
            Code::Assembly(assembly::parse(&mut cursor)?)
        }
    };
    cursor.switch_to(Dialect::State);
    let end = final_state::parse(&mut cursor)?;
    Ok(TestText { header, initial, code, end })
}
