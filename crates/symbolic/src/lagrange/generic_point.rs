//! Generic points: values for all symbols that no author would choose, the same on every machine.
//!
//! An expression that vanishes at one of them may do so by rounding; one that does not vanish there does not
//! vanish identically. Generic points decide which matrices are regular, and suggest conserved quantities; no
//! quantity is called conserved by them alone.

use crate::{Expr, Pool};
use gedanken_math::hash::fnv1a;

/// Maximum number of points that are tried before an expression is taken to be undefined or singular
/// everywhere.
pub(super) const MAX_POINTS: u32 = 24;

/// Returns the value of a symbol at a point: between 0.3 and 1.3, for every third point spread over (−2, 2).
pub(super) fn value(name: &str, point: u32) -> f64 {
    // FNV-1a over the name, then a step of SplitMix64.
    let mut hash = fnv1a(name.as_bytes());
    hash = hash.wrapping_add(u64::from(point).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^= hash >> 31;
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    let unit = (hash >> 11) as f64 / 9_007_199_254_740_992.0;
    if point % 3 == 2 { 4.0 * unit - 2.0 } else { 0.3 + unit }
}

/// Returns the values of these expressions at a point; `None` if one of them is undefined there.
pub(super) fn at(pool: &Pool, exprs: &[Expr], point: u32) -> Option<Vec<f64>> {
    let values = pool.evaluate_all(&[], exprs, &|symbol| value(pool.name(symbol), point));
    values.iter().all(|value| value.is_finite()).then_some(values)
}
