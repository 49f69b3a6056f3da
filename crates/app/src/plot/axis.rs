//! Axes: from values to fractions of a length, and round numbers beside them.

use crate::words::{number, power_of_ten};

/// How values are spread over the length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// By the logarithm: only positive values have a place.
    Log,
}

/// A range of values, laid along a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    scale: Scale,
    /// The ends; on a logarithmic axis, their decimal logarithms, which are whole.
    low: f64,
    high: f64,
}

/// Values that differ by less than this part of themselves are the same.
const ROUNDING: f64 = 1e-12;

impl Axis {
    /// The axis that holds all values that have a place on it; `None` if none has.
    pub(crate) fn fit(scale: Scale, values: impl Iterator<Item = f64>) -> Option<Self> {
        let places = values.filter_map(|value| place(scale, value));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if low > high {
            return None;
        }
        Some(match scale {
            Scale::Log => {
                let (low, high) = (libm::floor(low), libm::ceil(high));
                Self { scale, low, high: if high > low { high } else { low + 1.0 } }
            }
            // A constant gets room on both sides; so does what differs from one by rounding, which is nothing
            // to look at.
            Scale::Linear if high - low <= ROUNDING * low.abs().max(high.abs()) => {
                let room = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
                // The very middle may lie between two dots, and rounding would go to and fro.
                let above = if low == high { room } else { 1.1 * room };
                Self { scale, low: low - room, high: high + above }
            }
            Scale::Linear => Self { scale, low, high },
        })
    }

    /// The length of the range.
    pub(crate) fn span(&self) -> f64 {
        self.high - self.low
    }

    /// Where a value lies: 0 at the low end, 1 at the high end; `None` for NaN, and for what has no
    /// logarithm.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        place(self.scale, value).map(|x| (x - self.low) / self.span())
    }

    /// At most `most` round values with their labels, ascending.
    pub(crate) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => self.linear_ticks(most),
            Scale::Log => self.log_ticks(most),
        }
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn linear_ticks(&self, most: usize) -> Vec<(f64, String)> {
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

    /// Powers of ten, as many apart as it takes.
    fn log_ticks(&self, most: usize) -> Vec<(f64, String)> {
        let (low, high) = (self.low as i32, self.high as i32);
        let every = (1..).find(|every| (high - low) / every < most.max(1) as i32).unwrap_or(1);
        let exponents = (low..=high).rev().step_by(every as usize).collect::<Vec<_>>();
        exponents.into_iter().rev().map(|e| (libm::pow(10.0, f64::from(e)), power_of_ten(e))).collect()
    }
}

/// Where a value lies on an endless axis.
fn place(scale: Scale, value: f64) -> Option<f64> {
    let place = match scale {
        Scale::Linear => value,
        Scale::Log if value > 0.0 => libm::log10(value),
        Scale::Log => f64::NAN,
    };
    place.is_finite().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64], most: usize) -> Vec<String> {
        let axis = Axis::fit(scale, values.iter().copied()).unwrap();
        axis.ticks(most).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(Scale::Linear, &[0.0, 10.0], 6), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(Scale::Linear, &[-1.6, 0.4], 5), ["-1.5", "-1.0", "-0.5", "0.0"]);
        assert_eq!(labels(Scale::Linear, &[0.0, 62.83], 7), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(labels(Scale::Linear, &[0.0, 3e-9], 4), ["0", "1.0e-9", "2.0e-9", "3.0e-9"]);
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        assert_eq!(labels(Scale::Log, &[2e-4, 0.03], 6), ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]);
        assert_eq!(labels(Scale::Log, &[2e-16, 0.03], 4), ["10⁻¹³", "10⁻⁹", "10⁻⁵", "10⁻¹"]);
        assert_eq!(labels(Scale::Log, &[1.0], 4), ["10⁰", "10¹"]);
    }

    #[test]
    fn constants_get_room_and_nothing_gets_no_axis() {
        let axis = Axis::fit(Scale::Linear, [49.55, 49.550_000_000_000_004].into_iter()).unwrap();
        assert!(axis.span() > 49.0, "rounding is not blown up");
        let axis = Axis::fit(Scale::Linear, [49.55, 49.550_001].into_iter()).unwrap();
        assert!(axis.span() < 1.1e-6, "anything else is shown");
        let axis = Axis::fit(Scale::Linear, [4.0, 4.0].into_iter()).unwrap();
        assert_eq!((axis.fraction(4.0), axis.span()), (Some(0.5), 4.0));
        assert_eq!(Axis::fit(Scale::Linear, [0.0].into_iter()).unwrap().fraction(0.0), Some(0.5));
        assert_eq!(Axis::fit(Scale::Linear, [].into_iter()), None);
        assert_eq!(Axis::fit(Scale::Linear, [f64::NAN, f64::INFINITY].into_iter()), None);
        assert_eq!(Axis::fit(Scale::Log, [0.0, -1.0].into_iter()), None);
    }

    #[test]
    fn values_without_a_place_are_ignored() {
        let axis = Axis::fit(Scale::Log, [f64::NAN, 0.0, 1.0, 100.0].into_iter()).unwrap();
        assert_eq!([1.0, 10.0, 100.0].map(|x| axis.fraction(x)), [Some(0.0), Some(0.5), Some(1.0)]);
        assert_eq!([0.0, -1.0, f64::NAN].map(|x| axis.fraction(x)), [None; 3]);
    }

    #[test]
    fn there_are_never_more_ticks_than_asked_for() {
        for most in 1..12 {
            for high in [1.0, 1.1, 3.0, 7.7, 12.0, 999.0, 1e-7, 4e12] {
                let ticks = labels(Scale::Linear, &[0.0, high], most).len();
                assert!((1..=most).contains(&ticks), "{ticks} of {most} up to {high}");
            }
        }
    }
}
