//! Witnesses that are replayed. See `raddle_fuzz::witness`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    raddle_fuzz::witness(bytes);
});
