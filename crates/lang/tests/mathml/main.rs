//! Laws as MathML: what they look like, and that any text gives elements that a browser can show.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../support/any_text.rs"]
mod texts;
mod xml;

mod any_text;
mod looks;
