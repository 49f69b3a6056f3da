//! Expansion, normal form and simplification: against identities that everybody knows, the equations of
//! textbooks, numbers at random points, and input that is meant to be nasty.

mod bounds;
mod identities;
mod properties;
mod residuals;
mod short;
mod textbook;
