//! Finite differences, and orders fitted to errors.

/// First derivative at zero, of order 4 in `h`.
pub(crate) fn slope(h: f64, of: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let values = [of(-2.0 * h), of(-h), of(h), of(2.0 * h)];
    let at = |k: usize| (8.0 * (values[2][k] - values[1][k]) - (values[3][k] - values[0][k])) / (12.0 * h);
    (0..values[0].len()).map(at).collect()
}

/// First derivative at zero, of order 2 in `h`.
pub(crate) fn central(h: f64, of: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let (before, after) = (of(-h), of(h));
    before.iter().zip(&after).map(|(a, b)| (b - a) / (2.0 * h)).collect()
}

/// Second derivative at zero, of order 2 in `h`.
pub(crate) fn bend(h: f64, of: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let (before, here, after) = (of(-h), of(0.0), of(h));
    (0..here.len()).map(|k| (before[k] - 2.0 * here[k] + after[k]) / (h * h)).collect()
}

/// Largest difference of two lists of one length.
pub(crate) fn distance(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Largest absolute number of a list.
pub(crate) fn largest(list: &[f64]) -> f64 {
    list.iter().map(|value| value.abs()).fold(0.0, f64::max)
}

/// x².
pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Scalar product.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// Product of a full matrix with a vector.
pub(crate) fn times(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, x)).collect()
}

/// Order of a method: the slope of log error against log step, by least squares.
pub(crate) fn order(errors: &[(f64, f64)]) -> f64 {
    let points: Vec<(f64, f64)> =
        errors.iter().map(|(h, error)| (libm::log(*h), libm::log(*error))).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let covariance: f64 = points.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    covariance / points.iter().map(|(a, _)| (a - x) * (a - x)).sum::<f64>()
}
