//! Litmus tests. See `raddle_fuzz::litmus`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    raddle_fuzz::litmus(bytes);
});
