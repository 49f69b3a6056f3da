//! Multipliers of least norm: where a face lies on the ground its normal forces are not unique.
//!
//! Of all λ ≥ 0 with A λ = b the one of least norm is λ = max(0, Aᵀy), and y solves A max(0, Aᵀy) = b: six
//! piecewise linear equations, solved by Newton's method. A has a row less than full rank where the points lie
//! in a plane, so the matrix A D Aᵀ gets a small multiple of the unit matrix, and the iteration takes its
//! effect away.

use super::block_lu::{Pivot, ZERO_BLOCK};

/// Gap up to which a point bears, as a part of the body's size.
pub(super) const BEARING_GAP: f64 = 1e-9;
/// Multiple of the unit matrix, as a part of the trace.
const RIDGE: f64 = 1e-10;
/// Residual that counts as solved, as a part of b.
const SOLVED: f64 = 1e-13;
/// Residual up to which the best that was found is taken.
const ACCEPTED: f64 = 1e-9;
const MAX_STEPS: u32 = 60;

/// One point that bears: its column of A, and its number among all points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bearing {
    pub(super) point: usize,
    pub(super) column: [f64; 6],
    bears: bool,
    trial: f64,
    /// Its share, after [`LeastNorm::solve`].
    pub(super) share: f64,
}

/// Points that bear, and memory for their shares.
#[derive(Debug, Default)]
pub(super) struct LeastNorm {
    pub(super) bearings: Vec<Bearing>,
}

impl LeastNorm {
    /// Adds a point.
    pub(super) fn add(&mut self, point: usize, column: [f64; 6]) {
        // At first all points bear.
        self.bearings.push(Bearing { point, column, bears: true, trial: 0.0, share: 0.0 });
    }

    /// Finds the shares of least norm whose sum is b; `false` if there are none.
    pub(super) fn solve(&mut self, b: [f64; 6]) -> bool {
        let norm = |v: &[f64; 6]| v.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
        let (mut y, mut least) = ([0.0; 6], f64::INFINITY);
        for _ in 0..MAX_STEPS {
            let mut left = b;
            for bearing in &mut self.bearings {
                bearing.trial = dot(&bearing.column, &y).max(0.0);
                left.iter_mut().zip(&bearing.column).for_each(|(left, entry)| *left -= entry * bearing.trial);
            }
            let off = norm(&left);
            if off < least {
                least = off;
                self.bearings.iter_mut().for_each(|bearing| bearing.share = bearing.trial);
            }
            if off <= SOLVED * norm(&b) {
                break;
            }
            let mut matrix = ZERO_BLOCK;
            for Bearing { column, .. } in self.bearings.iter().filter(|bearing| bearing.bears) {
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
            let Some(factors) = Pivot::of(&matrix) else { break };
            y.iter_mut().zip(factors.solved(&left)).for_each(|(y, step)| *y += step);
            self.bearings.iter_mut().for_each(|bearing| bearing.bears = dot(&bearing.column, &y) > 0.0);
        }
        least <= ACCEPTED * norm(&b)
    }
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
        let square = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)];
        let shares = |load: [f64; 6]| -> Vec<f64> {
            let mut memory = LeastNorm::default();
            (0..).zip(square).for_each(|(k, (x, y))| memory.add(k, corner(x, y)));
            assert!(memory.solve(load));
            memory.bearings.iter().map(|bearing| bearing.share).collect()
        };
        let even = shares([0.0, 0.0, 8.0, 0.0, 0.0, 0.0]);
        assert!(even.iter().all(|share| (share - 2.0).abs() < 1e-12), "{even:?}");
        // A load at (0.1, 0.2): least norm is linear in the place, 1/4 + x x_k + y y_k.
        let off = shares([0.0, 0.0, 1.0, 0.2, -0.1, 0.0]);
        let expected = [0.4, 0.3, 0.1, 0.2];
        assert!(off.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{off:?}");
        // Near an edge one corner would have to pull: it is left out.
        let edge = shares([0.0, 0.0, 1.0, 0.4, -0.4, 0.0]);
        assert!(edge[2] == 0.0 && edge.iter().all(|share| *share >= 0.0), "{edge:?}");
        let sum: f64 = edge.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}
