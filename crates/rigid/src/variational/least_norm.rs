//! Multipliers of least norm: where a face lies on the ground its normal forces are not unique.
//!
//! Of all λ ≥ 0 with A λ = b the one of least norm is λ = max(0, Aᵀy), and y solves A max(0, Aᵀy) = b: six
//! piecewise linear equations, solved by Newton's method. A has a row less than full rank where the points lie
//! in a plane, so the matrix A D Aᵀ gets a small multiple of the unit matrix, and the iteration takes its
//! effect away.

use gedanken_math::linalg::solve;

/// Gap up to which a point bears, as a part of the body's size.
pub(super) const BEARING_GAP: f64 = 1e-9;
/// Multiple of the unit matrix, as a part of the trace.
const RIDGE: f64 = 1e-10;
/// Residual that counts as solved, as a part of b.
const SOLVED: f64 = 1e-13;
const MAX_STEPS: u32 = 60;

/// The λ of least norm, in the order of the columns of A; `None` if none was found.
pub(super) fn shares(columns: &[(usize, [f64; 6])], b: [f64; 6]) -> Option<Vec<f64>> {
    let mut y = [0.0; 6];
    let norm = |v: &[f64; 6]| v.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
    // At first all points bear.
    let mut bears = vec![true; columns.len()];
    let mut best: Option<(f64, Vec<f64>)> = None;
    for _ in 0..MAX_STEPS {
        let lambda: Vec<f64> = columns.iter().map(|(_, column)| dot(column, &y).max(0.0)).collect();
        let mut left = b;
        for ((_, column), lambda) in columns.iter().zip(&lambda) {
            left.iter_mut().zip(column).for_each(|(left, entry)| *left -= entry * lambda);
        }
        let off = norm(&left);
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, lambda));
        }
        if off <= SOLVED * norm(&b) {
            break;
        }
        let mut matrix = [0.0; 36];
        for ((_, column), _) in columns.iter().zip(&bears).filter(|(_, bears)| **bears) {
            for i in 0..6 {
                for j in 0..6 {
                    matrix[i * 6 + j] += column[i] * column[j];
                }
            }
        }
        let trace = (0..6).fold(0.0, |sum, k| sum + matrix[k * 7]);
        for k in 0..6 {
            matrix[k * 7] += RIDGE * trace;
        }
        if !solve(&mut matrix, &mut left) {
            break;
        }
        y.iter_mut().zip(left).for_each(|(y, step)| *y += step);
        for (bears, (_, column)) in bears.iter_mut().zip(columns) {
            *bears = dot(column, &y) > 0.0;
        }
    }
    best.filter(|(off, _)| *off <= 1e-9 * norm(&b)).map(|(_, lambda)| lambda)
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f64, y: f64) -> [f64; 6] {
        // A force along z at (x, y, 0).
        [0.0, 0.0, 1.0, y, -x, 0.0]
    }

    #[test]
    fn a_face_shares_its_weight_evenly_and_a_load_off_centre_linearly() {
        let square: Vec<(usize, [f64; 6])> = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)]
            .iter()
            .map(|&(x, y)| (0, corner(x, y)))
            .collect();
        let even = shares(&square, [0.0, 0.0, 8.0, 0.0, 0.0, 0.0]).expect("solvable");
        assert!(even.iter().all(|share| (share - 2.0).abs() < 1e-12), "{even:?}");
        // A load at (0.1, 0.2): least norm is linear in the place, 1/4 + x x_k + y y_k.
        let off = shares(&square, [0.0, 0.0, 1.0, 0.2, -0.1, 0.0]).expect("solvable");
        let expected = [0.4, 0.3, 0.1, 0.2];
        assert!(off.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{off:?}");
        // Near an edge one corner would have to pull: it is left out.
        let edge = shares(&square, [0.0, 0.0, 1.0, 0.4, -0.4, 0.0]).expect("solvable");
        assert!(edge[2] == 0.0 && edge.iter().all(|share| *share >= 0.0), "{edge:?}");
        let sum: f64 = edge.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}
