//! Operators and conversions of rational numbers.

use super::{Kept, Rational, SmallRational};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

impl From<i64> for Rational {
    fn from(whole: i64) -> Self {
        Self(Kept::Small(SmallRational::whole(whole)))
    }
}

impl From<BigInt> for Rational {
    fn from(whole: BigInt) -> Self {
        Self::from_big(BigRational::from_integer(whole))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Kept::Small(a), Kept::Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident $(, $whole:expr)?) => {
        impl $trait for &Rational {
            type Output = Rational;

            fn $method(self, other: &Rational) -> Rational {
                if let (Kept::Small(a), Kept::Small(b)) = (&self.0, &other.0) {
                    let (numerator, denominator) = a.$method(*b);
                    return Rational::reduced(numerator, denominator);
                }
                $(
                    // Nothing to reduce.
                    if self.is_integer() && other.is_integer() {
                        return Rational::from($whole(self.numerator(), other.numerator()));
                    }
                )?
                Rational::from_big($trait::$method(self.big(), other.big()))
            }
        }
    };
}

operator!(Add, add, <BigInt as Add>::add);
operator!(Sub, sub, <BigInt as Sub>::sub);
operator!(Mul, mul, <BigInt as Mul>::mul);
// Like that of whole numbers, it panics if the divisor is zero.
operator!(Div, div);

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Kept::Small(small) => match small.numerator().checked_neg() {
                Some(numerator) => Rational(Kept::Small(small.with(numerator))),
                None => Rational::reduced(-i128::from(small.numerator()), small.denominator().into()),
            },
            Kept::Big(big) => Rational::from_big(-&**big),
        }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.big(), f)
    }
}
