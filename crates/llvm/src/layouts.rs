//! Layouts of source types from debug information, to name bytes of variables the way their programmer does.
//!
//! Anything unexpected gives no layout: then bytes are named by their offset.

use crate::ir::versions::{BASE_TYPE, ELEMENTS};
use crate::ir::{Metadata, Node, Value};
use crate::unit::Unit;
use raddle_program::{Layout, Member, Scalar, TypeId};

/// Operands of nodes, by number; those that moved between versions of LLVM stand in `ir`.
const VARIABLE_NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;
const COUNT: usize = 0;

/// Tags of DWARF.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
}

/// The name of a variable in the source.
pub fn variable_name<'m>(variable: Metadata<'m>, near: Value<'m>) -> Option<String> {
    variable.string(VARIABLE_NAME, near)
}

impl<'m> Unit<'m> {
    /// The layout of a variable.
    pub fn variable_layout(&mut self, variable: Metadata<'m>, near: Value<'m>) -> Option<TypeId> {
        let of = variable.child(VARIABLE_TYPE, near)?;
        self.layout(of, near)
    }

    fn layout(&mut self, of: Metadata<'m>, near: Value<'m>) -> Option<TypeId> {
        if let Some(&known) = self.layouts.get(&of) {
            return known;
        }
        // A type that contains itself would be found here.
        self.layouts.insert(of, None);
        let made = match of.node() {
            Node::Basic => Some(self.add_layout(basic(of, near))),
            Node::Derived => self.derived(of, near),
            Node::Composite => self.composite(of, near),
            Node::Subprogram | Node::Block | Node::Subroutine | Node::Other => None,
        };
        self.layouts.insert(of, made);
        made
    }

    fn add_layout(&mut self, layout: Layout) -> TypeId {
        self.program.layouts.push(layout);
        TypeId(self.program.layouts.len() as u32 - 1)
    }

    fn derived(&mut self, of: Metadata<'m>, near: Value<'m>) -> Option<TypeId> {
        match of.tag() {
            tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => {
                Some(self.add_layout(Layout::Scalar { name: "pointer".into(), size: 8, kind: Scalar::Pointer }))
            }
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                let base = of.child(BASE_TYPE, near)?;
                self.layout(base, near)
            }
            _ => None,
        }
    }

    fn composite(&mut self, of: Metadata<'m>, near: Value<'m>) -> Option<TypeId> {
        let layout = match of.tag() {
            tag::ARRAY => return self.array(of, near),
            tag::STRUCTURE | tag::UNION | tag::CLASS => {
                let mut members: Vec<Member> = Vec::new();
                for element in of.child(ELEMENTS, near)?.children(near) {
                    let Some(member) = self.member(element, near) else { continue };
                    match members.last_mut() {
                        Some(last) if element.offset_in_bits() % 8 != 0 && last.offset == member.offset => join_bit_fields(last, &member),
                        _ => members.push(member),
                    }
                }
                Layout::Record { name: of.type_name(), size: of.size_in_bits() / 8, members }
            }
            tag::ENUMERATION => {
                let kind = of.child(BASE_TYPE, near).map_or(Scalar::Signed, |base| kind(base, near));
                Layout::Scalar { name: of.type_name(), size: of.size_in_bits() / 8, kind }
            }
            _ => return None,
        };
        Some(self.add_layout(layout))
    }

    /// An array; one of several dimensions is an array of arrays.
    fn array(&mut self, of: Metadata<'m>, near: Value<'m>) -> Option<TypeId> {
        let mut element = self.layout(of.child(BASE_TYPE, near)?, near)?;
        for range in of.child(ELEMENTS, near)?.children(near).into_iter().rev() {
            let count = range.number(COUNT, near).unwrap_or(0).max(0) as u64;
            element = self.add_layout(Layout::Array { element, count });
        }
        Some(element)
    }

    fn member(&mut self, element: Metadata<'m>, near: Value<'m>) -> Option<Member> {
        if element.node() != Node::Derived || element.is_static() {
            return None;
        }
        let name = match element.tag() {
            tag::MEMBER => element.type_name(),
            tag::INHERITANCE => String::new(),
            _ => return None,
        };
        let of = self.layout(element.child(BASE_TYPE, near)?, near)?;
        Some(Member { name, offset: element.offset_in_bits() / 8, of })
    }
}

/// Bit-fields that begin in one byte are accessed together, and have one name: `{busy,done}`.
fn join_bit_fields(first: &mut Member, other: &Member) {
    let names = first.name.trim_start_matches('{').trim_end_matches('}');
    first.name = format!("{{{names},{}}}", other.name);
}

fn basic<'m>(of: Metadata<'m>, near: Value<'m>) -> Layout {
    Layout::Scalar { name: of.type_name(), size: of.size_in_bits() / 8, kind: kind(of, near) }
}

/// How a basic type is shown. Its encoding is not an operand, so it is taken from the text of the node.
fn kind<'m>(of: Metadata<'m>, near: Value<'m>) -> Scalar {
    let text = of.text(near);
    let encoding = text.split("encoding: DW_ATE_").nth(1).unwrap_or_default();
    match encoding.split([',', ')']).next().unwrap_or_default() {
        "unsigned" => Scalar::Unsigned,
        "float" => Scalar::Float,
        "boolean" => Scalar::Bool,
        "signed_char" | "unsigned_char" | "UTF" => Scalar::Char,
        "address" => Scalar::Pointer,
        _ => Scalar::Signed,
    }
}
