//! One component within one step of length h: a polynomial of degree four in θ = (t - start)/h.
//!
//! p(θ) = y + θ(Δ + (1-θ)(hk - Δ + θ(2Δ - h(k + k′) + (1-θ)β)))
//!
//! It has value y and rate k at θ = 0, value y + Δ and rate k′ at θ = 1, in exact arithmetic and in rounded.
//! With β = 0 it is Hermite's cubic; in Dormand and Prince's method β is the coefficient of θ⁴ in the
//! continuous extension, which makes it of fourth order (@hairer1993, II.6). The rate is
//!
//! p′(θ)/h = (1-θ)k + θk′ + θ(1-θ)(3(2Δ - h(k + k′)) + 2(1-2θ)β)/h
//!
//! Bounds come from Bernstein's basis: on any interval a polynomial lies in the convex hull of its
//! coefficients there, which shrinks onto the graph with the square of the interval (@farouki2012).

/// A component within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// y.
    pub(super) start: f64,
    /// Δ.
    pub(super) change: f64,
    /// k.
    pub(super) first: f64,
    /// k′.
    pub(super) last: f64,
    /// β.
    pub(super) bulge: f64,
}

/// Least and greatest.
pub(super) type Range = (f64, f64);

/// Widening of bounds, in units of the sum of all terms.
///
/// With the unit roundoff u = ε/2 and for 0 ≤ θ ≤ 1: no term of p passes more than 10 roundings, which gives
/// at most 16u of the sum; Bernstein's coefficients take 5u, four rounds of de Casteljau's algorithm 12u, and
/// the rounding of θ itself 12u. The rate needs less. Outside of the step the same count holds for the powers
/// of |θ| + |1-θ|, with 40u for p.
const PAD: f64 = 64.0 * f64::EPSILON;

impl Piece {
    /// Returns `true` if neither values nor rates within the step, nor anything on the way to them, can
    /// overflow.
    pub(super) fn is_sound(&self, h: f64) -> bool {
        let (values, rates) = (self.size(h), self.rate_size(h));
        (self.start.abs() + 16.0 * values).is_finite() && (16.0 * rates).is_finite()
    }

    /// The value at θ.
    pub(super) fn value(&self, h: f64, theta: f64) -> f64 {
        let rest = 1.0 - theta;
        let bend = self.bend(h) + rest * self.bulge;
        self.start + theta * (self.change + rest * ((h * self.first - self.change) + theta * bend))
    }

    /// The rate at θ.
    pub(super) fn rate(&self, h: f64, theta: f64) -> f64 {
        let rest = 1.0 - theta;
        let bend = 3.0 * self.bend(h) + 2.0 * (1.0 - 2.0 * theta) * self.bulge;
        (rest * self.first + theta * self.last) + theta * rest * (bend / h)
    }

    /// 2Δ - h(k + k′): what Hermite's cubic has beyond a parabola.
    fn bend(&self, h: f64) -> f64 {
        2.0 * self.change - h * (self.first + self.last)
    }

    /// Bounds of the value for θ from `a` to `b`.
    pub(super) fn bounds(&self, h: f64, a: f64, b: f64) -> Range {
        let (k, k_end) = (h * self.first, h * self.last);
        let middle = 0.5 * (self.change + (k - k_end) / 3.0) + self.bulge / 6.0;
        let points = [0.0, 0.25 * k, middle, self.change - 0.25 * k_end, self.change];
        let (least, greatest) = widened(hull(points, a, b), self.size(h), a, b);
        // Rounding is monotonic, so the sums already bound all values that are given; the neighbours bound
        // the exact ones.
        (outward_down(self.start, least), outward_up(self.start, greatest))
    }

    /// Bounds of the rate for θ from `a` to `b`.
    pub(super) fn rate_bounds(&self, h: f64, a: f64, b: f64) -> Range {
        let (k, k_end) = (self.first, self.last);
        let (mean, bulge) = (2.0 * (self.change / h), 2.0 * (self.bulge / h) / 3.0);
        let before = mean - (k + 2.0 * k_end) / 3.0 + bulge;
        let after = mean - (2.0 * k + k_end) / 3.0 - bulge;
        widened(hull([k, before, after, k_end], a, b), self.rate_size(h), a, b)
    }

    /// The sum of all terms of the value but y.
    fn size(&self, h: f64) -> f64 {
        self.change.abs() + h * (self.first.abs() + self.last.abs()) + self.bulge.abs()
    }

    /// The sum of all terms of the rate.
    fn rate_size(&self, h: f64) -> f64 {
        self.first.abs() + self.last.abs() + (self.change.abs() + self.bulge.abs()) / h
    }
}

/// The hull of Bernstein's coefficients on [a, b] of the polynomial with the coefficients `points` on [0, 1].
///
/// Coefficient j is the blossom of the polynomial, j times at b and else at a: each argument is one round of
/// de Casteljau's algorithm, in any order.
fn hull<const N: usize>(mut points: [f64; N], a: f64, b: f64) -> Range {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for j in 0..N {
        let mut blossom = points;
        for rounds in (j + 1..N).rev() {
            casteljau(&mut blossom, rounds - j, a);
        }
        (least, greatest) = (least.min(blossom[0]), greatest.max(blossom[0]));
        casteljau(&mut points, N - 1 - j, b);
    }
    (least, greatest)
}

/// One round of de Casteljau's algorithm at θ: `count` + 1 coefficients become `count`.
fn casteljau(points: &mut [f64], count: usize, theta: f64) {
    for i in 0..count {
        points[i] = (1.0 - theta) * points[i] + theta * points[i + 1];
    }
}

/// A range widened by the roundings of values and bounds.
fn widened((least, greatest): Range, size: f64, a: f64, b: f64) -> Range {
    if size == 0.0 {
        return (least, greatest);
    }
    let weight = (a.abs() + (1.0 - a).abs()).max(b.abs() + (1.0 - b).abs());
    let square = weight * weight;
    // The smallest normal number is for terms so small that they lose digits.
    let pad = PAD * size * (square * square) + f64::MIN_POSITIVE;
    (least - pad, greatest + pad)
}

/// A lower bound of the exact sum, and the sum itself where nothing is added.
fn outward_down(y: f64, change: f64) -> f64 {
    if change == 0.0 { y } else { (y + change).next_down() }
}

/// An upper bound of the exact sum, and the sum itself where nothing is added.
fn outward_up(y: f64, change: f64) -> f64 {
    if change == 0.0 { y } else { (y + change).next_up() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces() -> impl Strategy<Value = (Piece, f64)> {
        let number = || (-1.0_f64..1.0, -12_i32..12).prop_map(|(x, e)| x * libm::pow(10.0, f64::from(e)));
        let zero_or = move || prop_oneof![1 => Just(0.0), 5 => number()];
        (number(), zero_or(), zero_or(), zero_or(), zero_or(), -9_i32..3).prop_map(
            |(start, change, first, last, bulge, e)| {
                (Piece { start, change, first, last, bulge }, libm::pow(10.0, f64::from(e)))
            },
        )
    }

    fn contains((least, greatest): Range, x: f64) -> bool {
        least <= x && x <= greatest
    }

    proptest! {
        #[test]
        fn ends_are_met_to_the_last_bit((piece, h) in pieces()) {
            prop_assert_eq!(piece.value(h, 0.0), piece.start);
            prop_assert_eq!(piece.value(h, 1.0), piece.start + piece.change);
            prop_assert_eq!(piece.rate(h, 0.0), piece.first);
            prop_assert_eq!(piece.rate(h, 1.0), piece.last);
        }

        #[test]
        fn bounds_contain_a_thousand_samples((piece, h) in pieces(), a in -0.5..1.5_f64, width in 0.0..1.0_f64, e in 0..16) {
            let b = a + width * libm::pow(10.0, -f64::from(e));
            let (values, rates) = (piece.bounds(h, a, b), piece.rate_bounds(h, a, b));
            for n in 0..=1000 {
                let theta = (a + (b - a) * (f64::from(n) / 1000.0)).clamp(a, b);
                prop_assert!(contains(values, piece.value(h, theta)), "value at {theta}");
                prop_assert!(contains(rates, piece.rate(h, theta)), "rate at {theta}");
            }
        }

        /// (p(θ + δ) - p(θ - δ))/2δ = p′ + p‴δ²/6, and |p‴| is at most 6(2|Δ| + h|k| + h|k′|) + 12|β|.
        #[test]
        fn the_rate_is_the_derivative_of_the_value((piece, h) in pieces(), theta in 0.1..0.9_f64) {
            let delta = 1e-4;
            let piece = Piece { start: 0.0, ..piece };
            let slope = (piece.value(h, theta + delta) - piece.value(h, theta - delta)) / (2.0 * delta);
            let size = piece.size(h);
            prop_assert!((slope - h * piece.rate(h, theta)).abs() <= (2.0 * delta * delta + 1e-11) * size);
        }
    }

    /// The excess of the bounds over the range on an interval of length w around an extremum off its middle.
    #[test]
    fn bounds_converge_with_the_square_of_the_interval() {
        let piece = Piece { start: 3.0, change: 0.2, first: 1.0, last: -1.5, bulge: 0.4 };
        let mut extremum = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (extremum.0 + extremum.1);
            if piece.rate(1.0, middle) > 0.0 { extremum.0 = middle } else { extremum.1 = middle }
        }
        let top = piece.value(1.0, extremum.0);
        let excess = |w: f64| {
            let (a, b) = (extremum.0 - 0.4 * w, extremum.0 + 0.6 * w);
            let bottom = piece.value(1.0, a).min(piece.value(1.0, b));
            let (least, greatest) = piece.bounds(1.0, a, b);
            (greatest - top).max(bottom - least)
        };
        for halvings in 0..8 {
            let w = 0.4 * libm::pow(0.5, f64::from(halvings));
            let ratio = excess(w) / excess(0.5 * w);
            assert!(ratio > 3.5, "{ratio} at width {w}");
        }
        assert!(excess(1e-9) < 1e-12);
    }
}
