//! The target `lang_check` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gedanken_fuzz::lang_check::run(bytes));
