//! Words for what is allowed and seldom meant: at the start of a run, and while a motion gains energy from nothing.

pub(super) mod gain;
pub(super) mod start;
