//! Bytes in pages that copies share until one of them writes.

use std::rc::Rc;

const PAGE_BITS: u32 = 9;
const PAGE: usize = 1 << PAGE_BITS;

/// A growing row of bytes. A clone costs one pointer per page.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    pages: Vec<Rc<[u8; PAGE]>>,
    end: usize,
}

impl Bytes {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.end
    }

    /// Appends `size` zero bytes at a multiple of 16 and tells where they begin.
    pub fn grow(&mut self, size: usize) -> usize {
        let start = self.end.next_multiple_of(16);
        self.end = start + size;
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

    /// Forgets the bytes from `end` on.
    pub fn cut(&mut self, end: usize) {
        self.end = end;
    }

    /// Reads a little-endian word of at most eight bytes.
    #[inline(always)]
    pub fn word(&self, at: usize, size: usize) -> u64 {
        let (page, offset) = (at >> PAGE_BITS, at & (PAGE - 1));
        if offset + 8 <= PAGE {
            let bytes: &[u8; 8] = self.pages[page][offset..offset + 8].try_into().expect("eight bytes");
            return u64::from_le_bytes(*bytes) & (u64::MAX >> (64 - 8 * size as u32));
        }
        let mut word = [0; 8];
        self.read(at, &mut word[..size]);
        u64::from_le_bytes(word)
    }

    /// Writes a little-endian word of at most eight bytes.
    #[inline(always)]
    pub fn set_word(&mut self, at: usize, size: usize, word: u64) {
        let (page, offset) = (at >> PAGE_BITS, at & (PAGE - 1));
        if offset + size > PAGE {
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
        let pages = self.end.div_ceil(PAGE);
        let same = |n: usize| {
            let (a, b) = (&self.pages[n], &other.pages[n]);
            let used = (self.end - n * PAGE).min(PAGE);
            Rc::ptr_eq(a, b) || a[..used] == b[..used]
        };
        self.end == other.end && (0..pages).all(same)
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
}
