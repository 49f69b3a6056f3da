//! Programs to compare with, each behind a small driver.

pub mod python;
pub mod qhull;
pub mod rebound;
