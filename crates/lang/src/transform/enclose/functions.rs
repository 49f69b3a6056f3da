//! Functions of `libm` that rise or fall throughout: their extremes are at the ends.
//!
//! With an error below one unit in the last place, what is computed inside an interval exceeds what is
//! computed at its end by less than two.

use super::interval::{Encloser, Interval, Sign};
use crate::arithmetic::{Binary, Comparison, Unary, small_integer};
use crate::ir::NodeId;
use std::f64::consts::{FRAC_PI_2, PI};

/// Units in the last place by which ends made by `libm` are moved outwards.
pub(super) const UNITS: u32 = 2;

/// The relative error of a power whose exponent may happen to be a small whole number, with room to spare:
/// those are products, which err by up to 8 halves of [`f64::EPSILON`].
const ERROR_OF_POWER: f64 = 16.0 * f64::EPSILON;

/// Below this errors are no longer relative.
const SMALLEST_POWER: f64 = 1e-300;

impl Encloser {
    fn rising(&mut self, operation: Unary, x: Interval) -> Interval {
        let (lo, hi) = (self.writer.unary(operation, x.lo), self.writer.unary(operation, x.hi));
        let is_point = self.is_point(x);
        self.widened(is_point, lo, hi, UNITS)
    }

    pub(super) fn exp(&mut self, x: Interval) -> Interval {
        let result = self.rising(Unary::Exp, x);
        let result = self.within(result, 0.0, f64::INFINITY);
        Interval { lo: self.lower_finite(result.lo), ..result }
    }

    /// A lower end below ∞.
    fn lower_finite(&mut self, end: NodeId) -> NodeId {
        let largest = self.writer.real(f64::MAX);
        self.writer.min(end, largest)
    }

    pub(super) fn log(&mut self, x: Interval) -> Interval {
        let x = self.within(x, 0.0, f64::INFINITY);
        let result = self.rising(Unary::Log, x);
        let least = self.writer.real(f64::MIN);
        Interval { hi: self.writer.max(result.hi, least), ..result }
    }

    pub(super) fn atan(&mut self, x: Interval) -> Interval {
        let result = self.rising(Unary::Atan, x);
        self.within(result, -FRAC_PI_2.next_up(), FRAC_PI_2.next_up())
    }

    pub(super) fn asin(&mut self, x: Interval) -> Interval {
        let x = self.within(x, -1.0, 1.0);
        let result = self.rising(Unary::Asin, x);
        self.within(result, -FRAC_PI_2.next_up(), FRAC_PI_2.next_up())
    }

    pub(super) fn acos(&mut self, x: Interval) -> Interval {
        let x = self.within(x, -1.0, 1.0);
        let (lo, hi) = (self.writer.unary(Unary::Acos, x.hi), self.writer.unary(Unary::Acos, x.lo));
        let is_point = self.is_point(x);
        let result = self.widened(is_point, lo, hi, UNITS);
        self.within(result, 0.0, PI.next_up())
    }

    /// Truth of: the angle of the points (y, x) may jump, because the box touches the half-line x ≤ 0 of the
    /// axis. The two zeros count as one here, although the angle tells them apart.
    pub(super) fn meets_cut(&mut self, y: Interval, x: Interval) -> NodeId {
        let zero = self.writer.real(0.0);
        let left = self.writer.compare(Comparison::Le, x.lo, zero);
        let on_axis = self.contains(y, 0.0);
        self.writer.and(left, on_axis)
    }

    /// The angle of the point (x, y) of the plane, in the order `atan2(y, x)`. Seen from the origin, a box
    /// away from the cut spans the angles between two of its corners.
    pub(super) fn atan2(&mut self, y: Interval, x: Interval) -> Interval {
        let corners = [(y.lo, x.lo), (y.lo, x.hi), (y.hi, x.lo), (y.hi, x.hi)];
        let [a, b, c, d] = corners.map(|(y, x)| self.writer.binary(Binary::Atan2, y, x));
        let w = &mut self.writer;
        let low = (w.min(a, b), w.min(c, d));
        let high = (w.max(a, b), w.max(c, d));
        let (lo, hi) = (w.min(low.0, low.1), w.max(high.0, high.1));
        let is_point = self.are_points(y, x);
        let away = self.widened(is_point, lo, hi, UNITS);
        let away = self.within(away, -PI.next_up(), PI.next_up());
        let (least, greatest) = (self.writer.real(-PI.next_up()), self.writer.real(PI.next_up()));
        let around = Interval { lo: least, hi: greatest, sign: Sign::Any };
        let meets = self.meets_cut(y, x);
        self.choose(meets, around, away)
    }

    /// A random number: that of the program where seed and key are points, else any in its range.
    pub(super) fn random(
        &mut self,
        operation: Binary,
        x: Interval,
        y: Interval,
        least: f64,
        greatest: f64,
    ) -> Interval {
        let number = self.writer.binary(operation, x.lo, y.lo);
        let (least, greatest) = (self.constant(least), self.constant(greatest));
        let range = Interval { lo: least.lo, hi: greatest.lo, sign: least.sign };
        let are_points = self.are_points(x, y);
        self.choose(are_points, Interval { lo: number, hi: number, sign: least.sign }, range)
    }

    /// Truth of: both are single numbers.
    pub(super) fn are_points(&mut self, x: Interval, y: Interval) -> NodeId {
        let (x, y) = (self.is_point(x), self.is_point(y));
        self.writer.and(x, y)
    }

    /// xʸ
    pub(super) fn pow(&mut self, x: Interval, y: Interval) -> Interval {
        match self.known(y) {
            Some(exponent) => match small_integer(exponent) {
                Some(n) => self.integer_power(x, n),
                None if exponent == libm::trunc(exponent) => self.large_power(x, exponent),
                None => self.power_of_not_negative(x, exponent),
            },
            None => self.general_power(x, y),
        }
    }

    /// By the same products as [`crate::arithmetic::integer_power`], each enclosed.
    fn integer_power(&mut self, x: Interval, n: i32) -> Interval {
        let mut power: Option<Interval> = None;
        let mut square = x;
        let mut left = n.unsigned_abs();
        while left > 0 {
            if left & 1 == 1 {
                power = Some(match power {
                    None => square,
                    Some(power) => self.mul(power, square),
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.square(square);
            }
        }
        let one = self.constant(1.0);
        match power {
            None => one,
            Some(power) if n < 0 => self.div(one, power, false),
            Some(power) => power,
        }
    }

    /// A whole exponent beyond those that are products.
    fn large_power(&mut self, x: Interval, exponent: f64) -> Interval {
        let even = exponent * 0.5 == libm::trunc(exponent * 0.5);
        if even {
            let x = self.abs(x);
            return self.power_of_not_negative(x, exponent);
        }
        if x.sign == Sign::NotNegative {
            return self.power_of_not_negative(x, exponent);
        }
        let result = self.power_between(x, exponent);
        if exponent > 0.0 {
            return result;
        }
        let (around, whole) = (self.contains(x, 0.0), self.whole());
        self.choose(around, whole, result)
    }

    /// Of the part of x that is not negative, and of -0 as 0.
    fn power_of_not_negative(&mut self, x: Interval, exponent: f64) -> Interval {
        let x = self.within(x, 0.0, f64::INFINITY);
        let result = self.power_between(x, exponent);
        self.within(result, 0.0, f64::INFINITY)
    }

    /// The powers of the ends, where the power rises or falls throughout.
    fn power_between(&mut self, x: Interval, exponent: f64) -> Interval {
        let (from, to) = if exponent > 0.0 { (x.lo, x.hi) } else { (x.hi, x.lo) };
        let exponent = self.writer.real(exponent);
        let (lo, hi) =
            (self.writer.binary(Binary::Pow, from, exponent), self.writer.binary(Binary::Pow, to, exponent));
        let is_point = self.is_point(x);
        let result = self.widened(is_point, lo, hi, UNITS);
        let least = self.writer.real(f64::MIN);
        Interval { lo: self.lower_finite(result.lo), hi: self.writer.max(result.hi, least), ..result }
    }

    /// Both operands vary. For x ≥ 0 it is monotonic in each, so extremes are at corners; a negative x has
    /// powers only where y is a whole number, and nothing is said.
    fn general_power(&mut self, x: Interval, y: Interval) -> Interval {
        let clipped = self.within(x, 0.0, f64::INFINITY);
        let corners = [(clipped.lo, y.lo), (clipped.lo, y.hi), (clipped.hi, y.lo), (clipped.hi, y.hi)];
        // A reciprocal of a product that overflows counts as failed; as a corner it is the zero that it tends
        // to.
        let [a, b, c, d] = corners.map(|(x, y)| {
            let power = self.writer.binary(Binary::Pow, x, y);
            self.number_or_zero(power)
        });
        let w = &mut self.writer;
        let low = (w.min(a, b), w.min(c, d));
        let high = (w.max(a, b), w.max(c, d));
        let (lo, hi) = (w.min(low.0, low.1), w.max(high.0, high.1));
        let result = self.blurred(lo, hi);
        if x.sign == Sign::NotNegative {
            return result;
        }
        let zero = self.writer.real(0.0);
        let negative = self.writer.compare(Comparison::Lt, x.lo, zero);
        let whole = self.whole();
        self.choose(negative, whole, result)
    }

    /// Ends that are not negative, moved outwards by [`ERROR_OF_POWER`].
    fn blurred(&mut self, lo: NodeId, hi: NodeId) -> Interval {
        let w = &mut self.writer;
        let (zero, smallest) = (w.real(0.0), w.real(SMALLEST_POWER));
        let (less, more) = (w.real(1.0 - ERROR_OF_POWER), w.real(1.0 + ERROR_OF_POWER));
        let (lo, hi) = (w.mul(lo, less), w.mul(hi, more));
        let tiny = w.compare(Comparison::Lt, lo, smallest);
        let lo = w.select(tiny, zero, lo);
        let hi = w.max(hi, smallest);
        Interval { lo: self.lower_finite(lo), hi, sign: Sign::NotNegative }
    }
}
