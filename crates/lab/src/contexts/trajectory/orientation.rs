//! Motion of rigid bodies as orientation attributes tell it: from values to poses, from rates to angular
//! velocities.
//!
//! An orientation is a quaternion q = (w, u) of any length but zero, or three angles with R = Rx(a) Ry(b)
//! Rz(c). Angular velocities are in the world:
//!
//!   quaternion: ω = 2 Im(q̇ q̄) / |q|² = 2 (w u̇ - ẇ u + u × u̇) / |q|², in which a change of length drops
//!   out; Euler XYZ: ω = ȧ x + Rx(a) (ḃ y + Ry(b) ċ z).

use gedanken_experiment::rotation;
use gedanken_math::{Pose, Vec3};

/// Pose from the values of `position` and `orientation`; `None` if they are not three numbers and a rotation,
/// or not finite.
pub(crate) fn pose(position: &[f64], orientation: &[f64]) -> Option<Pose> {
    let &[x, y, z] = position else { return None };
    let pose = Pose::new(rotation(orientation)?, Vec3::new(x, y, z));
    pose.is_finite().then_some(pose)
}

/// Angular velocity, in the world, of an orientation with these values and rates; `None` if the values are no
/// rotation, or the result is not finite.
pub(crate) fn angular_velocity(orientation: &[f64], rates: &[f64]) -> Option<Vec3> {
    let spin = match (orientation, rates) {
        (&[a, b, _], &[a_dot, b_dot, c_dot]) => {
            let ((sin_a, cos_a), (sin_b, cos_b)) = (libm::sincos(a), libm::sincos(b));
            let (across, up) = (b_dot, c_dot * cos_b);
            Vec3::new(a_dot + c_dot * sin_b, cos_a * across - sin_a * up, sin_a * across + cos_a * up)
        }
        (&[w, x, y, z], &[w_dot, x_dot, y_dot, z_dot]) => {
            // Scaled first, so that the square of no length underflows or overflows.
            let largest = orientation.iter().fold(0.0f64, |most, it| most.max(it.abs()));
            let (w, u) = (w / largest, Vec3::new(x, y, z) / largest);
            let (w_dot, u_dot) = (w_dot / largest, Vec3::new(x_dot, y_dot, z_dot) / largest);
            (u_dot * w - u * w_dot + u.cross(u_dot)) * (2.0 / (w * w + u.length_squared()))
        }
        _ => return None,
    };
    spin.is_finite().then_some(spin)
}

/// Largest angular speed of an orientation whose values and rates stay within boxes, each given by its
/// least and its greatest corner, rounded up; `None` if there is no bound.
///
/// - Euler XYZ: the second axis is across the first and across the third, so |ω|² ≤ (|ȧ| + |ċ|)² + ḃ².
/// - Quaternion: |ω| = 2 |Im(q̇ q̄)| / |q|² ≤ 2 |q̇| / |q|.
pub(crate) fn fastest_spin(values: [&[f64]; 2], rates: [&[f64]; 2]) -> Option<f64> {
    if rates.iter().any(|corner| corner.iter().any(|it| !it.is_finite())) {
        return None;
    }
    let most = |(least, greatest): (&f64, &f64)| least.abs().max(greatest.abs());
    let speeds: Vec<f64> = rates[0].iter().zip(rates[1]).map(most).collect();
    let bound = match speeds[..] {
        _ if speeds.iter().all(|&it| it == 0.0) => 0.0,
        [a, b, c] => above(&[(a + c).next_up(), b]),
        [_, _, _, _] => (2.0 * above(&speeds) / below(values)).next_up(),
        _ => return None,
    };
    bound.is_finite().then_some(bound)
}

/// Upper bound of the length of a vector.
fn above(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |sum, it| (sum + (it * it).next_up()).next_up()).sqrt().next_up()
}

/// Lower bound of the length of any vector in a box.
fn below([least, greatest]: [&[f64]; 2]) -> f64 {
    let down = |it: f64| it.next_down().max(0.0);
    // The size of the number closest to zero; the larger one is negative only if both are.
    let size = |(&least, &greatest): (&f64, &f64)| least.max(-greatest).max(0.0);
    down(least.iter().zip(greatest).map(size).fold(0.0, |sum, it| down(sum + down(it * it))).sqrt())
}

/// Box of the angular velocities of an orientation whose values and rates stay within boxes, as for
/// [`fastest_spin`]: ω = 2 (w u̇ - ẇ u - u̇ × u) / |q|² of a quaternion q = (w, u), in intervals. `None` for
/// Euler angles, and without bounds.
pub(crate) fn turning(values: [&[f64]; 2], rates: [&[f64]; 2]) -> Option<[Vec3; 2]> {
    let [&[w0, x0, y0, z0], &[w1, x1, y1, z1]] = values else { return None };
    let [&[dw0, dx0, dy0, dz0], &[dw1, dx1, dy1, dz1]] = rates else { return None };
    let (w, u) = (Span(w0, w1), [Span(x0, x1), Span(y0, y1), Span(z0, z1)]);
    let (dw, du) = (Span(dw0, dw1), [Span(dx0, dx1), Span(dy0, dy1), Span(dz0, dz1)]);
    let square = u.into_iter().fold(w.square(), |sum, it| sum.plus(it.square()));
    if square.0 <= 0.0 {
        return None;
    }
    let component = |i: usize| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let turned = du[j].times(u[k]).minus(du[k].times(u[j]));
        let twice = w.times(du[i]).minus(dw.times(u[i])).minus(turned);
        // Some ten roundings of numbers no larger than the ends.
        let ends = [
            2.0 * twice.0 / square.0,
            2.0 * twice.0 / square.1,
            2.0 * twice.1 / square.0,
            2.0 * twice.1 / square.1,
        ];
        let (least, greatest) = (
            ends.iter().copied().fold(f64::INFINITY, f64::min),
            ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        let largest = |it: Span| it.0.abs().max(it.1.abs());
        let size = largest(w) * largest(du[i])
            + largest(dw) * largest(u[i])
            + largest(du[j]) * largest(u[k])
            + largest(du[k]) * largest(u[j]);
        let slack = 64.0 * f64::EPSILON * size / square.0;
        (least - slack, greatest + slack)
    };
    let [x, y, z] = [component(0), component(1), component(2)];
    let bounds = [Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1)];
    bounds.iter().all(|it| it.is_finite()).then_some(bounds)
}

/// An interval. Its ends are rounded to nearest.
#[derive(Clone, Copy, Debug)]
struct Span(f64, f64);

impl Span {
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.1, self.1 - other.0)
    }

    fn times(self, other: Self) -> Self {
        let ends = [self.0 * other.0, self.0 * other.1, self.1 * other.0, self.1 * other.1];
        Self(
            ends.iter().copied().fold(f64::INFINITY, f64::min),
            ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        )
    }

    fn square(self) -> Self {
        let (a, b) = (self.0 * self.0, self.1 * self.1);
        if self.0 <= 0.0 && self.1 >= 0.0 { Self(0.0, a.max(b)) } else { Self(a.min(b), a.max(b)) }
    }
}

/// Velocities of all points of a rigid body at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Twist {
    /// Position x.
    pub(crate) origin: Vec3,
    /// Velocity v of that point.
    pub(crate) velocity: Vec3,
    /// Angular velocity ω, in the world.
    pub(crate) spin: Vec3,
}

impl Twist {
    /// Velocity of the point of the body at p: v + ω × (p - x).
    pub(crate) fn at(&self, point: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(point - self.origin)
    }
}

#[cfg(test)]
mod tests;
