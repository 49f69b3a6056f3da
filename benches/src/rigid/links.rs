//! The converged reference of the chain: a plane chain of bars in angles, by the classical Runge-Kutta
//! method.
//!
//! With θ_k the slope of bar k below the horizontal, its centre is at Σ_{j<k} 2a e(θ_j) + a e(θ_k), e = (cos,
//! -sin), a the half length. Lagrange's equations for n equal bars of mass m and inertia I about the centre
//! are
//!
//!   Σ_j A_kj cos(θ_k - θ_j) θ̈_j = -Σ_j A_kj sin(θ_k - θ_j) θ̇_j² + G_k cos θ_k,
//!
//! with b the number of bars below the lower one of k and j, A_kj = m a² (4b + 2) for k ≠ j, A_kk = m a² (4b
//! + 1) + I and G_k = m g a (2b + 1). No multipliers, no quaternions, no step in common with a solver.

use super::{DENSITY, GRAVITY};
use crate::ours::Vec3;

/// The tip after `time` seconds of a chain of `count` bars of half edges `half`, let go horizontally at rest.
pub fn tip(count: usize, half: Vec3, time: f64, steps: usize) -> Vec3 {
    let mass = DENSITY * 8.0 * half.x * half.y * half.z;
    let chain = Chain { a: half.x, mass, inertia: mass / 3.0 * (half.x * half.x + half.z * half.z), count };
    let h = time / steps as f64;
    let mut y = vec![0.0; 2 * count];
    for _ in 0..steps {
        let k1 = chain.rates(&y);
        let k2 = chain.rates(&moved(&y, &k1, 0.5 * h));
        let k3 = chain.rates(&moved(&y, &k2, 0.5 * h));
        let k4 = chain.rates(&moved(&y, &k3, h));
        for i in 0..y.len() {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y[..count].iter().fold(Vec3::ZERO, |tip, angle| {
        tip + Vec3::new(libm::cos(*angle), 0.0, -libm::sin(*angle)) * (2.0 * half.x)
    })
}

fn moved(y: &[f64], rates: &[f64], h: f64) -> Vec<f64> {
    y.iter().zip(rates).map(|(y, rate)| y + h * rate).collect()
}

struct Chain {
    a: f64,
    mass: f64,
    inertia: f64,
    count: usize,
}

impl Chain {
    fn coupling(&self, k: usize, j: usize) -> f64 {
        let below = (self.count - 1 - k.max(j)) as f64;
        let ma2 = self.mass * self.a * self.a;
        if k == j { ma2 * (4.0 * below + 1.0) + self.inertia } else { ma2 * (4.0 * below + 2.0) }
    }

    fn rates(&self, y: &[f64]) -> Vec<f64> {
        let n = self.count;
        let (angle, speed) = y.split_at(n);
        let mut matrix = vec![0.0; n * n];
        let mut right = vec![0.0; n];
        let (sin, cos): (Vec<f64>, Vec<f64>) = angle.iter().map(|x| libm::sincos(*x)).unzip();
        for k in 0..n {
            let below = (n - 1 - k) as f64;
            right[k] = self.mass * GRAVITY * self.a * (2.0 * below + 1.0) * cos[k];
            for j in 0..n {
                let c = self.coupling(k, j);
                matrix[k * n + j] = c * (cos[k] * cos[j] + sin[k] * sin[j]);
                right[k] -= c * (sin[k] * cos[j] - cos[k] * sin[j]) * speed[j] * speed[j];
            }
        }
        cholesky(&mut matrix, &mut right, n);
        speed.iter().chain(&right).copied().collect()
    }
}

/// Solves a symmetric positive definite system in place.
fn cholesky(matrix: &mut [f64], right: &mut [f64], n: usize) {
    for k in 0..n {
        for j in 0..=k {
            let mut sum = matrix[k * n + j];
            for i in 0..j {
                sum -= matrix[k * n + i] * matrix[j * n + i];
            }
            matrix[k * n + j] = if k == j { sum.sqrt() } else { sum / matrix[j * n + j] };
        }
    }
    for k in 0..n {
        let sum = (0..k).fold(right[k], |sum, i| sum - matrix[k * n + i] * right[i]);
        right[k] = sum / matrix[k * n + k];
    }
    for k in (0..n).rev() {
        let sum = (k + 1..n).fold(right[k], |sum, i| sum - matrix[i * n + k] * right[i]);
        right[k] = sum / matrix[k * n + k];
    }
}
