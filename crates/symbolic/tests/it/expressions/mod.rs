//! Symbolic expressions against what everybody knows, against numbers, and against themselves read back from
//! their text.

mod constructors;
mod core;
mod deep;
mod derivatives;
mod random;
mod text;
