//! Settings of the solver `soft`.

/// Name of the solver.
pub(crate) const NAME: &str = "soft";
