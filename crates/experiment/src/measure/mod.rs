//! Measures: a quantity that is followed over time, and where it is known, the value it should have.
//!
//! The value of a measure is an expression over the attributes of one object, evaluated for each object and
//! summed. Like a law it is checked before anything moves, once for every combination of types that the names
//! in it have.

pub(crate) mod check;
pub(crate) mod model;
pub(crate) mod read;
