//! The layout of source types, to name a byte of an object the way its programmer does.

/// The number of a layout in [`crate::Program::layouts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// How a type is laid out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A number, pointer or the like.
    Scalar {
        /// Its name in the source.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// How its value is shown.
        kind: Scalar,
    },
    /// Elements of one type, one behind the other.
    Array {
        /// The type of each.
        element: TypeId,
        /// How many there are.
        count: u64,
    },
    /// A structure or union.
    Record {
        /// Its name in the source.
        name: String,
        /// Its size in bytes, with padding.
        size: u64,
        /// What it is made of; the members of a union overlap.
        members: Vec<Member>,
    },
}

/// How a scalar is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// As a number that may be negative.
    Signed,
    /// As a number that is never negative.
    Unsigned,
    /// As a number with a point.
    Float,
    /// As an address, or the name of what is there.
    Pointer,
    /// As `true` or `false`.
    Bool,
    /// As a character.
    Char,
}

impl Scalar {
    /// Every one with its word in text.
    pub const ALL: [(Scalar, &'static str); 6] = [
        (Scalar::Signed, "signed"),
        (Scalar::Unsigned, "unsigned"),
        (Scalar::Float, "float"),
        (Scalar::Pointer, "pointer"),
        (Scalar::Bool, "bool"),
        (Scalar::Char, "char"),
    ];
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its name; empty for a base class.
    pub name: String,
    /// How many bytes come before it.
    pub offset: u64,
    /// Its type.
    pub of: TypeId,
}

/// Gives `.slots[2].seq` for an offset in a type, as far down as `size` bytes allow, and the scalar found there.
pub fn path(layouts: &[Layout], of: TypeId, offset: u64, size: u64) -> (String, Option<Scalar>) {
    let mut text = String::new();
    let (mut at, mut left) = (of, offset);
    // Each turn goes down one level of a type that has finitely many, unless the layouts are cyclic.
    for _ in 0..64 {
        match &layouts[at.0 as usize] {
            Layout::Scalar { kind, size: whole, .. } => {
                let whole_scalar = left == 0 && size == *whole;
                return (text, whole_scalar.then_some(*kind));
            }
            Layout::Array { element, .. } => {
                let each = size_of(layouts, *element).max(1);
                if size > each {
                    break;
                }
                text += &format!("[{}]", left / each);
                (at, left) = (*element, left % each);
            }
            Layout::Record { members, .. } => {
                let fits = |m: &&Member| m.offset <= left && left.saturating_add(size) <= m.offset.saturating_add(size_of(layouts, m.of));
                let Some(member) = members.iter().find(fits) else { break };
                if !member.name.is_empty() {
                    text += &format!(".{}", member.name);
                }
                (at, left) = (member.of, left - member.offset);
            }
        }
    }
    (text, None)
}

/// The size of a type in bytes.
pub fn size_of(layouts: &[Layout], of: TypeId) -> u64 {
    match &layouts[of.0 as usize] {
        Layout::Scalar { size, .. } | Layout::Record { size, .. } => *size,
        Layout::Array { element, count } => count.saturating_mul(size_of(layouts, *element)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_down_to_the_bytes_asked_for() {
        let int = Layout::Scalar { name: "int".into(), size: 4, kind: Scalar::Signed };
        let member = |name: &str, offset, of| Member { name: name.into(), offset, of: TypeId(of) };
        let slot = Layout::Record { name: "slot".into(), size: 8, members: vec![member("seq", 0, 0), member("data", 4, 0)] };
        let slots = Layout::Array { element: TypeId(1), count: 4 };
        let queue = Layout::Record { name: "queue".into(), size: 36, members: vec![member("head", 0, 0), member("slots", 4, 2)] };
        let layouts = [int, slot, slots, queue];
        let check = |offset, size, text: &str| assert_eq!(path(&layouts, TypeId(3), offset, size).0, text);
        check(24, 4, ".slots[2].data");
        check(20, 8, ".slots[2]");
        check(0, 4, ".head");
        check(0, 36, "");
        check(2, 4, "");
    }
}
