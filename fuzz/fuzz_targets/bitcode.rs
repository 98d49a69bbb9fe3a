//! The front end. See `raddle_fuzz::bitcode`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    raddle_fuzz::bitcode(bytes);
});
