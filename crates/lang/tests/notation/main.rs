//! Laws as LaTeX and as plain Unicode: what they look like, and that any text can be shown.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod everything;
mod looks;
#[path = "../support/any_text.rs"]
mod texts;
