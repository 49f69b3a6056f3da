//! Articulated bodies with soft constraints.

pub mod inspection;
