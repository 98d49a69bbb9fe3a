//! The layout of source types, to name a byte of an object the way its programmer does.

use std::ops::Range;

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

/// An array of this size is long.
const LONG: u64 = 65;

/// Calls `found` for each offset strictly inside a range at which something of a type begins that can be seen apart
/// from what comes before it: a member, or an element of an array. Of arrays of more than four bytes every fourth byte
/// at the most; of long ones, of which one sees anyhow that they are copied in pieces, no element.
pub fn starts(layouts: &[Layout], of: TypeId, range: Range<u64>, found: &mut dyn FnMut(u64)) {
    starts_in(layouts, (of, 0), &range, found, &mut 1000);
}

/// The same for a type that begins at an offset. It has finitely many parts, unless the layouts are cyclic: after so
/// many none is looked at.
fn starts_in(layouts: &[Layout], (of, base): (TypeId, u64), range: &Range<u64>, found: &mut dyn FnMut(u64), most: &mut u32) {
    let mut part = |part: TypeId, at: u64, every: u64| {
        let end = at.saturating_add(size_of(layouts, part));
        if range.start < at && at < range.end && (at - base).is_multiple_of(every) {
            found(at);
        }
        if *most > 0 && at < range.end && range.start < end {
            *most -= 1;
            starts_in(layouts, (part, at), range, found, most);
        }
    };
    match &layouts[of.0 as usize] {
        Layout::Scalar { .. } => {}
        Layout::Array { element, count } => {
            let each = size_of(layouts, *element).max(1);
            let first = range.start.saturating_sub(base) / each;
            let last = range.end.saturating_sub(base).div_ceil(each).min(*count);
            let every = match (&layouts[element.0 as usize], count.saturating_mul(each)) {
                (Layout::Scalar { .. }, LONG..) => return,
                (Layout::Scalar { .. }, 5..) => each.max(4),
                _ => each,
            };
            (first..last).for_each(|n| part(*element, base.saturating_add(n * each), every));
        }
        Layout::Record { members, .. } => members.iter().for_each(|member| part(member.of, base.saturating_add(member.offset), 1)),
    }
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

    #[test]
    fn members_and_elements_begin_inside_a_range() {
        let scalar = |size| Layout::Scalar { name: String::new(), size, kind: Scalar::Signed };
        let member = |offset, of| Member { name: String::new(), offset, of: TypeId(of) };
        let record = |size, members| Layout::Record { name: String::new(), size, members };
        let pair = record(8, vec![member(0, 0), member(4, 0)]);
        let all = record(40, vec![member(0, 2), member(8, 1), member(16, 4), member(32, 2)]);
        let layouts = [scalar(4), scalar(8), pair, scalar(1), Layout::Array { element: TypeId(3), count: 16 }, all];
        let check = |range: Range<u64>, expected: &[u64]| {
            let mut found = Vec::new();
            starts(&layouts, TypeId(5), range, &mut |at| found.push(at));
            found.dedup();
            assert_eq!(found, expected);
        };
        check(0..8, &[4]);
        check(8..16, &[]);
        check(16..24, &[20]);
        check(0..40, &[4, 8, 16, 20, 24, 28, 32, 36]);
        check(4..8, &[]);
    }
}
