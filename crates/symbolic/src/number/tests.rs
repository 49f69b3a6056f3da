//! Small numbers against big ones.

use super::*;
use num_traits::One;
use proptest::prelude::*;

#[test]
fn decimals_mean_what_people_write() {
    assert_eq!(Rational::from_decimal(0.1), Some(Rational::new(1, 10)));
    assert_eq!(Rational::from_decimal(-2.5e3), Some(Rational::from(-2500)));
    assert_eq!(Rational::from_decimal(9.81), Some(Rational::new(981, 100)));
    assert_eq!(Rational::from_decimal(1e30), Rational::from(10).power(30));
    assert_eq!(
        Rational::from_decimal(-5e-324),
        Rational::from(10).power(-324).map(|it| &it * &Rational::from(-5))
    );
    assert_eq!(Rational::from_decimal(-0.0), Some(Rational::zero()));
    assert_eq!(Rational::from_decimal(f64::NAN), None);
}

#[test]
fn powers_stay_within_bounds() {
    assert_eq!(Rational::new(2, 3).power(-2), Some(Rational::new(9, 4)));
    assert_eq!(Rational::from(10).power(1_000_000_000), None);
    assert_eq!(Rational::from(-1).power(i64::MAX), Some(Rational::from(-1)));
    assert_eq!(Rational::from(-1).power(i64::MIN), Some(Rational::one()));
    assert_eq!(Rational::zero().power(-1), None);
    assert_eq!(Rational::zero().power(0), Some(Rational::one()));
    assert_eq!(Rational::new(4, 9).root(2), Some(Rational::new(2, 3)));
    assert_eq!(Rational::from(2).root(2), None);
}

#[test]
fn takes_two_words() {
    assert_eq!(size_of::<Rational>(), 16);
}

/// Small numbers, and such as leave 64 bits at the next step.
fn whole() -> impl Strategy<Value = i64> {
    prop_oneof![-12..=12_i64, any::<i64>(), Just(i64::MIN), Just(i64::MAX), Just(1 << 62)]
}

fn fraction() -> impl Strategy<Value = (i64, i64)> {
    (whole(), whole()).prop_filter("a denominator is not zero", |(_, below)| *below != 0)
}

/// Checks the value, and that it is kept as small if and only if it fits.
fn check(found: &Rational, expected: &BigRational) {
    assert_eq!(found.big(), *expected);
    let fits = expected.numer().to_i64().is_some() && expected.denom().to_i64().is_some();
    assert_eq!(found.to_small().is_some(), fits, "{expected}");
}

proptest! {
    #[test]
    fn computes_like_big_numbers((a, b) in fraction(), (c, d) in fraction(), (e, f) in fraction()) {
        let big = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        let (x, y, z) = (Rational::new(a, b), Rational::new(c, d), Rational::new(e, f));
        let (u, v, w) = (big(a, b), big(c, d), big(e, f));
        check(&x, &u);
        check(&(&x + &y), &(&u + &v));
        check(&(&x - &y), &(&u - &v));
        check(&(&x * &y), &(&u * &v));
        check(&-&x, &-&u);
        // There and back: from small to big, and to small again.
        check(&(&(&(&x + &y) + &z) - &z), &(&u + &v));
        check(&(&(&x * &y) - &z), &(&(&u * &v) - &w));
        check(&x.abs(), &u.abs());
        check(&x.signum(), &u.signum());
        check(&x.floor(), &u.floor());
        check(&(&x * &y).floor(), &(&u * &v).floor());
        prop_assert_eq!(x.cmp(&y), u.cmp(&v));
        prop_assert_eq!((&x * &y).cmp(&z), (&u * &v).cmp(&w));
        prop_assert_eq!(x.is_even(), u.is_integer() && u.numer().is_even());
        prop_assert_eq!(x.to_string(), u.to_string());
        for (x, u) in [(&x, &u), (&(&x * &y), &(&u * &v))] {
            prop_assert_eq!(x.bits(), u.numer().bits().max(u.denom().bits()));
        }
        if c != 0 {
            check(&(&x / &y), &(&u / &v));
            check(&y.inverse().unwrap(), &v.recip());
        }
        for n in -3..=5 {
            if a != 0 || n >= 0 {
                check(&x.power(n.into()).unwrap(), &Pow::pow(&u, n));
            }
        }
        let common = x.common(&y);
        prop_assert!(!common.is_negative());
        if !common.is_zero() {
            let (m, n) = (&x / &common, &y / &common);
            prop_assert!(m.is_integer() && n.is_integer());
            prop_assert!(m.numerator().gcd(&n.numerator()).is_one());
        }
    }

    #[test]
    fn roots_undo_powers((a, b) in fraction(), q in 2..6_u32) {
        let x = Rational::new(a, b).abs();
        let power = x.power(q.into()).unwrap();
        prop_assert_eq!(power.root(q), Some(x.clone()));
        // One more than the power of a whole number is none, but for 0.
        if a != 0 {
            let whole = Rational::from(x.numerator()).power(q.into()).unwrap();
            prop_assert_eq!((&whole + &Rational::one()).root(q), None);
        }
    }

    #[test]
    fn reals_come_back(real in any::<f64>().prop_filter("finite", |real| real.is_finite())) {
        let number = Rational::from_decimal(real).unwrap();
        prop_assert_eq!(number.to_f64(), real);
    }
}

#[test]
fn the_reciprocal_of_a_long_number_is_found() {
    let long = (0..5).fold(Rational::one(), |it, _| &it * &Rational::from(10).power(1_000).unwrap());
    let reciprocal = long.power(-1).unwrap();
    assert!((&long * &reciprocal).is_one());
    assert_eq!(long.power(2), None, "it would be enormous");
}
