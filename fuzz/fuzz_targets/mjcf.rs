//! The target `mjcf` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gedanken_fuzz::mjcf::run(bytes));
