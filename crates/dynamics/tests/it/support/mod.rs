//! Independent computations that the physics tests compare with: Kepler's equation, elliptic functions, fits.

use gedanken_math::Vec3;

/// The slope of log y against log x by least squares.
pub(crate) fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<_> = points.iter().map(|(x, y)| (libm::log(*x), libm::log(*y))).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let sxy: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let sxx: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    sxy / sxx
}

/// Position and velocity on the Kepler ellipse (a = μ = 1, perihelion at t = 0) by Newton's iteration on
/// E - e sin E = t.
pub(crate) fn kepler(e: f64, t: f64) -> (Vec3, Vec3) {
    let mut anomaly = t;
    for _ in 0..50 {
        let f = anomaly - e * libm::sin(anomaly) - t;
        anomaly -= f / (1.0 - e * libm::cos(anomaly));
    }
    let (sin, cos) = libm::sincos(anomaly);
    let b = (1.0 - e * e).sqrt();
    let rate = 1.0 / (1.0 - e * cos);
    (Vec3::new(cos - e, b * sin, 0.0), Vec3::new(-sin * rate, b * cos * rate, 0.0))
}

/// The complete elliptic integral K(k) by the arithmetic-geometric mean.
pub(crate) fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::PI / (2.0 * a)
}

/// The Jacobi elliptic functions sn, cn, dn of u with modulus k, by descending Landen transformations.
pub(crate) fn jacobi(u: f64, k: f64) -> (f64, f64, f64) {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c[c.len() - 1].abs() > 1e-17 && a.len() < 30 {
        let last = a[a.len() - 1];
        a.push(0.5 * (last + b));
        c.push(0.5 * (last - b));
        b = (last * b).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = libm::pow(2.0, n as f64) * a[n] * u;
    for j in (1..=n).rev() {
        phi = 0.5 * (phi + libm::asin(c[j] / a[j] * libm::sin(phi)));
    }
    let (sn, cn) = libm::sincos(phi);
    (sn, cn, (1.0 - k * k * sn * sn).sqrt())
}
