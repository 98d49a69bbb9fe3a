//! Private memory against a plain twin: stores are equal exactly where all that can be read of them is.

use super::*;
use raddle_program::{FunctionId, parse};

/// A local variable of the twin: its site, its size, and its bytes where it is private.
#[derive(Clone, PartialEq)]
struct Plain {
    site: u32,
    size: u64,
    bytes: Option<Vec<u8>>,
}

/// A store beside its twin.
#[derive(Clone)]
struct Pair {
    store: Store,
    locals: Vec<(Address, Plain)>,
}

/// The numbers of a linear congruence.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Sites with an odd number are shared.
fn sites() -> Sites {
    let mut sites = Sites::default();
    (1..SITES).step_by(2).for_each(|number| assert!(sites.share(Site::Code(FunctionId(0), number))));
    sites
}

const SITES: u32 = 4;
const SIZES: [u64; 9] = [0, 1, 4, 15, 16, 17, 40, 500, 1500];

impl Pair {
    fn push(&mut self, map: &mut AddressMap, sites: &Sites, site: u32, size: u64) {
        let address = self.store.push_local(map, size, Site::Code(FunctionId(0), site), sites).expect("there is room");
        let bytes = site.is_multiple_of(2).then(|| vec![0; size as usize]);
        self.locals.push((address, Plain { site, size, bytes }));
    }

    fn pop(&mut self, depth: usize) {
        self.store.pop_locals(depth);
        self.locals.truncate(depth);
    }

    fn write(&mut self, program: &Program, map: &AddressMap, number: usize, byte: u8) {
        let (address, local) = &mut self.locals[number];
        let Some(bytes) = local.bytes.as_mut().filter(|bytes| !bytes.is_empty()) else { return };
        let at = byte as usize * 37 % bytes.len();
        bytes[at] = byte;
        match self.store.locate(program, map, Address(address.0 + at as u64), 1) {
            Located::Private(spot) => self.store.write(spot, &[byte]),
            other => panic!("{other:?}"),
        }
    }

    fn agrees(&self, program: &Program, map: &AddressMap) -> bool {
        self.locals.iter().all(|(address, local)| {
            let Some(bytes) = &local.bytes else { return self.store.is_shared(map, *address) };
            let mut found = vec![9; bytes.len()];
            if let Located::Private(spot) = self.store.locate(program, map, *address, local.size) {
                self.store.read(spot, &mut found);
            }
            found == *bytes
        })
    }
}

fn compare_with_twin(tracked: bool) {
    let (program, sites) = (parse("entry f0\nfunction f0 \"f\"\nb0:\nreturn ()\n").expect("it is a program"), sites());
    let (mut random, mut n_same) = (Random(7), 0);
    for _ in 0..150 {
        let mut map = program.addresses.clone();
        let store = Store::new(ThreadId(1), &program, true, tracked);
        let mut pair = Pair { store, locals: Vec::new() };
        let mut kept = vec![pair.clone()];
        for _ in 0..60 {
            let depth = pair.locals.len() as u64;
            match random.below(6) {
                0 | 1 => pair.push(&mut map, &sites, random.below(SITES as u64) as u32, SIZES[random.below(9) as usize]),
                2 => pair.pop(random.below(depth + 1) as usize),
                3 => pair = kept[random.below(kept.len() as u64) as usize].clone(),
                _ if depth > 0 => pair.write(&program, &map, random.below(depth) as usize, random.below(3) as u8),
                _ => {}
            }
            assert!(pair.agrees(&program, &map));
            for other in &kept {
                // Which bytes were written is known besides, where it is tracked.
                let is_same = pair.locals == other.locals;
                assert!(!is_same || tracked || pair.store == other.store, "the same memory is not found to be the same");
                assert!(is_same || pair.store != other.store, "other memory is taken for the same");
                n_same += is_same as u32;
            }
            kept.push(pair.clone());
        }
    }
    assert!(n_same > 10_000, "only {n_same} pairs are the same");
}

#[test]
fn stores_are_equal_where_their_twins_are() {
    compare_with_twin(false);
}

#[test]
fn stores_that_track_what_is_written_are_equal_only_where_their_twins_are() {
    compare_with_twin(true);
}
