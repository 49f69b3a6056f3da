//! The target `mechanism_states` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gedanken_fuzz::mechanism_states::run(bytes));
