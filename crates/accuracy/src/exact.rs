//! Closed forms and fits: what measurements are compared with. None of it shares code with what is measured.

use gedanken_math::Vec3;
use std::f64::consts::PI;

/// The acceleration of free fall in all cases, m/s².
pub(super) const G: f64 = 9.81;

/// The complete elliptic integral K(k), by the arithmetic-geometric mean.
pub(super) fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (a + b)
}

/// The period of ω of a free body, in the frame of the body: 4K(k)/n (Landau and Lifshitz, Mechanics, § 37),
/// for moments in rising order and L² > 2T I₂.
pub(super) fn tumbling_period(i: Vec3, omega: Vec3) -> f64 {
    let two_t = (i * omega).dot(omega);
    let l2 = (i * omega).length_squared();
    let n = ((i.z - i.y) * (l2 - two_t * i.x) / (i.x * i.y * i.z)).sqrt();
    let k = ((i.y - i.x) * (two_t * i.z - l2) / ((i.z - i.y) * (l2 - two_t * i.x))).sqrt();
    4.0 * elliptic_k(k) / n
}

/// The period of a pendulum of reduced length `l` that swings out to `angle`.
pub(super) fn pendulum_period(l: f64, angle: f64) -> f64 {
    4.0 * (l / G).sqrt() * elliptic_k(libm::sin(0.5 * angle))
}

/// Position and velocity on the ellipse a = μ = 1 at time t after perihelion, by Newton's iteration on E - e
/// sin E = t.
pub(super) fn kepler(e: f64, t: f64) -> (Vec3, Vec3) {
    let mut anomaly = t;
    for _ in 0..50 {
        anomaly -= (anomaly - e * libm::sin(anomaly) - t) / (1.0 - e * libm::cos(anomaly));
    }
    let (sin, cos) = libm::sincos(anomaly);
    let (b, rate) = ((1.0 - e * e).sqrt(), 1.0 / (1.0 - e * cos));
    (Vec3::new(cos - e, b * sin, 0.0), Vec3::new(-sin * rate, b * cos * rate, 0.0))
}

/// H_N = 1 + 1/2 + … + 1/N.
pub(super) fn harmonic(n: usize) -> f64 {
    (1..=n).rev().fold(0.0, |sum, k| sum + 1.0 / k as f64)
}

/// The slope of log y over log x, by least squares.
pub(super) fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (libm::log(*x), libm::log(*y))).collect();
    let (mx, my) = logs.iter().fold((0.0, 0.0), |(mx, my), (x, y)| (mx + x / n, my + y / n));
    let (sxy, sxx) = logs
        .iter()
        .fold((0.0, 0.0), |(sxy, sxx), (x, y)| (sxy + (x - mx) * (y - my), sxx + (x - mx) * (x - mx)));
    sxy / sxx
}

/// Where equally spaced samples, one every `h` from time 0, cross zero upwards: on the cubic through the four
/// around it.
pub(super) fn crossings(samples: &[f64], h: f64) -> Vec<f64> {
    let mut found = Vec::new();
    for k in 1..samples.len().saturating_sub(2) {
        let y = &samples[k - 1..k + 3];
        if !(y[1] < 0.0 && y[2] >= 0.0) {
            continue;
        }
        // Lagrange's cubic at -1, 0, 1, 2; bisected between 0 and 1.
        let cubic = |x: f64| {
            let (a, b, c, d) = (x + 1.0, x, x - 1.0, x - 2.0);
            -y[0] * b * c * d / 6.0 + y[1] * a * c * d / 2.0 - y[2] * a * b * d / 2.0 + y[3] * a * b * c / 6.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if cubic(middle) < 0.0 { low = middle } else { high = middle }
        }
        found.push((k as f64 + 0.5 * (low + high)) * h);
    }
    found
}

/// SplitMix64 (Steele, Lea and Flood 2014): a seed in, a reproducible sequence out.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Uniform between `low` and `high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (high - low) * (((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Each coordinate uniform between -size and size.
    pub(super) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that books print.
    #[test]
    fn closed_forms_have_their_known_values() {
        assert!((elliptic_k(0.0) - PI / 2.0).abs() < 1e-15);
        // The lemniscate constant: K(1/√2) = Γ(1/4)²/(4√π).
        assert!((elliptic_k(0.5_f64.sqrt()) - 1.854_074_677_301_372).abs() < 1e-14);
        assert!(
            (tumbling_period(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 1.0, 0.02)) - 33.194_997).abs() < 1e-6
        );
        assert!((pendulum_period(1.0, PI / 2.0) - 2.367_842).abs() < 1e-6);
        assert!((0.5 * harmonic(10) - 1.464_484).abs() < 1e-6);
        let (r, v) = kepler(0.6, PI);
        assert!((r - Vec3::new(-1.6, 0.0, 0.0)).length() < 1e-12 && (v.y + 0.5).abs() < 1e-12, "{r} {v}");
    }

    #[test]
    fn crossings_of_a_sine_are_its_periods() {
        let samples: Vec<f64> = (0..4000).map(|k| libm::sin(0.01 * f64::from(k) - 1.0)).collect();
        let found = crossings(&samples, 0.01);
        assert_eq!(found.len(), 7);
        for (k, at) in found.iter().enumerate() {
            assert!((at - 1.0 - 2.0 * PI * k as f64).abs() < 1e-9, "{at}");
        }
    }

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let points = [1.0, 2.0, 3.0, 5.0].map(|x: f64| (x, 7.0 * x * x * x));
        assert!((slope(&points) - 3.0).abs() < 1e-12);
    }
}
