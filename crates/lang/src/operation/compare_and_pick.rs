//! Operators that compare, join and pick values rather than compute with them.

use super::Of;
use crate::arithmetic::{Arithmetic, Comparison, Failure};
use crate::types::Type;
use crate::value::{Matrix, Shaped, type_of_items};

/// Compares two values of one type; `None` if they are not of one type.
pub(super) fn equal<A: Arithmetic>(a: &mut A, left: &Of<A>, right: &Of<A>) -> Option<A::Bool> {
    match (left, right) {
        (Shaped::Real(x), Shaped::Real(y)) => Some(a.compare(Comparison::Eq, *x, *y)),
        (Shaped::Bool(x), Shaped::Bool(y)) => {
            let both = a.both(*x, *y);
            let (not_x, not_y) = (a.not(*x), a.not(*y));
            let neither = a.both(not_x, not_y);
            Some(a.either(both, neither))
        }
        (Shaped::Vector(v), Shaped::Vector(w)) if v.len() == w.len() => Some(all_equal(a, v, w)),
        (Shaped::Matrix(m), Shaped::Matrix(n)) if (m.rows, m.columns) == (n.rows, n.columns) => {
            Some(all_equal(a, &m.elements, &n.elements))
        }
        (Shaped::Sequence(x), Shaped::Sequence(y)) => {
            // Nothing fits everything, and `s == {}` should not cost a walk along s.
            if x.is_empty() || y.is_empty() {
                return Some(a.truth(x.len() == y.len()));
            }
            if !left.type_of().fits(&right.type_of()) {
                return None;
            }
            if x.len() != y.len() {
                return Some(a.truth(false));
            }
            let mut all = a.truth(true);
            for (x, y) in x.iter().zip(y) {
                let same = equal(a, x, y)?;
                all = a.both(all, same);
            }
            Some(all)
        }
        _ => None,
    }
}

fn all_equal<A: Arithmetic>(a: &mut A, v: &[A::Real], w: &[A::Real]) -> A::Bool {
    let mut all = a.truth(true);
    for (x, y) in v.iter().zip(w) {
        let same = a.compare(Comparison::Eq, *x, *y);
        all = a.both(all, same);
    }
    all
}

/// `first ++ second`; `None` if their elements are of different types.
pub(super) fn join<R: Copy, B: Copy>(
    first: &[Shaped<R, B>],
    second: &[Shaped<R, B>],
) -> Option<Shaped<R, B>> {
    // Each side is of one type already. Unless they are sequences, one element of each tells all.
    match (first.first(), second.first()) {
        (Some(Shaped::Sequence(_)), Some(Shaped::Sequence(_))) => {
            type_of_items(first).or(&type_of_items(second))?
        }
        (Some(x), Some(y)) => x.type_of().or(&y.type_of())?,
        _ => Type::Unknown,
    };
    Some(Shaped::Sequence([first, second].concat()))
}

/// `from # index`, the index counting from 1; `None` if `from` has no elements, or if which it is can only be
/// told by a run and they are of different shapes.
pub(super) fn element<A: Arithmetic>(a: &mut A, from: &Of<A>, index: A::Real) -> Option<Of<A>> {
    let length = match from {
        Shaped::Vector(v) => v.len(),
        Shaped::Matrix(m) => m.rows,
        Shaped::Sequence(items) => items.len(),
        Shaped::Real(_) | Shaped::Bool(_) => return None,
    };
    let at = |k: usize| match from {
        Shaped::Vector(v) => v.get(k).map(|x| Shaped::Real(*x)),
        Shaped::Matrix(m) => (k < m.rows).then(|| Shaped::Vector(m.row(k).to_vec())),
        Shaped::Sequence(items) => items.get(k).cloned(),
        Shaped::Real(_) | Shaped::Bool(_) => None,
    };
    if let Some(known) = a.known(index) {
        let found = whole_from_one(known).and_then(|place| at(place - 1));
        return Some(found.unwrap_or_else(|| Shaped::Real(a.fail(Failure::Index { index: known, length }))));
    }
    if length == 0 {
        return Some(Shaped::Real(a.fail(Failure::Index { index: f64::NAN, length })));
    }
    // One comparison per element; the failure stands in an arm of its own, where only an index out of range
    // demands it.
    let items: Vec<Of<A>> = (0..length).filter_map(at).collect();
    let mut hits = Vec::with_capacity(length);
    for place in 1..=length {
        let place = a.real(place as f64);
        hits.push(a.compare(Comparison::Eq, index, place));
    }
    let mut in_range = hits[0];
    for hit in &hits[1..] {
        in_range = a.either(in_range, *hit);
    }
    let mut flat = Vec::with_capacity(length);
    for item in &items {
        let mut reals = Vec::new();
        flatten(a, item, &mut reals);
        flat.push(reals);
    }
    let like = &items[0];
    if items.iter().any(|item| !same_shape(item, like)) {
        return None;
    }
    let width = flat[0].len();
    let picked = a.branch(
        in_range,
        &mut |a| {
            let mut picked = flat[length - 1].clone();
            for k in (0..length - 1).rev() {
                for (slot, x) in picked.iter_mut().zip(&flat[k]) {
                    *slot = a.select(hits[k], *x, *slot);
                }
            }
            picked
        },
        &mut |a| vec![a.fail(Failure::Index { index: f64::NAN, length }); width],
    );
    Some(rebuild(a, like, &mut picked.into_iter()))
}

/// A whole number from 1 as a place.
pub(super) fn whole_from_one(index: f64) -> Option<usize> {
    (index >= 1.0 && index == libm::trunc(index) && index < f64::from(u32::MAX)).then_some(index as usize)
}

/// Returns `true` if both have the same scalars in the same places.
fn same_shape<R, B>(x: &Shaped<R, B>, y: &Shaped<R, B>) -> bool {
    match (x, y) {
        (Shaped::Sequence(x), Shaped::Sequence(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same_shape(x, y))
        }
        _ => x.type_of() == y.type_of(),
    }
}

/// Its scalars as reals; a boolean as 1 or 0.
fn flatten<A: Arithmetic>(a: &mut A, value: &Of<A>, into: &mut Vec<A::Real>) {
    match value {
        Shaped::Real(x) => into.push(*x),
        Shaped::Bool(truth) => {
            let (one, zero) = (a.real(1.0), a.real(0.0));
            into.push(a.select(*truth, one, zero));
        }
        Shaped::Vector(v) => into.extend_from_slice(v),
        Shaped::Matrix(m) => into.extend_from_slice(&m.elements),
        Shaped::Sequence(items) => items.iter().for_each(|item| flatten(a, item, into)),
    }
}

/// A value of the shape of `like`, from what [`flatten`] makes of such.
fn rebuild<A: Arithmetic>(a: &mut A, like: &Of<A>, from: &mut dyn Iterator<Item = A::Real>) -> Of<A> {
    let mut next = |a: &mut A| from.next().unwrap_or_else(|| a.real(f64::NAN));
    match like {
        Shaped::Real(_) => Shaped::Real(next(a)),
        Shaped::Bool(_) => {
            let (real, zero) = (next(a), a.real(0.0));
            Shaped::Bool(a.compare(Comparison::Ne, real, zero))
        }
        Shaped::Vector(v) => Shaped::Vector(v.iter().map(|_| next(a)).collect()),
        Shaped::Matrix(m) => Shaped::Matrix(Matrix {
            rows: m.rows,
            columns: m.columns,
            elements: m.elements.iter().map(|_| next(a)).collect(),
        }),
        Shaped::Sequence(items) => {
            Shaped::Sequence(items.iter().map(|item| rebuild(a, item, from)).collect())
        }
    }
}
