//! Laws as mathematics: one layout, written as MathML, LaTeX or Unicode.

pub mod latex;
pub(crate) mod layout;
pub mod mathml;
pub mod unicode;
