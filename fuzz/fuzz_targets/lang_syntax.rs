//! The target `lang_syntax` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gedanken_fuzz::lang_syntax::run(bytes));
