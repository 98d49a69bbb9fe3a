//! The bytes of large objects, of which most are never touched: pages in chunks, each there once it is written.

use crate::bytes::{PAGE, PAGE_BITS};
use std::rc::Rc;

const CHUNK_BITS: u32 = 8;
const CHUNK: usize = 1 << CHUNK_BITS;
/// How many bytes a chunk has.
const SPAN: usize = PAGE << CHUNK_BITS;

type Page = [u8; PAGE];
type Chunk = [Option<Rc<Page>>; CHUNK];

/// A growing row of bytes; what was never written is zero and takes no room. A clone costs one pointer per chunk.
#[derive(Clone, Debug, Default)]
pub struct Far {
    chunks: Vec<Option<Rc<Chunk>>>,
    end: usize,
}

impl Far {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.end
    }

    /// Appends `size` zero bytes, filled up to whole chunks, and tells where they begin.
    pub fn grow(&mut self, size: usize) -> usize {
        let start = self.end;
        self.end = (start + size).next_multiple_of(SPAN);
        self.chunks.resize(self.end / SPAN, None);
        start
    }

    /// Forgets the bytes from `end` on, where a row that was grown begins.
    pub fn cut(&mut self, end: usize) {
        self.chunks.truncate(end / SPAN);
        self.end = end;
    }

    fn page(&self, at: usize) -> Option<&Rc<Page>> {
        self.chunks[at / SPAN].as_ref()?[(at >> PAGE_BITS) % CHUNK].as_ref()
    }

    fn page_mut(&mut self, at: usize) -> &mut Page {
        let chunk = self.chunks[at / SPAN].get_or_insert_with(|| Rc::new([const { None }; CHUNK]));
        Rc::make_mut(Rc::make_mut(chunk)[(at >> PAGE_BITS) % CHUNK].get_or_insert_with(|| Rc::new([0; PAGE])))
    }

    /// Reads `to.len()` bytes.
    pub fn read(&self, at: usize, to: &mut [u8]) {
        for (at, part) in parts(at, to.len()) {
            let offset = at % PAGE;
            match self.page(at) {
                Some(page) => to[part.clone()].copy_from_slice(&page[offset..offset + part.len()]),
                None => to[part].fill(0),
            }
        }
    }

    /// Writes all of `from`.
    pub fn write(&mut self, at: usize, from: &[u8]) {
        for (at, part) in parts(at, from.len()) {
            let offset = at % PAGE;
            self.page_mut(at)[offset..offset + part.len()].copy_from_slice(&from[part]);
        }
    }

    /// Writes `size` times the byte `value`. Pages and chunks that have nothing else are shared.
    pub fn fill(&mut self, at: usize, size: usize, value: u8) {
        let (end, mut at) = (at + size, at);
        let page = Rc::new([value; PAGE]);
        let chunk: Rc<Chunk> = Rc::new(std::array::from_fn(|_| Some(page.clone())));
        while at < end {
            if at % SPAN == 0 && end - at >= SPAN {
                self.chunks[at / SPAN] = Some(chunk.clone()).filter(|_| value != 0);
                at += SPAN;
                continue;
            }
            let (offset, n) = (at % PAGE, (PAGE - at % PAGE).min(end - at));
            self.page_mut(at)[offset..offset + n].fill(value);
            at += n;
        }
    }

    /// How many of the `size` bytes at `at` there are up to the last page that was written.
    pub fn used(&self, at: usize, size: usize) -> usize {
        let is_there = |page: &usize| self.page(page << PAGE_BITS).is_some();
        let last = (at >> PAGE_BITS..(at + size).div_ceil(PAGE)).rev().find(is_there);
        last.map_or(0, |page| (((page + 1) << PAGE_BITS) - at).min(size))
    }
}

impl PartialEq for Far {
    fn eq(&self, other: &Far) -> bool {
        let same_page = |a: &Option<Rc<Page>>, b: &Option<Rc<Page>>| match (a, b) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
            (None, None) => true,
            (Some(page), None) | (None, Some(page)) => page.iter().all(|&byte| byte == 0),
        };
        let empty: Chunk = [const { None }; CHUNK];
        let same = |(a, b): (&Option<Rc<Chunk>>, &Option<Rc<Chunk>>)| match (a, b) {
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => true,
            (None, None) => true,
            (a, b) => {
                let (a, b) = (a.as_deref().unwrap_or(&empty), b.as_deref().unwrap_or(&empty));
                a.iter().zip(b).all(|(a, b)| same_page(a, b))
            }
        };
        self.end == other.end && self.chunks.iter().zip(&other.chunks).all(same)
    }
}

/// The parts of a range of bytes that lie in one page each: where they begin, and which bytes of the range they are.
fn parts(at: usize, size: usize) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let from = done;
        done += (PAGE - (at + from) % PAGE).min(size - from);
        (from < size).then_some((at + from, from..done))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_touched_takes_no_room_and_is_zero() {
        let mut far = Far::default();
        let first = far.grow(1 << 31);
        let second = far.grow(3 * SPAN + 5);
        far.write(first + SPAN - 2, &[1, 2, 3, 4]);
        let copy = far.clone();
        far.fill(second + 1, 3 * SPAN, 7);
        let mut found = [9; 6];
        far.read(first + SPAN - 3, &mut found);
        assert_eq!(found, [0, 1, 2, 3, 4, 0]);
        far.read(second + 3 * SPAN - 1, &mut found);
        assert_eq!(found, [7, 7, 0, 0, 0, 0]);
        copy.read(second, &mut found);
        assert_eq!(found, [0; 6]);
        assert!(copy != far);
        far.fill(second, 3 * SPAN + 5, 0);
        assert!(copy == far, "zeros that were written are zeros");
        assert_eq!(far.used(first, 1 << 31), SPAN + PAGE);
        far.cut(second);
        let again = far.grow(10);
        far.read(again, &mut found);
        assert_eq!((again, found), (second, [0; 6]));
    }
}
