//! Products of whole powers of kernels.

use std::cmp::Ordering;

/// The place of a kernel in its table.
pub(in crate::symbolic) type Place = u32;

/// A product of whole powers, negative ones included: places with exponents that are not 0, ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(in crate::symbolic) struct Monomial(Box<[(Place, i32)]>);

impl Monomial {
    pub(in crate::symbolic) fn one() -> Self {
        Self::default()
    }

    pub(in crate::symbolic) fn power(kernel: Place, exponent: i32) -> Self {
        if exponent == 0 { Self::one() } else { Self(Box::new([(kernel, exponent)])) }
    }

    pub(in crate::symbolic) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// Kernels and exponents, ascending.
    pub(in crate::symbolic) fn powers(&self) -> impl DoubleEndedIterator<Item = (Place, i32)> + '_ {
        self.0.iter().copied()
    }

    pub(in crate::symbolic) fn exponent(&self, kernel: Place) -> i32 {
        self.0.binary_search_by_key(&kernel, |it| it.0).map_or(0, |at| self.0[at].1)
    }

    pub(in crate::symbolic) fn times(&self, other: &Self) -> Self {
        self.merged(other, |a, b| a.saturating_add(b))
    }

    pub(in crate::symbolic) fn over(&self, other: &Self) -> Self {
        self.merged(other, |a, b| a.saturating_sub(b))
    }

    pub(in crate::symbolic) fn raised(&self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::one();
        }
        Self(self.0.iter().map(|&(kernel, power)| (kernel, power.saturating_mul(exponent))).collect())
    }

    /// The smaller exponent of each kernel: what both have in common.
    pub(in crate::symbolic) fn common(&self, other: &Self) -> Self {
        self.merged(other, i32::min)
    }

    /// Whether no exponent is negative.
    pub(in crate::symbolic) fn is_whole(&self) -> bool {
        self.0.iter().all(|it| it.1 > 0)
    }

    /// The part of the kernels for which `chosen` holds, and the rest.
    pub(in crate::symbolic) fn split(&self, chosen: impl Fn(Place, i32) -> bool) -> (Self, Self) {
        let (one, other): (Vec<_>, Vec<_>) =
            self.0.iter().copied().partition(|&(kernel, power)| chosen(kernel, power));
        (Self(one.into()), Self(other.into()))
    }

    fn merged(&self, other: &Self, join: impl Fn(i32, i32) -> i32) -> Self {
        let mut found = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let (kernel, power) = match (a.peek(), b.peek()) {
                (Some(&&(i, p)), Some(&&(j, q))) if i == j => {
                    a.next();
                    b.next();
                    (i, join(p, q))
                }
                (Some(&&(i, p)), other) if other.is_none_or(|it| i < it.0) => {
                    a.next();
                    (i, join(p, 0))
                }
                (_, Some(&&(j, q))) => {
                    b.next();
                    (j, join(0, q))
                }
                (_, None) => return Self(found.into()),
            };
            if power != 0 {
                found.push((kernel, power));
            }
        }
    }
}

impl FromIterator<(Place, i32)> for Monomial {
    fn from_iter<T: IntoIterator<Item = (Place, i32)>>(powers: T) -> Self {
        powers
            .into_iter()
            .fold(Self::one(), |product, (kernel, exponent)| product.times(&Self::power(kernel, exponent)))
    }
}

/// Lexicographic, earlier kernels first: an order that products respect, as division needs it.
impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (self.0.iter(), other.0.iter());
        loop {
            let different = match (a.next(), b.next()) {
                (None, None) => return Ordering::Equal,
                (Some(&(_, p)), None) => p.cmp(&0),
                (None, Some(&(_, q))) => 0.cmp(&q),
                (Some(&(i, p)), Some(&(j, q))) => match i.cmp(&j) {
                    Ordering::Equal => p.cmp(&q),
                    Ordering::Less => p.cmp(&0),
                    Ordering::Greater => 0.cmp(&q),
                },
            };
            if different != Ordering::Equal {
                return different;
            }
        }
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
