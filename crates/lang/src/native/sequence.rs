//! Natives of sequences.

use crate::arithmetic::{Arithmetic, Binary, Failure};
use crate::operation::{Of, algebra};
use crate::value::Shaped;

/// The first element.
pub(super) fn head<A: Arithmetic>(a: &mut A, items: &[Of<A>]) -> Of<A> {
    items.first().cloned().unwrap_or_else(|| Shaped::Real(a.fail(Failure::Empty)))
}

/// All but the first.
pub(super) fn tail<A: Arithmetic>(a: &mut A, items: &[Of<A>]) -> Of<A> {
    match items.split_first() {
        Some((_, rest)) => Shaped::Sequence(rest.to_vec()),
        None => Shaped::Real(a.fail(Failure::Empty)),
    }
}

/// From left to right; of nothing, 0.
pub(super) fn sum<A: Arithmetic>(a: &mut A, items: &[Of<A>]) -> Option<Of<A>> {
    let Some((first, rest)) = items.split_first() else { return Some(Shaped::Real(a.real(0.0))) };
    if matches!(first, Shaped::Bool(_) | Shaped::Sequence(_)) {
        return None;
    }
    rest.iter().try_fold(first.clone(), |sum, item| algebra::elementwise(a, Binary::Add, &sum, item))
}
