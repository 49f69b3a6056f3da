//! One point of contact with friction: the impulse of Coulomb's cone, whatever the coupling.
//!
//! With K in a frame of the normal and two directions across it, w the velocity that the point has without
//! its impulse (less the target along the normal), find λ with
//!
//! 0 ≤ λ_n ⟂ v_n = (w + K λ)_n ≥ 0, |λ_t| ≤ μ λ_n, v_t = -ρ λ_t with ρ ≥ 0, and ρ = 0 inside of the cone.
//!
//! For a given ρ that is the linear system (K + ρ P) λ = -w, P being the projection across the normal, with
//! exactly one answer, for K is positive definite. At ρ = 0 the point sticks. If that is outside of the cone,
//! |λ_t| - μ λ_n is positive there, and negative for large ρ, where λ_t vanishes: in between it passes zero
//! (it is a root of a quartic, as in @bonnefon2011). So there always is an answer, and taking normal and
//! friction in turns, which swings without an end where they are strongly coupled, is not needed.

/// The bound on the evaluations until the root is as sharp as numbers can tell.
const MAX_EVALUATIONS: u32 = 120;
/// A root is sharp when it is known to this part.
const ROOT_TOLERANCE: f64 = 1e-15;

/// K: what an impulse does to the velocity at a point, in the frame of the normal and two directions across
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Response([[f64; 3]; 3]);

impl Response {
    /// By columns, symmetric but for rounding.
    pub(crate) fn of(columns: [[f64; 3]; 3]) -> Self {
        let mean = |i: usize, j: usize| 0.5 * (columns[i][j] + columns[j][i]);
        Self([0, 1, 2].map(|i| [0, 1, 2].map(|j| mean(i, j))))
    }

    /// n·K n.
    pub(super) fn normal(&self) -> f64 {
        self.0[0][0]
    }

    /// The velocity without what an impulse has done to it.
    pub(crate) fn without(&self, velocity: [f64; 3], impulse: [f64; 3]) -> [f64; 3] {
        let done = self.0.map(|row| row[0] * impulse[0] + row[1] * impulse[1] + row[2] * impulse[2]);
        [0, 1, 2].map(|k| velocity[k] - done[k])
    }

    /// (K + ρ P)⁻¹ (-w), by elimination without pivots: the matrix is positive definite.
    fn stop(&self, w: [f64; 3], rho: f64) -> [f64; 3] {
        let k = &self.0;
        let [l1, l2] = [k[1][0] / k[0][0], k[2][0] / k[0][0]];
        let d1 = k[1][1] + rho - l1 * k[1][0];
        let m = (k[2][1] - l2 * k[1][0]) / d1;
        let d2 = k[2][2] + rho - l2 * k[2][0] - m * m * d1;
        let [x, y] = [-w[1] + l1 * w[0], -w[2] + l2 * w[0]];
        let u = (y - m * x) / d2;
        let t = x / d1 - m * u;
        [-w[0] / k[0][0] - l1 * t - l2 * u, t, u]
    }
}

/// Excess of the tangential impulse over the cone: |λ_t| - μ λ_n.
fn outside([n, t, u]: [f64; 3], friction: f64) -> f64 {
    (t * t + u * u).sqrt() - friction * n
}

/// The impulse at a point that has the velocity `w` without it, less the target along the normal.
pub(crate) fn impulse(response: &Response, w: [f64; 3], friction: f64) -> [f64; 3] {
    if w[0] >= 0.0 {
        return [0.0; 3];
    }
    let stuck = response.stop(w, 0.0);
    let (mut low, mut off_low) = (0.0, outside(stuck, friction));
    if off_low <= 0.0 {
        return stuck;
    }
    let mut high = response.0[1][1] + response.0[2][2];
    let mut held = response.stop(w, high);
    let mut off_high = outside(held, friction);
    // For large ρ the tangential impulse vanishes, so some multiple of the trace is an upper end of the
    // bracket.
    while off_high > 0.0 {
        (low, off_low) = (high, off_high);
        high *= 4.0;
        if !high.is_finite() {
            return [-w[0] / response.normal(), 0.0, 0.0];
        }
        held = response.stop(w, high);
        off_high = outside(held, friction);
    }
    // Secants, with the value at an end that stays halved each time (Illinois), and a halving in between.
    let mut stayed = 0;
    for look in 0..MAX_EVALUATIONS {
        if high - low <= ROOT_TOLERANCE * high || off_high == 0.0 {
            break;
        }
        let secant = low + (high - low) * (off_low / (off_low - off_high));
        let usable = look % 4 < 3 && secant > low && secant < high;
        let middle = if usable { secant } else { 0.5 * (low + high) };
        if middle <= low || middle >= high {
            break;
        }
        let answer = response.stop(w, middle);
        let off = outside(answer, friction);
        if off > 0.0 {
            (low, off_low) = (middle, off);
            if stayed == 1 {
                off_high *= 0.5;
            }
            stayed = 1;
        } else {
            (high, off_high, held) = (middle, off, answer);
            if stayed == -1 {
                off_low *= 0.5;
            }
            stayed = -1;
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// K = L Lᵀ + a little, of any shape.
    fn any_response() -> impl Strategy<Value = Response> {
        ([-3.0..3.0f64, -3.0..3.0, -3.0..3.0, -3.0..3.0, -3.0..3.0, -3.0..3.0], 1e-3..1.0f64).prop_map(
            |([a, b, c, d, e, f], little)| {
                let l = [[a, 0.0, 0.0], [b, c, 0.0], [d, e, f]];
                let dot = |i: usize, j: usize| l[i][0] * l[j][0] + l[i][1] * l[j][1] + l[i][2] * l[j][2];
                let entry = |i: usize, j: usize| dot(i, j) + if i == j { little } else { 0.0 };
                Response([0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))))
            },
        )
    }

    proptest! {
        /// Signorini's condition, the cone and the direction of friction, for couplings of all strengths.
        #[test]
        fn every_point_has_an_answer(
            response in any_response(),
            w in [-2.0..1.0f64, -5.0..5.0, -5.0..5.0],
            friction in 0.01..5.0f64,
        ) {
            let [n, t, u] = impulse(&response, w, friction);
            let v = response.without(w, [-n, -t, -u]);
            let rubbed = (t * t + u * u).sqrt();
            let sliding = (v[1] * v[1] + v[2] * v[2]).sqrt();
            prop_assert!(n >= 0.0 && rubbed <= friction * n * (1.0 + 1e-14));
            if n == 0.0 {
                prop_assert!(w[0] >= 0.0);
                return Ok(());
            }
            let scale = w.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            prop_assert!(v[0].abs() < 1e-11 * scale, "{:e}", v[0]);
            if sliding > 1e-9 * scale {
                prop_assert!((rubbed / (friction * n) - 1.0).abs() < 1e-9, "{rubbed} of {}", friction * n);
                let against = (v[1] * t + v[2] * u) / (sliding * rubbed);
                prop_assert!(against < -1.0 + 1e-9, "{against}");
            }
        }
    }
}
