//! Terms of constraints: points that coincide, directions that keep their angle, frames that keep their
//! turn.
//!
//! Each piece is a scalar or a vector with its exact derivative with respect to the twists of both bodies,
//! and its drift J̇·v: the second derivative along a motion whose twists are constant in the world frame.
//! Arms reach from the centres of mass, in the world; the gap is p_A - p_B, the first anchor as seen from the
//! second.

use super::constraint::{Configuration, Row, Sense};
use super::mounts::Mounts;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Quat, Twist, Vec3, axial};

/// A row that demands C = 0, at rest in time.
pub(super) fn equal(value: f64, a: Twist, b: Twist) -> Row {
    Row { value, a, b, rate: 0.0, sense: Sense::Equal }
}

/// The anchors in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arms {
    pub(super) a: Vec3,
    pub(super) b: Vec3,
    /// p_A - p_B. Centres are subtracted first, so that bodies far from the origin lose nothing.
    pub(super) gap: Vec3,
}

impl Arms {
    pub(super) fn of(mounts: &Mounts, at: &Configuration) -> Self {
        let a = to_world(at.a.rotation, mounts.in_a.translation);
        let b = to_world(at.b.rotation, mounts.in_b.translation);
        Self { a, b, gap: (at.a.translation - at.b.translation) + (a - b) }
    }

    /// Rate of the gap.
    pub(super) fn gap_rate(&self, a: Twist, b: Twist) -> Vec3 {
        a.at(self.a) - b.at(self.b)
    }

    /// Rate of `gap_rate` under constant twists: ω × (ω × r) of A minus that of B.
    pub(super) fn gap_drift(&self, a: Twist, b: Twist) -> Vec3 {
        let inward = |omega: Vec3, arm: Vec3| omega.cross(omega.cross(arm));
        inward(a.angular, self.a) - inward(b.angular, self.b)
    }

    /// The derivative of n·gap for a direction n that rests in the world.
    pub(super) fn gradient(&self, n: Vec3) -> (Twist, Twist) {
        (Twist::of_impulse(n, self.a), -Twist::of_impulse(n, self.b))
    }

    /// Both anchors in one place: three rows, along the axes of the world.
    pub(super) fn meet(&self, rows: &mut Vec<Row>) {
        for n in Vec3::AXES {
            let (a, b) = self.gradient(n);
            rows.push(equal(self.gap.dot(n), a, b));
        }
    }

    pub(super) fn meet_drift(&self, a: Twist, b: Twist, out: &mut Vec<f64>) {
        out.extend(self.gap_drift(a, b).to_array());
    }

    /// The derivative of n·gap for a direction n that turns with B: the force acts on B where A's anchor is.
    pub(super) fn gradient_with_b(&self, n: Vec3) -> (Twist, Twist) {
        (Twist::of_impulse(n, self.a), -Twist::of_impulse(n, self.b + self.gap))
    }

    /// The drift of n·gap for a direction n that turns with B: n̈·gap + 2 ṅ·(rate of the gap) + n·(drift of
    /// the gap).
    pub(super) fn drift_with_b(&self, n: Vec3, a: Twist, b: Twist) -> f64 {
        let n_dot = b.angular.cross(n);
        let n_dot_dot = b.angular.cross(n_dot);
        n_dot_dot.dot(self.gap) + 2.0 * n_dot.dot(self.gap_rate(a, b)) + n.dot(self.gap_drift(a, b))
    }
}

/// x·n, the cosine between a direction of A and one of B; it is to be zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cosine {
    pub(super) of_a: Vec3,
    pub(super) of_b: Vec3,
}

impl Cosine {
    pub(super) fn row(self) -> Row {
        let turn = self.of_a.cross(self.of_b);
        equal(self.of_a.dot(self.of_b), Twist::new(Vec3::ZERO, turn), Twist::new(Vec3::ZERO, -turn))
    }

    pub(super) fn drift(self, a: Twist, b: Twist) -> f64 {
        let (x_dot, n_dot) = (a.angular.cross(self.of_a), b.angular.cross(self.of_b));
        a.angular.cross(x_dot).dot(self.of_b) + 2.0 * x_dot.dot(n_dot) + b.angular.cross(n_dot).dot(self.of_a)
    }
}

/// The joint's frame of A as seen from that of B: q = (frame of B)⁻¹ (frame of A), taken with w ≥ 0, which
/// leaves no choice of sign.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    q: Quat,
    frame_b: Quat,
}

impl Turn {
    pub(super) fn of(mounts: &Mounts, at: &Configuration) -> Self {
        let (frame_a, frame_b) = mounts.turns(at);
        let q = frame_b.conjugate() * frame_a;
        Self { q: if q.w < 0.0 { -q } else { q }, frame_b }
    }

    /// The angular velocity of A as seen from B, in B's frame of the joint, and how it changes under constant
    /// twists because that frame turns.
    fn spin(&self, a: Twist, b: Twist) -> (Vec3, Vec3) {
        let omega = to_body(self.frame_b, a.angular - b.angular);
        (omega, omega.cross(to_body(self.frame_b, b.angular)))
    }

    /// A direction of B's frame of the joint as the gradient of a rate of turning.
    fn gradient(&self, k: Vec3) -> (Twist, Twist) {
        let k = to_world(self.frame_b, k);
        (Twist::new(Vec3::ZERO, k), Twist::new(Vec3::ZERO, -k))
    }

    /// Both frames turned alike: three rows, C = 2u with q = (w, u), the rotation vector for small turns. The
    /// rate is Ċ = w Ω + Ω × u, whose determinant is w: well conditioned up to a right angle and beyond.
    pub(super) fn alike(&self, rows: &mut Vec<Row>) {
        let u = Vec3::new(self.q.x, self.q.y, self.q.z);
        for e in Vec3::AXES {
            let (a, b) = self.gradient(e * self.q.w + u.cross(e));
            rows.push(equal(2.0 * u.dot(e), a, b));
        }
    }

    pub(super) fn alike_drift(&self, a: Twist, b: Twist, out: &mut Vec<f64>) {
        let u = Vec3::new(self.q.x, self.q.y, self.q.z);
        let (omega, omega_dot) = self.spin(a, b);
        let w_dot = -0.5 * omega.dot(u);
        let u_dot = (omega * self.q.w + omega.cross(u)) * 0.5;
        let drift = omega * w_dot + omega_dot * self.q.w + omega_dot.cross(u) + omega.cross(u_dot);
        out.extend(drift.to_array());
    }

    /// The angle about the axis of the joint, in (-π, π].
    pub(super) fn angle(&self) -> f64 {
        axial::angle(self.q)
    }

    pub(super) fn angle_gradient(&self) -> (Twist, Twist) {
        self.gradient(axial::gradient(self.q))
    }

    pub(super) fn angle_drift(&self, a: Twist, b: Twist) -> f64 {
        let (omega, omega_dot) = self.spin(a, b);
        axial::gradient_rate(self.q, omega).dot(omega) + axial::gradient(self.q).dot(omega_dot)
    }
}

/// The distance of the anchors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    arms: Arms,
    pub(super) length: f64,
    /// From B's anchor to A's.
    direction: Vec3,
}

impl Span {
    pub(super) fn of(mounts: &Mounts, at: &Configuration) -> Self {
        let arms = Arms::of(mounts, at);
        let length = arms.gap.length();
        // Anchors in one place have no direction from one to the other; any will do to push them apart.
        let direction = if length > 0.0 { arms.gap / length } else { Vec3::X };
        Self { arms, length, direction }
    }

    /// Returns `true` if it is no more than what rounding leaves of anchors that meet.
    pub(super) fn is_rounding(&self) -> bool {
        let Arms { a, b, gap } = self.arms;
        self.length <= 1e-13 * (a.length() + b.length() + (gap - a + b).length())
    }

    pub(super) fn gradient(&self) -> (Twist, Twist) {
        self.arms.gradient(self.direction)
    }

    /// The distance grows by what moves across, |ġ - u(u·ġ)|²/d, and by what turns.
    pub(super) fn drift(&self, a: Twist, b: Twist) -> f64 {
        let along = self.direction.dot(self.arms.gap_drift(a, b));
        if self.length == 0.0 {
            return along;
        }
        let rate = self.arms.gap_rate(a, b);
        let across = rate - self.direction * self.direction.dot(rate);
        across.length_squared() / self.length + along
    }
}
