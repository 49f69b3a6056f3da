//! Reals as text that reads back the same.

use std::fmt::{Display, Formatter, Result};

/// A real in the shortest form that reads back to the same bits: `1`, `0.1`, `-0`; with an exponent where
/// plain digits would be long: `1e-7`. Rust, C, Python and JSON read it.
pub(super) struct Shortest(pub(super) f64);

impl Display for Shortest {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let magnitude = self.0.abs();
        if magnitude.is_finite() && magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}
