//! The text syntax, and programs that are run. See `raddle_fuzz::program_text`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    raddle_fuzz::program_text(bytes);
});
