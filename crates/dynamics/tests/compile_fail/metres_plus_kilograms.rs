//! A length and a mass have no sum.

use gedanken_math::units::{KILOGRAM, METRE};

fn main() {
    let _ = 1.0 * METRE + 1.0 * KILOGRAM;
}
