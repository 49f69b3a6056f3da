//! What laws see of a body, and how slopes of what they see become forces and torques.
//!
//! Users speak of a body's own frame, that of its shape: `position` is its origin, `velocity` the velocity of
//! that point, `orientation` and `rotation` how it is turned. Solvers speak of centres of mass and small
//! rotations about them. With d from the centre to the origin, a shift δ and a rotation θ about the centre
//! move the origin by δ + θ × d, so the slope of a quantity with the gradient g in `position` is g along δ
//! and d × g along θ. What it is along θ by way of the orientation:
//!
//! | seen as | slope G | along θ |
//! |---|---|---|
//! | rotation matrix, columns cⱼ | Gⱼ | Σ cⱼ × Gⱼ |
//! | quaternion (w, v) | (g₀, g) | ½ (w g - g₀ v + v × g) |
//! | Euler angles XYZ | (g_a, g_b, g_c) | g_a x + g_b y′ + (g_c - g_a sin b)/cos b z′, with y′ = Rx y, z′ = Rx z |

use gedanken_math::rotation::to_world;
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::Twist;
use std::f64::consts::FRAC_PI_2;

/// One number of a body that changes while it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A coordinate of its own origin.
    Position(usize),
    /// A coordinate of its centre of mass.
    Centre(usize),
    /// A component of the velocity of its own origin.
    Velocity(usize),
    /// A component of its angular velocity.
    AngularVelocity(usize),
    /// A component of its quaternion, w first.
    Quaternion(usize),
    /// One of its Euler angles.
    Euler(usize),
    /// An element of its rotation matrix: row and column.
    Rotation(usize, usize),
}

impl Part {
    /// Whether it is told by where the body is, rather than by how it moves.
    pub(super) fn is_place(self) -> bool {
        !matches!(self, Self::Velocity(_) | Self::AngularVelocity(_))
    }
}

/// A body at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    centre: Vec3,
    own: Pose,
    twist: Twist,
    /// Instead of those of the rotation, where they cannot tell all slopes.
    euler: Option<[f64; 3]>,
}

impl Seen {
    /// A body whose principal frame is at `principal`, in which its own frame is at `frame`.
    pub(super) fn new(principal: Pose, twist: Twist, frame: Pose) -> Self {
        Self { centre: principal.translation, own: principal * frame, twist, euler: None }
    }

    /// Where its centre of mass is.
    pub(super) fn centre(&self) -> Vec3 {
        self.centre
    }

    /// A number of it.
    pub(super) fn value(&self, part: Part) -> f64 {
        let q = self.own.rotation;
        match part {
            Part::Position(k) => self.own.translation[k],
            Part::Centre(k) => self.centre[k],
            Part::Velocity(k) => self.twist.at(self.own.translation - self.centre)[k],
            Part::AngularVelocity(k) => self.twist.angular[k],
            Part::Quaternion(k) => [q.w, q.x, q.y, q.z][k],
            Part::Euler(k) => self.euler.unwrap_or_else(|| euler(q))[k],
            Part::Rotation(row, column) => to_world(q, Vec3::AXES[column])[row],
        }
    }

    /// How fast a number changes; velocities, which nothing accelerates here, do not.
    pub(super) fn rate(&self, part: Part) -> f64 {
        let (q, omega) = (self.own.rotation, self.twist.angular);
        match part {
            Part::Position(k) => self.twist.at(self.own.translation - self.centre)[k],
            Part::Centre(k) => self.twist.linear[k],
            Part::Quaternion(k) => half_turned(omega, [q.w, q.x, q.y, q.z])[k],
            Part::Euler(k) => self.euler_rates()[0][k],
            Part::Rotation(row, column) => omega.cross(to_world(q, Vec3::AXES[column]))[row],
            Part::Velocity(_) | Part::AngularVelocity(_) => 0.0,
        }
    }

    /// How fast that changes while the centre of mass goes straight on and the body turns uniformly.
    pub(super) fn rate_of_rate(&self, part: Part) -> f64 {
        let (q, omega) = (self.own.rotation, self.twist.angular);
        match part {
            Part::Position(k) => omega.cross(omega.cross(self.own.translation - self.centre))[k],
            Part::Quaternion(k) => half_turned(omega, half_turned(omega, [q.w, q.x, q.y, q.z]))[k],
            Part::Euler(k) => self.euler_rates()[1][k],
            Part::Rotation(row, column) => omega.cross(omega.cross(to_world(q, Vec3::AXES[column])))[row],
            Part::Centre(_) | Part::Velocity(_) | Part::AngularVelocity(_) => 0.0,
        }
    }

    /// First and second derivatives of the Euler angles under a uniform rotation. With ω = (p, q, r) along x,
    /// y′ = Rx y and z′ = Rx z: p = ȧ + ċ sin b, q = ḃ, r = ċ cos b; and y′, z′ turn about x at the rate ȧ,
    /// so q̇ = ȧ r and ṙ = -ȧ q.
    fn euler_rates(&self) -> [[f64; 3]; 2] {
        let [a, b, _] = self.euler.unwrap_or_else(|| euler(self.own.rotation));
        let (sin_a, cos_a, cos_b, tan_b) = (libm::sin(a), libm::cos(a), libm::cos(b), libm::tan(b));
        if cos_b.abs() < NEARLY_LOCKED {
            return [[f64::NAN; 3]; 2];
        }
        let omega = self.twist.angular;
        let (p, q, r) = (omega.x, omega.y * cos_a + omega.z * sin_a, omega.z * cos_a - omega.y * sin_a);
        let rates = [p - r * tan_b, q, r / cos_b];
        let (turning_q, turning_r) = (rates[0] * r, -rates[0] * q);
        let last = (turning_r + r * tan_b * q) / cos_b;
        [rates, [-turning_r * tan_b - r * q / (cos_b * cos_b), turning_q, last]]
    }

    /// Slopes of a number along a shift and a rotation of the body, and along its velocities; `None` for Euler
    /// angles near their lock.
    pub(super) fn along(&self, part: Part) -> Option<[Twist; 2]> {
        let arm = self.own.translation - self.centre;
        match part {
            // The velocity of the origin is v + ω × d, and d turns with the body.
            Part::Velocity(k) => {
                let axis = Vec3::AXES[k];
                let turned = arm.cross(axis.cross(self.twist.angular));
                Some([Twist::new(Vec3::ZERO, turned), Twist::of_impulse(axis, arm)])
            }
            Part::AngularVelocity(k) => Some([Twist::ZERO, Twist::new(Vec3::ZERO, Vec3::AXES[k])]),
            _ => {
                let mut slope = Slope::default();
                slope.add(part, 1.0);
                let is_locked = slope.has_euler && self.is_nearly_locked();
                (!is_locked).then(|| [slope.twist(self, None), Twist::ZERO])
            }
        }
    }

    /// Slopes along a second rotation of the slopes of a number along a rotation: rows are those of the first
    /// one, which comes after the second. Their symmetric part follows from uniform rotations; the rest is
    /// half the commutator of both, a rotation about e_k × e_l. `None` for Euler angles near their lock.
    pub(super) fn along_twice(&self, part: Part) -> Option<Mat3> {
        let first = self.along(part)?[0].angular;
        let bend = |omega: Vec3| Self { twist: Twist::new(Vec3::ZERO, omega), ..*self }.rate_of_rate(part);
        let single = Vec3::AXES.map(bend);
        let mut slopes = Mat3::ZERO;
        for l in 0..3 {
            for k in 0..3 {
                let (e_k, e_l) = (Vec3::AXES[k], Vec3::AXES[l]);
                let symmetric =
                    if k == l { single[k] } else { 0.5 * (bend(e_k + e_l) - single[k] - single[l]) };
                slopes.col_mut(l)[k] = symmetric + 0.5 * e_k.cross(e_l).dot(first);
            }
        }
        slopes.is_finite().then_some(slopes)
    }

    fn is_nearly_locked(&self) -> bool {
        let [_, b, _] = self.euler.unwrap_or_else(|| euler(self.own.rotation));
        libm::cos(b).abs() < NEARLY_LOCKED
    }

    /// Near the gimbal lock b = ±90° two of the three Euler axes coincide, and the angles tell two slopes of
    /// three. There the rotation has many triples of angles; this is the body with another one, whose b turns
    /// about the missing axis.
    pub(super) fn beyond_lock(&self) -> Option<(Self, Self)> {
        let [a, b, c] = euler(self.own.rotation);
        if libm::cos(b).abs() > LOCKED {
            return None;
        }
        let (b, sign) = (FRAC_PI_2.copysign(b), 1.0f64.copysign(b));
        let here = Self { euler: Some([a, b, c]), ..*self };
        Some((here, Self { euler: Some([a + FRAC_PI_2, b, c - sign * FRAC_PI_2]), ..*self }))
    }
}

/// At this cosine of b, leaving the lock out of account costs as much as dividing by the cosine.
const LOCKED: f64 = 1e-8;

/// Second derivatives divide by the square of the cosine: below this one they are not a number, and whoever
/// asks must find another way.
const NEARLY_LOCKED: f64 = 1e-4;

/// How a quantity changes with what is seen of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slope {
    position: Vec3,
    centre: Vec3,
    quaternion: [f64; 4],
    euler: [f64; 3],
    rotation: [Vec3; 3],
    has_euler: bool,
}

impl Slope {
    /// Takes in the derivative with respect to a number.
    pub(super) fn add(&mut self, part: Part, derivative: f64) {
        match part {
            Part::Position(k) => self.position[k] += derivative,
            Part::Centre(k) => self.centre[k] += derivative,
            Part::Quaternion(k) => self.quaternion[k] += derivative,
            Part::Euler(k) => {
                self.euler[k] += derivative;
                self.has_euler = true;
            }
            Part::Rotation(row, column) => self.rotation[column][row] += derivative,
            Part::Velocity(_) | Part::AngularVelocity(_) => {}
        }
    }

    /// The slope along a shift and along a rotation about the centre of mass. `missing` is the slope along b
    /// of [`Seen::beyond_lock`], where there is a lock.
    pub(super) fn twist(&self, seen: &Seen, missing: Option<f64>) -> Twist {
        let q = seen.own.rotation;
        let arm = seen.own.translation - seen.centre;
        let mut angular = arm.cross(self.position);
        for (axis, slope) in Vec3::AXES.into_iter().zip(self.rotation) {
            angular += to_world(q, axis).cross(slope);
        }
        let [g0, gx, gy, gz] = self.quaternion;
        let (v, g) = (Vec3::new(q.x, q.y, q.z), Vec3::new(gx, gy, gz));
        angular += (g * q.w - v * g0 + v.cross(g)) * 0.5;
        if self.has_euler {
            let [a, b, _] = seen.euler.unwrap_or_else(|| euler(q));
            let [ga, gb, gc] = self.euler;
            let (sin_a, cos_a) = (libm::sin(a), libm::cos(a));
            let last = missing.unwrap_or_else(|| (gc - ga * libm::sin(b)) / libm::cos(b));
            let (y, z) = (Vec3::new(0.0, cos_a, sin_a), Vec3::new(0.0, -sin_a, cos_a));
            angular += Vec3::X * ga + y * gb + z * last;
        }
        Twist::new(self.position + self.centre, angular)
    }

    /// The slope along the second Euler angle.
    pub(super) fn along_b(&self) -> f64 {
        self.euler[1]
    }
}

/// ½ ω q, the rate of a quaternion.
fn half_turned(omega: Vec3, [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    let v = Vec3::new(x, y, z);
    let turned = (omega * w + omega.cross(v)) * 0.5;
    [-0.5 * omega.dot(v), turned.x, turned.y, turned.z]
}

/// The Euler angles of a rotation, Rx(a) Ry(b) Rz(c). First c, from the first row; then R Rz(-c) = Rx(a)
/// Ry(b) gives the others. At the lock c is taken as 0, and a makes up for it.
pub(crate) fn euler(q: Quat) -> [f64; 3] {
    let [x, y, z] = Vec3::AXES.map(|axis| to_world(q, axis));
    let locked = x.x * x.x + y.x * y.x < 1e-30;
    let c = if locked { 0.0 } else { libm::atan2(-y.x, x.x) };
    let (sin_c, cos_c) = (libm::sin(c), libm::cos(c));
    let a = libm::atan2(x.z * sin_c + y.z * cos_c, x.y * sin_c + y.y * cos_c);
    let b = if locked { FRAC_PI_2.copysign(z.x) } else { libm::atan2(z.x, x.x * cos_c - y.x * sin_c) };
    [a, b, c]
}
