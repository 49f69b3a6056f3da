//! The rows of a contact solve: arms and effective masses in the frame of each contact, computed once per
//! step.
//!
//! At a contact point the impulse is p = λ_n n + λ_1 t_1 + λ_2 t_2, on B, and the relative velocity of B
//! changes by K p with
//!
//! K = (1/m_a + 1/m_b) 1 + \[r_a\] I_a⁻¹ \[r_a\]ᵀ + \[r_b\] I_b⁻¹ \[r_b\]ᵀ.
//!
//! Both bodies take the impulse at the same point, half way across the gap, so that angular momentum is kept
//! to rounding.

use crate::collide::contact_table::Touch;
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::{Mat3, Twist, Vec3};

/// A body as the sweeps see it: how it moves, and what impulses do to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SweepBody {
    /// The velocity of its centre.
    pub linear: Vec3,
    /// The angular velocity.
    pub angular: Vec3,
    /// 1/m; zero for a body that impulses do not move.
    pub inv_mass: f64,
    /// I⁻¹ in the world.
    pub inv_inertia: Mat3,
    /// `true` if I is a multiple of 1, as that of a ball or a cube, or nothing turns it.
    pub round: bool,
}

impl SweepBody {
    /// A body at the start of a step.
    #[must_use]
    pub(crate) fn new(mover: &SolverBody) -> Self {
        let InverseMass { inv_mass, inv_inertia } = mover.inverse;
        let round = inv_inertia == Mat3::from_diagonal(Vec3::splat(inv_inertia.x_axis.x));
        Self { linear: mover.twist.linear, angular: mover.twist.angular, inv_mass, inv_inertia, round }
    }

    /// The motion.
    #[inline(always)]
    #[must_use]
    pub(crate) fn twist(&self) -> Twist {
        Twist::new(self.linear, self.angular)
    }

    /// Sets the motion.
    #[inline(always)]
    pub(crate) fn set_twist(&mut self, twist: Twist) {
        (self.linear, self.angular) = (twist.linear, twist.angular);
    }

    /// Change of the twist by an impulse at an arm.
    #[must_use]
    pub(crate) fn response(&self, impulse: Vec3, arm: Vec3) -> Twist {
        Twist::new(impulse * self.inv_mass, self.inv_inertia * arm.cross(impulse))
    }

    /// Takes an impulse at an arm.
    #[inline(always)]
    pub(crate) fn push(&mut self, impulse: Vec3, arm: Vec3) {
        self.linear += impulse * self.inv_mass;
        self.angular += self.inv_inertia * arm.cross(impulse);
    }
}

/// One contact: two bodies, the frame of their common tangent plane, and a range of points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Manifold {
    /// The place of A among the bodies.
    pub a: u32,
    /// The place of B.
    pub b: u32,
    /// The number of its points.
    pub count: u32,
    /// The first of its points.
    pub first: u32,
    /// The normal and both tangents: a right-handed frame.
    pub frame: Mat3,
    /// The coefficient of friction.
    pub friction: f64,
    /// `true` if friction at one of its points can press it about as much as the normal impulse does.
    pub strong: bool,
}

/// Ratio of what friction does to the approach to what the normal impulse does to it, from which a contact is
/// strong. At 1 a sliding point may have several solutions, or only one that sticks (Painlevé).
const STRONG_RATIO: f64 = 0.5;

/// One contact point. Vectors with three numbers are (normal, first tangent, second tangent).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// From A's centre to the point.
    pub arm_a: Vec3,
    /// From B's centre to the point.
    pub arm_b: Vec3,
    /// K_nn: what a normal impulse does to the approach.
    pub response: f64,
    /// 1/K_nn: the effective mass along the normal.
    pub normal_mass: f64,
    /// K_1n and K_2n: what a normal impulse does to sliding.
    pub coupling: [f64; 2],
    /// The inverse of K's tangential block: 11, 12, 22.
    pub block: [f64; 3],
    /// The larger eigenvalue of K's tangential block.
    pub slip: f64,
    /// One over that.
    pub step: f64,
    /// The impulse of the sub-step.
    pub impulse: Vec3,
    /// The approach that is allowed: the gap, if there is one, per sub-step, m/s.
    pub allowed: f64,
    /// Present gap, m.
    pub gap: f64,
    /// The relative velocity when the sub-step began.
    pub before: Vec3,
}

/// The rows of one island.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The bodies, in the order of the bodies.
    pub bodies: Vec<SweepBody>,
    /// The contacts, in their order.
    pub manifolds: Vec<Manifold>,
    /// Their points, in their order.
    pub points: Vec<Point>,
}

impl Rows {
    /// Sets up all rows. The impulses to start from are those of the last step, a share of one in `substeps`
    /// each; bodies do not feel them yet.
    pub(crate) fn set_up(
        &mut self,
        movers: &[SolverBody],
        touches: &[Touch],
        ends: &[[u32; 2]],
        substeps: f64,
    ) {
        self.bodies.clear();
        self.bodies.extend(movers.iter().map(SweepBody::new));
        self.manifolds.clear();
        self.points.clear();
        let share = 1.0 / substeps;
        for (touch, &[a, b]) in touches.iter().zip(ends) {
            let frame = tangent_frame(touch.normal);
            self.manifolds.push(Manifold {
                a,
                b,
                count: u32::from(touch.count),
                first: self.points.len() as u32,
                frame,
                friction: touch.friction,
                strong: false,
            });
            let (body_a, body_b) = (&self.bodies[a as usize], &self.bodies[b as usize]);
            let mut is_strong = false;
            for point in touch.points() {
                let half = touch.normal * (0.5 * point.gap);
                let (arm_a, arm_b) = (point.arm_a + half, point.arm_b - half);
                let friction = point.friction_impulse;
                let impulse =
                    Vec3::new(point.normal_impulse, friction.dot(frame.y_axis), friction.dot(frame.z_axis))
                        * share;
                let relative = body_b.twist().at(arm_b) - body_a.twist().at(arm_a);
                let before = frame.transpose() * relative;
                let made = Point::new([body_a, body_b], [arm_a, arm_b], &frame);
                is_strong |= made.is_strong(touch.friction);
                self.points.push(Point { impulse, gap: point.gap, before, ..made });
            }
            if is_strong {
                self.manifolds.last_mut().expect("one was pushed just now").strong = true;
            }
        }
    }

    /// Points of a contact.
    pub(crate) fn of(&self, manifold: &Manifold) -> &[Point] {
        &self.points[manifold.first as usize..][..manifold.count as usize]
    }
}

impl Point {
    /// The masses of a point of two bodies.
    #[inline]
    #[must_use]
    pub(crate) fn new([a, b]: [&SweepBody; 2], [arm_a, arm_b]: [Vec3; 2], frame: &Mat3) -> Self {
        let [[nn, n1, n2], [_, k11, k12], [_, _, k22]] = if a.round && b.round {
            round_response([a, b], [arm_a, arm_b], frame)
        } else {
            response([a, b], [arm_a, arm_b], frame)
        };
        let inverse = 1.0 / (k11 * k22 - k12 * k12);
        let (mean, half) = (0.5 * (k11 + k22), 0.5 * (k11 - k22));
        let slip = mean + (half * half + k12 * k12).sqrt();
        Self {
            arm_a,
            arm_b,
            response: nn,
            normal_mass: 1.0 / nn,
            coupling: [n1, n2],
            block: [k22 * inverse, -k12 * inverse, k11 * inverse],
            slip,
            step: 1.0 / slip,
            impulse: Vec3::ZERO,
            allowed: 0.0,
            gap: 0.0,
            before: Vec3::ZERO,
        }
    }
}

impl Point {
    /// Returns `true` if friction can press the point about as much as the normal impulse.
    #[inline]
    fn is_strong(&self, friction: f64) -> bool {
        let [first, second] = self.coupling;
        let pressed = STRONG_RATIO * self.response;
        friction * friction * (first * first + second * second) > pressed * pressed
    }
}

/// K in the frame; the lower triangle is left out.
fn response([a, b]: [&SweepBody; 2], [arm_a, arm_b]: [Vec3; 2], frame: &Mat3) -> [[f64; 3]; 3] {
    let axes = [frame.x_axis, frame.y_axis, frame.z_axis];
    let mut k = [[0.0; 3]; 3];
    let (turn_a, turn_b) = (axes.map(|axis| arm_a.cross(axis)), axes.map(|axis| arm_b.cross(axis)));
    let (spin_a, spin_b) = (turn_a.map(|turn| a.inv_inertia * turn), turn_b.map(|turn| b.inv_inertia * turn));
    for i in 0..3 {
        for j in i..3 {
            k[i][j] = turn_a[i].dot(spin_a[j]) + turn_b[i].dot(spin_b[j]);
        }
        k[i][i] += a.inv_mass + b.inv_mass;
    }
    k
}

/// The same where I⁻¹ is a number j: \[r\] j \[r\]ᵀ = j (r² 1 - r rᵀ).
#[inline]
fn round_response(bodies: [&SweepBody; 2], arms: [Vec3; 2], frame: &Mat3) -> [[f64; 3]; 3] {
    let ([a, b], [arm_a, arm_b]) = (bodies, arms);
    let (i, j) = (a.inv_inertia.x_axis.x, b.inv_inertia.x_axis.x);
    let (x, y, z) = (arm_a.dot(frame.x_axis), arm_a.dot(frame.y_axis), arm_a.dot(frame.z_axis));
    let (u, v, w) = (arm_b.dot(frame.x_axis), arm_b.dot(frame.y_axis), arm_b.dot(frame.z_axis));
    let mass = a.inv_mass + b.inv_mass;
    [
        [
            mass + i * (y * y + z * z) + j * (v * v + w * w),
            -(i * (x * y) + j * (u * v)),
            -(i * (x * z) + j * (u * w)),
        ],
        [0.0, mass + i * (x * x + z * z) + j * (u * u + w * w), -(i * (y * z) + j * (v * w))],
        [0.0, 0.0, mass + i * (x * x + y * y) + j * (u * u + v * v)],
    ]
}

/// A right-handed frame whose first axis is the unit vector `n` (Duff and others 2017, without a branch on
/// the direction).
#[must_use]
pub(crate) fn tangent_frame(n: Vec3) -> Mat3 {
    let sign = 1.0f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    let first = Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    let second = Vec3::new(b, sign + n.y * n.y * a, -n.y);
    Mat3::from_cols(n, first, second)
}
