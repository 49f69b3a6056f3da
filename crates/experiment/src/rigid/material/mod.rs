//! Materials: how surfaces bounce and rub, as numbers or as functions of a speed.
//!
//! `restitution(v) = …` is a function of the speed of approach, `friction(v) = …` of the speed of sliding, in
//! m/s.
//!
//! With the solver `soft` a surface has a softness, a margin, and more friction; see [`soft`](super::soft).

pub(crate) mod model;
pub(crate) mod read;
