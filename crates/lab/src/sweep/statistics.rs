//! What the runs of a sweep gave, summed up: counts of a few values, or moments and quartiles of many.

use gedanken_math::gamma::chi_square_exceeded;

/// Maximum number of different values that are counted one by one, such as the faces of a die.
const MAX_DISTINCT: usize = 20;

/// Summary of a quantity over all runs that gave it a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Summary {
    /// No run gave it a value.
    Nothing,
    /// A few values that occur again and again.
    Counts(Counts),
    /// Numbers spread over a range.
    Spread(Spread),
}

/// How often each value occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// Values, increasing, with how often each occurred.
    pub counts: Vec<(f64, u64)>,
    /// Comparison with equal frequencies of those values that occurred; `None` of a single value.
    pub equal: Option<ChiSquare>,
}

/// Pearson's test of counts against expected ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// Σ (found - expected)²/expected.
    pub chi_square: f64,
    /// One less than there are values.
    pub degrees_of_freedom: u64,
    /// Probability that chance alone gives as much or more.
    pub p: f64,
    /// Count expected of each value. Below 5 the probability is rough.
    pub expected: f64,
}

/// Moments and quartiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Number of values.
    pub count: u64,
    /// Sum over number.
    pub mean: f64,
    /// √(Σ (x - mean)²/(n - 1)); `None` of a single value.
    pub deviation: Option<f64>,
    /// Least, lower quartile, median, upper quartile, greatest; between two values in proportion.
    pub quartiles: [f64; 5],
}

impl Summary {
    /// Sums up the values that are finite. The order of the values does not matter but for the rounding of
    /// sums.
    pub fn of(values: &[f64]) -> Self {
        let finite: Vec<f64> = values.iter().copied().filter(|it| it.is_finite()).collect();
        let mut sorted = finite.clone();
        sorted.sort_by(f64::total_cmp);
        if sorted.is_empty() {
            return Self::Nothing;
        }
        match counts(&sorted) {
            // Numbers that hardly ever occur twice are no faces of a die, however few there are.
            Some(counts) if 2 * counts.len() <= sorted.len() => Self::Counts(Counts::new(counts)),
            _ => Self::Spread(Spread::new(&finite, &sorted)),
        }
    }
}

/// Different values with their counts, unless there are too many. -0 and 0 are one.
fn counts(sorted: &[f64]) -> Option<Vec<(f64, u64)>> {
    let mut counts: Vec<(f64, u64)> = Vec::new();
    for &value in sorted {
        let different = counts.len();
        match counts.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            _ if different == MAX_DISTINCT => return None,
            // Adding 0 takes the sign from -0.
            _ => counts.push((value + 0.0, 1)),
        }
    }
    Some(counts)
}

impl Counts {
    fn new(counts: Vec<(f64, u64)>) -> Self {
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        let expected = total as f64 / counts.len() as f64;
        let square = |count: u64| (count as f64 - expected) * (count as f64 - expected) / expected;
        let equal = (counts.len() > 1).then(|| {
            let chi_square = counts.iter().map(|(_, count)| square(*count)).sum();
            let degrees_of_freedom = counts.len() as u64 - 1;
            let p = chi_square_exceeded(chi_square, degrees_of_freedom as f64);
            ChiSquare { chi_square, degrees_of_freedom, p, expected }
        });
        Self { counts, equal }
    }
}

impl Spread {
    fn new(values: &[f64], sorted: &[f64]) -> Self {
        let n = values.len() as f64;
        let sum: f64 = values.iter().sum();
        // The sum of the largest numbers is none, but that of their parts of the mean is.
        let mean = if sum.is_finite() { sum / n } else { values.iter().map(|it| it / n).sum() };
        let squares: f64 = values.iter().map(|it| (it - mean) * (it - mean)).sum();
        let deviation = (values.len() > 1).then(|| libm::sqrt(squares / (n - 1.0)));
        let quartiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| quantile(sorted, part));
        Self { count: values.len() as u64, mean, deviation, quartiles }
    }
}

/// The value at a part of the way through the sorted values, in proportion between two of them.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (below, between) = (libm::floor(place) as usize, place - libm::floor(place));
    let low = sorted[below];
    let high = sorted[(below + 1).min(sorted.len() - 1)];
    if between == 0.0 { low } else { low * (1.0 - between) + high * between }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_counted_and_compared_with_equal_frequencies() {
        // `scipy.stats.chisquare([9, 12, 8, 11, 13, 7])`: statistic 2.8, p 0.7307864…
        let rolls = [(1.0, 9), (2.0, 12), (3.0, 8), (4.0, 11), (5.0, 13), (6.0, 7)];
        let values: Vec<f64> =
            rolls.iter().flat_map(|&(face, count)| std::iter::repeat_n(face, count)).rev().collect();
        let Summary::Counts(Counts { counts, equal }) = Summary::of(&values) else { panic!("{values:?}") };
        assert_eq!(counts, rolls.map(|(face, count)| (face, count as u64)));
        let ChiSquare { chi_square, degrees_of_freedom, p, expected } = equal.unwrap();
        assert!((chi_square - 2.8).abs() < 1e-14 && (p - 0.730_786_486_588_758_6).abs() < 1e-14, "{p}");
        assert_eq!((degrees_of_freedom, expected), (5, 10.0));
    }

    #[test]
    fn one_value_is_counted_without_a_test_and_none_is_nothing() {
        let Summary::Counts(one) = Summary::of(&[-0.0, 0.0, 0.0]) else { panic!() };
        assert_eq!((one.counts[0].0.to_bits(), one.counts[0].1, one.equal), (0, 3, None));
        assert_eq!(Summary::of(&[f64::NAN, f64::INFINITY]), Summary::Nothing);
        assert_eq!(Summary::of(&[]), Summary::Nothing);
    }

    /// `numpy.quantile` and `numpy.std(ddof=1)` of the same numbers.
    #[test]
    fn spread_numbers_get_moments_and_quartiles() {
        let Summary::Spread(spread) = Summary::of(&[3.5, -1.25, 8.0, 2.0, 0.125, f64::NAN]) else { panic!() };
        assert_eq!((spread.count, spread.mean), (5, 2.475));
        assert!((spread.deviation.unwrap() - 3.577_708_763_999_664).abs() < 1e-14, "{spread:?}");
        assert_eq!(spread.quartiles, [-1.25, 0.125, 2.0, 3.5, 8.0]);
        let Summary::Spread(even) = Summary::of(&[1.0, 2.0, 3.0, 10.0]) else { panic!() };
        assert_eq!(even.quartiles, [1.0, 1.75, 2.5, 4.75, 10.0]);
        let Summary::Spread(single) = Summary::of(&[4.0]) else { panic!() };
        assert_eq!((single.deviation, single.quartiles), (None, [4.0; 5]));
    }

    #[test]
    fn many_values_are_spread_and_few_are_counted() {
        let steps = |different: u32| -> Vec<f64> { (0..100).map(|n| f64::from(n % different)).collect() };
        assert!(matches!(Summary::of(&steps(20)), Summary::Counts(_)));
        assert!(matches!(Summary::of(&steps(21)), Summary::Spread(_)));
        assert!(matches!(Summary::of(&[1.0, 2.0, 3.0]), Summary::Spread(_)));
        assert!(
            matches!(Summary::of(&[f64::MAX, f64::MAX / 2.0, 1.0]), Summary::Spread(it) if it.mean.is_finite())
        );
    }
}
