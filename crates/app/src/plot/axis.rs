//! Axes: from values to fractions of a length, and round numbers beside them.

use crate::console::format::number;

/// A range of values, laid along a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    /// The ends.
    low: f64,
    high: f64,
}

/// Values that differ by less than this part of themselves are the same.
const ROUNDING_TOLERANCE: f64 = 1e-12;

impl Axis {
    /// Returns the axis that holds all finite values; `None` if there is none.
    pub(crate) fn fit(values: impl Iterator<Item = f64>) -> Option<Self> {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if low > high {
            return None;
        }
        // A constant gets room on both sides; so does what differs from one by rounding, which is nothing
        // to look at.
        if high - low <= ROUNDING_TOLERANCE * low.abs().max(high.abs()) {
            let room = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
            // The very middle may lie between two dots, and rounding would go to and fro.
            let above = if low == high { room } else { 1.1 * room };
            return Some(Self { low: low - room, high: high + above });
        }
        Some(Self { low, high })
    }

    /// The length of the range.
    pub(crate) fn span(&self) -> f64 {
        self.high - self.low
    }

    /// Position of a value: 0 at the low end, 1 at the high end; `None` for NaN and infinities.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        value.is_finite().then(|| (value - self.low) / self.span())
    }

    /// At most `most` round values with their labels, ascending: multiples of 1, 2 or 5 times a power of ten.
    pub(crate) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let coarse = self.span() / most.max(1) as f64;
        let power = libm::pow(10.0, libm::floor(libm::log10(coarse)));
        let sizes = [1.0, 2.0, 5.0, 10.0, 20.0].map(|size| size * power);
        let multiples = |step: f64| {
            // Half a thousandth of a step forgives the rounding of the ends.
            let first = libm::ceil(self.low / step - 5e-4) as i64;
            let last = libm::floor(self.high / step + 5e-4) as i64;
            (first..=last).map(move |k| k as f64 * step)
        };
        let fits = |step: &f64| multiples(*step).count() <= most.max(1);
        let step = sizes.into_iter().find(fits).unwrap_or(self.span());
        let decimals = (-libm::floor(libm::log10(step) + 1e-9)).max(0.0);
        let label = |value: f64| {
            if decimals <= 5.0 && value.abs() < 1e6 {
                format!("{value:.0$}", decimals as usize)
            } else {
                number(value)
            }
        };
        multiples(step).map(|value| (value, label(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], most: usize) -> Vec<String> {
        let axis = Axis::fit(values.iter().copied()).unwrap();
        axis.ticks(most).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(&[0.0, 10.0], 6), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&[-1.6, 0.4], 5), ["-1.5", "-1.0", "-0.5", "0.0"]);
        assert_eq!(labels(&[0.0, 62.83], 7), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(labels(&[0.0, 3e-9], 4), ["0", "1.0e-9", "2.0e-9", "3.0e-9"]);
    }

    #[test]
    fn constants_get_room_and_nothing_gets_no_axis() {
        let axis = Axis::fit([49.55, 49.550_000_000_000_004].into_iter()).unwrap();
        assert!(axis.span() > 49.0, "rounding is not blown up");
        let axis = Axis::fit([49.55, 49.550_001].into_iter()).unwrap();
        assert!(axis.span() < 1.1e-6, "anything else is shown");
        let axis = Axis::fit([4.0, 4.0].into_iter()).unwrap();
        assert_eq!((axis.fraction(4.0), axis.span()), (Some(0.5), 4.0));
        assert_eq!(Axis::fit([0.0].into_iter()).unwrap().fraction(0.0), Some(0.5));
        assert_eq!(Axis::fit([].into_iter()), None);
        assert_eq!(Axis::fit([f64::NAN, f64::INFINITY].into_iter()), None);
    }

    #[test]
    fn values_without_a_place_are_ignored() {
        let axis = Axis::fit([f64::NAN, 1.0, f64::INFINITY, 3.0].into_iter()).unwrap();
        assert_eq!([1.0, 2.0, 3.0].map(|x| axis.fraction(x)), [Some(0.0), Some(0.5), Some(1.0)]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|x| axis.fraction(x)), [None; 3]);
    }

    #[test]
    fn there_are_never_more_ticks_than_asked_for() {
        for most in 1..12 {
            for high in [1.0, 1.1, 3.0, 7.7, 12.0, 999.0, 1e-7, 4e12] {
                let ticks = labels(&[0.0, high], most).len();
                assert!((1..=most).contains(&ticks), "{ticks} of {most} up to {high}");
            }
        }
    }
}
