//! Laws of rigid bodies: `force`, `potential` and `constraint` blocks.
//!
//! A block speaks of one body, `of = {a, b}` (of each in turn; of all dynamic ones, if the line is absent or
//! says `all`), or of two, `between = {a, b}`. Names then mean attributes of the body; of two bodies,
//! `position1` is the position of the first and `position2` that of the second.

pub(crate) mod check;
pub(crate) mod model;
pub(crate) mod names;
pub(crate) mod read;
pub(crate) mod types;
