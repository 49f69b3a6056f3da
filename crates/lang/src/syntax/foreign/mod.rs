//! Notations of paper and of other languages that the lexer recognises, and what to write instead.
//!
//! `signs` knows single signs: `−`, `²`, `&&`. `comments` knows the comments of other languages, `bars` the
//! bars of an absolute value, `degrees` the sign behind an angle. Each gives one message for one slip, and the
//! parser goes on with what was probably meant.

pub(crate) mod bars;
pub(crate) mod comments;
pub(crate) mod degrees;
mod signs;

pub(crate) use signs::{length, read};
