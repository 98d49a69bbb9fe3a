//! What libstdc++ computes for `std::unordered_map` and its kin: hashes of bytes and the numbers of buckets. Iteration
//! goes the same way as natively only with the same numbers.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("_ZSt11_Hash_bytesPKvmm", hash_bytes),
    ("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", |call| next_buckets(call, call.word(1))),
    ("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", need_rehash),
];

/// For few elements, by their number.
const SMALL: [u64; 14] = [1, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13];

/// Of these the first that is large enough.
const PRIMES: &[u64] = &[
    17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149, 157, 167, 179, 193, 199,
    211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953, 1031, 1109, 1193,
    1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427,
    6949, 7517, 8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727,
    33223, 35933, 38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731, 126271,
    136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261, 299951, 324503, 351061, 379787, 410857, 444487, 480881,
    520241, 562841, 608903, 658753, 712697, 771049, 834181, 902483, 976369, 1056323, 1142821, 1236397, 1337629, 1447153, 1565659, 1693859,
    1832561, 1982627, 2144977, 2320627, 2510653, 2716249, 2938679, 3179303,
];

/// Murmur hashing, as libstdc++ does it on machines of 64 bits.
pub fn hash(bytes: &[u8], seed: u64) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |word: u64| word ^ word >> 47;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mut word = u64::from_le_bytes(word);
        if chunk.len() == 8 {
            word = mix(word.wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
        }
        hash = (hash ^ word).wrapping_mul(FACTOR);
    }
    mix(mix(hash).wrapping_mul(FACTOR))
}

fn hash_bytes(call: &mut Call) -> Run<u64> {
    let bytes = call.runner.read_bytes(call.address(0), call.word(1))?;
    Ok(hash(&bytes, call.word(2)))
}

/// The policy has the largest load factor, and how many elements are allowed before the next change.
fn load_factor(call: &mut Call) -> Run<f64> {
    Ok(f32::from_bits(call.load(call.address(0), 4)? as u32) as f64)
}

fn allow(call: &mut Call, elements: u64) -> Run<()> {
    call.store(Address(call.word(0) + 8), 8, elements)
}

/// How many buckets to have for at least so many.
fn next_buckets(call: &mut Call, wanted: u64) -> Run<u64> {
    let buckets = match SMALL.get(wanted as usize) {
        Some(&buckets) => buckets,
        None => match PRIMES.get(PRIMES.partition_point(|&prime| prime < wanted)) {
            Some(&buckets) => buckets,
            None => return call.unsupported(format!("a hash table of {wanted} buckets")),
        },
    };
    if wanted > 0 {
        let most = (buckets as f64 * load_factor(call)?).floor() as u64;
        allow(call, most)?;
    }
    Ok(buckets)
}

/// Whether to have more buckets before elements are added, and how many.
fn need_rehash(call: &mut Call) -> Run<u64> {
    let (buckets, elements) = (call.word(1), call.word(2) + call.word(3));
    let allowed = call.load(Address(call.word(0) + 8), 8)?;
    if elements > allowed {
        let factor = load_factor(call)?;
        let least = elements.max(if allowed == 0 { 11 } else { 0 }) as f64 / factor;
        if least >= buckets as f64 {
            let wanted = (least.floor() as u64 + 1).max(buckets * 2);
            let next = next_buckets(call, wanted)?;
            call.more.push(next);
            return Ok(1);
        }
        allow(call, (buckets as f64 * factor).floor() as u64)?;
    }
    call.more.push(0);
    Ok(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn hashes_are_those_of_the_native_library() {
        assert_eq!(super::hash(b"hello world!", 0xc70f6907), 0x5b83cb3a55a9669f);
        assert_eq!(super::hash(b"", 0xc70f6907), 0x553e93901e462a6e);
    }
}
