//! Texts that people read keep their word: the explanations of the codes, the language reference, the
//! programs of the thesis.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../check/support.rs"]
#[allow(dead_code, reason = "shared with the tests of the checker, which use all of it")]
mod check_support;
#[path = "../support/transcript.rs"]
mod transcript;

mod fences;

mod explain;
mod reference;
mod thesis;
