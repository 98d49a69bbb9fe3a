//! Bytes in pages that copies share until one of them writes.

use crate::far::Far;
use std::rc::Rc;

pub(crate) const PAGE_BITS: u32 = 9;
pub(crate) const PAGE: usize = 1 << PAGE_BITS;

/// Objects with more bytes lie far away, where they take the room of what is touched of them.
const LARGE: usize = 1 << 19;

/// A growing row of bytes. A clone costs one pointer per page.
///
/// Invariants: `end` is a multiple of 16 and no page is missing below it. So a cut at the start of what was appended
/// last gives the row as it was before, padding included, and two rows of the same history are equal byte by byte.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    pages: Vec<Rc<[u8; PAGE]>>,
    end: usize,
    far: Far,
}

impl Bytes {
    /// Where the bytes of large objects begin.
    pub const FAR: usize = 1 << 48;

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.end + self.far.len()
    }

    /// Appends `size` zero bytes, filled up to a multiple of 16, and tells where they begin.
    pub fn grow(&mut self, size: usize) -> usize {
        if size > LARGE {
            return Bytes::FAR + self.far.grow(size);
        }
        let start = self.end;
        self.end = (start + size).next_multiple_of(16);
        let kept = self.pages.len() * PAGE;
        while self.pages.len() * PAGE < self.end {
            self.pages.push(Rc::new([0; PAGE]));
        }
        // Pages kept from before a cut may hold old bytes.
        if start < kept {
            self.fill(start, self.end.min(kept) - start, 0);
        }
        start
    }

    /// Forgets the bytes of the object that begins at `start`, and of those after it that are as large.
    pub fn cut(&mut self, start: usize) {
        debug_assert!(start.is_multiple_of(16), "a cut at {start}");
        match start.checked_sub(Bytes::FAR) {
            Some(start) => self.far.cut(start.min(self.far.len())),
            None => self.end = self.end.min(start),
        }
    }

    /// Where the bytes end, those near and those far away.
    pub fn ends(&self) -> [usize; 2] {
        [self.end, Bytes::FAR + self.far.len()]
    }

    /// How many of the `size` bytes at `at` there are up to the last that may not be zero.
    pub fn used(&self, at: usize, size: usize) -> usize {
        at.checked_sub(Bytes::FAR).map_or(size, |at| self.far.used(at, size))
    }

    /// Reads a little-endian word of at most eight bytes.
    #[inline(always)]
    pub fn word(&self, at: usize, size: usize) -> u64 {
        let (page, offset) = (at >> PAGE_BITS, at & (PAGE - 1));
        if let Some(page) = self.pages.get(page).filter(|_| offset + 8 <= PAGE) {
            let bytes: &[u8; 8] = page[offset..offset + 8].try_into().expect("eight bytes");
            return u64::from_le_bytes(*bytes) & (u64::MAX >> (64 - 8 * size as u32));
        }
        self.word_apart(at, size)
    }

    /// The same where the bytes lie on two pages, or far away.
    #[cold]
    fn word_apart(&self, at: usize, size: usize) -> u64 {
        let mut word = [0; 8];
        self.read(at, &mut word[..size]);
        u64::from_le_bytes(word)
    }

    /// Writes a little-endian word of at most eight bytes.
    #[inline(always)]
    pub fn set_word(&mut self, at: usize, size: usize, word: u64) {
        let (page, offset) = (at >> PAGE_BITS, at & (PAGE - 1));
        if offset + size > PAGE || page >= self.pages.len() {
            return self.write(at, &word.to_le_bytes()[..size]);
        }
        let bytes = &mut Rc::make_mut(&mut self.pages[page])[offset..];
        match size {
            4 => bytes[..4].copy_from_slice(&(word as u32).to_le_bytes()),
            8 => bytes[..8].copy_from_slice(&word.to_le_bytes()),
            1 => bytes[0] = word as u8,
            _ => bytes[..size].copy_from_slice(&word.to_le_bytes()[..size]),
        }
    }

    /// Reads `to.len()` bytes.
    pub fn read(&self, at: usize, to: &mut [u8]) {
        if at >= Bytes::FAR {
            return self.far.read(at - Bytes::FAR, to);
        }
        let mut done = 0;
        while done < to.len() {
            let (page, offset) = ((at + done) >> PAGE_BITS, (at + done) & (PAGE - 1));
            let n = (PAGE - offset).min(to.len() - done);
            to[done..done + n].copy_from_slice(&self.pages[page][offset..offset + n]);
            done += n;
        }
    }

    /// Writes all of `from`.
    pub fn write(&mut self, at: usize, from: &[u8]) {
        if at >= Bytes::FAR {
            return self.far.write(at - Bytes::FAR, from);
        }
        let mut done = 0;
        while done < from.len() {
            let (page, offset) = ((at + done) >> PAGE_BITS, (at + done) & (PAGE - 1));
            let n = (PAGE - offset).min(from.len() - done);
            Rc::make_mut(&mut self.pages[page])[offset..offset + n].copy_from_slice(&from[done..done + n]);
            done += n;
        }
    }

    /// Writes `size` times the byte `value`.
    pub fn fill(&mut self, at: usize, size: usize, value: u8) {
        if at >= Bytes::FAR {
            return self.far.fill(at - Bytes::FAR, size, value);
        }
        let mut done = 0;
        while done < size {
            let (page, offset) = ((at + done) >> PAGE_BITS, (at + done) & (PAGE - 1));
            let n = (PAGE - offset).min(size - done);
            Rc::make_mut(&mut self.pages[page])[offset..offset + n].fill(value);
            done += n;
        }
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        let same = |n: usize| {
            let (a, b) = (&self.pages[n], &other.pages[n]);
            let used = (self.end - n * PAGE).min(PAGE);
            Rc::ptr_eq(a, b) || a[..used] == b[..used]
        };
        self.end == other.end && (0..self.end.div_ceil(PAGE)).all(same) && self.far == other.far
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_its_bytes() {
        let mut bytes = Bytes::default();
        let start = bytes.grow(2000);
        bytes.set_word(start + PAGE - 3, 8, 0x0102_0304_0506_0708);
        let copy = bytes.clone();
        bytes.fill(start, 2000, 7);
        assert_eq!(copy.word(start + PAGE - 3, 8), 0x0102_0304_0506_0708);
        assert_eq!(bytes.word(start + PAGE - 3, 2), 0x0707);
        assert!(copy != bytes);
    }

    #[test]
    fn new_bytes_are_zero_also_after_a_cut() {
        let mut bytes = Bytes::default();
        let start = bytes.grow(100);
        bytes.fill(start, 100, 1);
        bytes.cut(start);
        let again = bytes.grow(700);
        let mut all = [9; 700];
        bytes.read(again, &mut all);
        assert_eq!((again, all), (start, [0; 700]));
    }

    #[test]
    fn a_cut_gives_back_the_row_as_it_was() {
        let mut bytes = Bytes::default();
        let low = bytes.grow(5);
        bytes.fill(low, 5, 1);
        let before = bytes.clone();
        for size in [0, 1, 16, 40, PAGE, 3 * PAGE + 1] {
            let top = bytes.grow(size);
            bytes.fill(top, size, 2);
            bytes.cut(top);
            assert!(bytes == before, "{size} bytes were appended and cut");
            assert_eq!(bytes.grow(3), before.len());
            bytes.cut(top);
        }
    }
}
