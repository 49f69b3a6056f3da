//! Products of whole powers of kernels.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Place of a kernel in its table.
pub(crate) type Place = u32;

/// A kernel and its exponent.
type Power = (Place, i32);

/// Number of powers that are stored without allocation: enough for nearly all of mechanics.
const INLINE_POWERS: usize = 6;

/// A product of whole powers, negative ones included: places with exponents that are not 0, ascending.
#[derive(Clone, Debug)]
pub(crate) struct Monomial(Kept);

#[derive(Clone, Debug)]
enum Kept {
    /// Number of powers, and the powers themselves.
    Inline(u8, [Power; INLINE_POWERS]),
    /// More powers than that.
    Many(Vec<Power>),
}

impl Monomial {
    pub(crate) fn one() -> Self {
        Self(Kept::Inline(0, [(0, 0); INLINE_POWERS]))
    }

    pub(crate) fn power(kernel: Place, exponent: i32) -> Self {
        let mut one = Self::one();
        one.push(kernel, exponent);
        one
    }

    fn slice(&self) -> &[Power] {
        match &self.0 {
            Kept::Inline(count, powers) => &powers[..usize::from(*count)],
            Kept::Many(powers) => powers,
        }
    }

    /// Multiplies by the power of a kernel that comes after all others.
    fn push(&mut self, kernel: Place, exponent: i32) {
        if exponent == 0 {
            return;
        }
        match &mut self.0 {
            Kept::Inline(count, powers) if usize::from(*count) < INLINE_POWERS => {
                powers[usize::from(*count)] = (kernel, exponent);
                *count += 1;
            }
            Kept::Inline(_, powers) => {
                let mut many = Vec::with_capacity(2 * INLINE_POWERS);
                many.extend_from_slice(powers);
                many.push((kernel, exponent));
                self.0 = Kept::Many(many);
            }
            Kept::Many(powers) => powers.push((kernel, exponent)),
        }
    }

    pub(crate) fn is_one(&self) -> bool {
        self.slice().is_empty()
    }

    /// Kernels and exponents, ascending.
    pub(crate) fn powers(&self) -> impl DoubleEndedIterator<Item = Power> + '_ {
        self.slice().iter().copied()
    }

    pub(crate) fn exponent(&self, kernel: Place) -> i32 {
        self.slice().iter().find(|it| it.0 >= kernel).map_or(0, |it| if it.0 == kernel { it.1 } else { 0 })
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        self.merged(other, |a, b| a.saturating_add(b))
    }

    pub(crate) fn over(&self, other: &Self) -> Self {
        self.merged(other, |a, b| a.saturating_sub(b))
    }

    pub(crate) fn raised(&self, exponent: i32) -> Self {
        let mut power = self.clone();
        match &mut power.0 {
            _ if exponent == 0 => return Self::one(),
            Kept::Inline(_, powers) => powers.iter_mut().for_each(|it| it.1 = it.1.saturating_mul(exponent)),
            Kept::Many(powers) => powers.iter_mut().for_each(|it| it.1 = it.1.saturating_mul(exponent)),
        }
        power
    }

    /// Returns the smaller exponent of each kernel: the greatest common divisor.
    pub(crate) fn common(&self, other: &Self) -> Self {
        self.merged(other, i32::min)
    }

    /// Returns `true` if no exponent is negative.
    pub(crate) fn is_whole(&self) -> bool {
        self.slice().iter().all(|it| it.1 > 0)
    }

    /// Splits into the kernels for which `chosen` holds, and the rest.
    pub(crate) fn split(&self, chosen: impl Fn(Place, i32) -> bool) -> (Self, Self) {
        let (mut one, mut other) = (Self::one(), Self::one());
        for (kernel, power) in self.powers() {
            if chosen(kernel, power) { &mut one } else { &mut other }.push(kernel, power);
        }
        (one, other)
    }

    fn merged(&self, other: &Self, join: impl Fn(i32, i32) -> i32) -> Self {
        let (mut a, mut b) = (self.slice(), other.slice());
        let mut found = Self::one();
        while let (&[(i, p), ref more_a @ ..], &[(j, q), ref more_b @ ..]) = (a, b) {
            match i.cmp(&j) {
                Ordering::Equal => {
                    found.push(i, join(p, q));
                    (a, b) = (more_a, more_b);
                }
                Ordering::Less => {
                    found.push(i, join(p, 0));
                    a = more_a;
                }
                Ordering::Greater => {
                    found.push(j, join(0, q));
                    b = more_b;
                }
            }
        }
        a.iter().for_each(|&(kernel, power)| found.push(kernel, join(power, 0)));
        b.iter().for_each(|&(kernel, power)| found.push(kernel, join(0, power)));
        found
    }
}

impl Default for Monomial {
    fn default() -> Self {
        Self::one()
    }
}

impl FromIterator<Power> for Monomial {
    fn from_iter<T: IntoIterator<Item = Power>>(powers: T) -> Self {
        powers
            .into_iter()
            .fold(Self::one(), |product, (kernel, exponent)| product.times(&Self::power(kernel, exponent)))
    }
}

impl PartialEq for Monomial {
    fn eq(&self, other: &Self) -> bool {
        self.slice() == other.slice()
    }
}

impl Eq for Monomial {}

impl Hash for Monomial {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (kernel, power) in self.powers() {
            state.write_u64(u64::from(kernel) << 32 | u64::from(power.cast_unsigned()));
        }
        state.write_usize(self.slice().len());
    }
}

/// Lexicographic, earlier kernels first: a monomial order, as division needs it.
impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (self.powers(), other.powers());
        loop {
            let different = match (a.next(), b.next()) {
                (None, None) => return Ordering::Equal,
                (Some((_, p)), None) => p.cmp(&0),
                (None, Some((_, q))) => 0.cmp(&q),
                (Some((i, p)), Some((j, q))) => match i.cmp(&j) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A product of up to ten powers: such as need no memory of their own, and others.
    fn monomial() -> impl Strategy<Value = Monomial> {
        prop::collection::vec((0..10_u32, -2..3), 0..11).prop_map(|it| it.into_iter().collect())
    }

    proptest! {
        /// Against exponents in a row.
        #[test]
        fn computes_by_exponents(a in monomial(), b in monomial(), c in monomial()) {
            let row = |it: &Monomial| (0..10).map(|kernel| it.exponent(kernel)).collect::<Vec<i32>>();
            let both = |join: fn(i32, i32) -> i32| -> Vec<i32> {
                row(&a).into_iter().zip(row(&b)).map(|(p, q)| join(p, q)).collect()
            };
            prop_assert_eq!(row(&a.times(&b)), both(|p, q| p + q));
            prop_assert_eq!(row(&a.over(&b)), both(|p, q| p - q));
            prop_assert_eq!(row(&a.common(&b)), both(i32::min));
            prop_assert_eq!(row(&a.raised(-3)), row(&a).into_iter().map(|p| -3 * p).collect::<Vec<_>>());
            prop_assert_eq!(a.cmp(&b), row(&a).cmp(&row(&b)));
            prop_assert_eq!(a == b, row(&a) == row(&b));
            prop_assert_eq!(a.times(&c).cmp(&b.times(&c)), a.cmp(&b));
            prop_assert_eq!(&a.times(&b).over(&b), &a);
            prop_assert_eq!(a.is_whole(), row(&a).iter().all(|it| *it >= 0));
            let (even, odd) = a.split(|kernel, _| kernel % 2 == 0);
            prop_assert_eq!(even.times(&odd), a.clone());
            prop_assert!(even.powers().all(|(kernel, _)| kernel % 2 == 0));
        }
    }
}
