//! Syntax: the grammar, its messages, the formatter, and any text at all.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod read;

mod any_text;
mod formatting;
mod grammar;
mod messages;
mod nesting;
mod rendering;
