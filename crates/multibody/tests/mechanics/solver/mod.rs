//! The minimum of the cost: algorithms agree, certificates hold, factors are right.

mod agreement;
mod certificate;
mod duality;
mod updates;
