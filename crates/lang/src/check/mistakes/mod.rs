//! What students write instead of what is meant, recognised by its meaning.
//!
//! `similar` guesses a name by its letters. `other_notations` knows names of books and of other languages, `dotted` the
//! dots that lead to a part. `missing_comma` and `decimal_commas` find what makes a vector too short or too long.
//! `suspicious`, `kept_values` and `frame_rate` warn of what is valid and probably not meant. `ambiguous` tells one
//! mistake once.

pub(super) mod ambiguous;
pub(super) mod decimal_commas;
pub(super) mod dotted;
pub(super) mod frame_rate;
pub(super) mod kept_values;
pub(super) mod missing_comma;
pub(super) mod other_notations;
pub(super) mod similar;
pub(super) mod suspicious;
