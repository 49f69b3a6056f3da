//! Materials: how surfaces bounce and rub, as numbers or as functions of a speed.
//!
//! `restitution(v) = …` is a function of the speed of approach, `friction(v) = …` of the speed of sliding, in
//! m/s.

pub(crate) mod model;
pub(crate) mod read;
