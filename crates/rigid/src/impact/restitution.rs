//! The impulse of an impact: Newton's restitution and Coulomb's cone at all points of contact at once.
//!
//! At a closing point (v_n⁻ < 0) the impulse is λ_n n + λ_t with
//!
//! 0 ≤ λ_n  ⟂  v_n⁺ + e v_n⁻ ≥ 0,      |λ_t| ≤ μ λ_n,   λ_t against the sliding v_t⁺ that is left.
//!
//! One point without friction is λ_n = -(1 + e) v_n⁻/(n·K n). One point with friction has an answer of its
//! own (`coulomb_cone`). Several points are iterated point by point until nothing changes any more; should
//! they go round and round instead, their friction is left out. Points that part already get nothing: were
//! they held at zero, their impulse would do positive work; if the impact makes them approach, they have an
//! impact of their own at the same instant.
//!
//! The energy changes by ΔT = λᵀv⁻ + ½ λᵀKλ. Without friction that is Σ ½(1 - e) λ_n v_n⁻ ≤ 0. With friction
//! Newton's law can raise it (@kane1985). The solution λ⁰ for e = 0 cannot: there λᵀv⁺ ≤ 0, and ΔT = λᵀv⁺ - ½
//! λᵀKλ. On the line from λ⁰ to λ, which stays in the cone, ΔT is a quadratic in the place on it, and the
//! impact takes the largest one with ΔT ≤ 0.

use super::coulomb_cone;
use super::coulomb_cone::Response;
use crate::world::solver_body::SolverBody;
use gedanken_math::{Twist, Vec3};

/// The bound on the passes over all points.
const MAX_PASSES: u32 = 2000;
/// Pass from which every change of an impulse is halved, so that oscillations of the iteration die out.
const HALVED_FROM_PASS: u32 = 500;
/// A pass that changes no impulse by more than this part of the largest one is the last.
const SETTLED_CHANGE: f64 = 1e-15;
/// The same for what is good enough when the passes are over.
const ACCEPTED_CHANGE: f64 = 1e-10;

/// Two bodies that are hit, and their response to impulses.
pub(super) trait HitPair {
    /// The bodies.
    fn bodies(&self) -> &[SolverBody; 2];
    /// Changes of both twists by impulses on both bodies.
    fn answer(&self, impulses: [Twist; 2]) -> [Twist; 2];
}

/// Each by its own mass.
impl HitPair for [SolverBody; 2] {
    fn bodies(&self) -> &[SolverBody; 2] {
        self
    }

    fn answer(&self, impulses: [Twist; 2]) -> [Twist; 2] {
        [self[0].inverse.apply(impulses[0]), self[1].inverse.apply(impulses[1])]
    }
}

/// One point of contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Point {
    /// The place, in the world: the same for both bodies, so that no angular momentum is made.
    pub(super) place: Vec3,
    /// The unit normal, from A to B.
    pub(super) normal: Vec3,
    /// From the centres of A and B to the place.
    arms: [Vec3; 2],
    /// The velocity of B against A at the place, before.
    pub(super) before: Vec3,
    /// The impulse on B.
    pub(super) impulse: Vec3,
    /// Memory of the impulse with restitution, where that without is looked for too.
    bouncing: Vec3,
    /// Two directions across the normal: a frame with it.
    across: [Vec3; 2],
    /// K in that frame, the normal first.
    response: Response,
}

impl Point {
    /// A point of contact of two bodies.
    pub(super) fn new<B: HitPair + ?Sized>(place: Vec3, normal: Vec3, pair: &B) -> Self {
        let bodies = pair.bodies();
        let arms = [0, 1].map(|k| place - bodies[k].pose.translation);
        let before = bodies[1].twist.at(arms[1]) - bodies[0].twist.at(arms[0]);
        let mut point = Self { place, normal, arms, before, ..Self::default() };
        let response = |direction: Vec3| {
            let [a, b] =
                pair.answer([Twist::of_impulse(-direction, arms[0]), Twist::of_impulse(direction, arms[1])]);
            b.at(arms[1]) - a.at(arms[0])
        };
        let (t, u) = normal.any_orthonormal_pair();
        point.across = [t, u];
        let columns = [normal, t, u].map(|direction| point.seen(response(direction)));
        point.response = Response::of(columns);
        point
    }

    /// Approach speed at the point, m/s.
    pub(super) fn approach(&self) -> f64 {
        -self.before.dot(self.normal)
    }

    /// Sliding speed at the point, m/s.
    pub(super) fn sliding(&self) -> f64 {
        (self.before + self.normal * self.approach()).length()
    }

    /// The same point with another motion `before`: accelerations, for forces that hold.
    pub(super) fn with_motion(mut self, motions: [Twist; 2]) -> Self {
        self.before = motions[1].at(self.arms[1]) - motions[0].at(self.arms[0]);
        self.impulse = Vec3::ZERO;
        self
    }

    /// A vector in the frame of the point.
    fn seen(&self, v: Vec3) -> [f64; 3] {
        [self.normal.dot(v), self.across[0].dot(v), self.across[1].dot(v)]
    }

    /// The impulse with which the point gets a normal velocity of at least `target`, all others being given.
    fn answer(&self, target: f64, friction: f64, changes: &[Twist; 2]) -> Vec3 {
        let velocity = self.velocity(changes);
        if friction == 0.0 {
            let pressed = self.impulse.dot(self.normal);
            let wanted = pressed + (target - velocity.dot(self.normal)) / self.response.normal();
            return self.normal * wanted.max(0.0);
        }
        let mut free = self.response.without(self.seen(velocity), self.seen(self.impulse));
        free[0] -= target;
        let [n, t, u] = coulomb_cone::impulse(&self.response, free, friction);
        self.normal * n + self.across[0] * t + self.across[1] * u
    }

    fn velocity(&self, changes: &[Twist; 2]) -> Vec3 {
        self.before + (changes[1].at(self.arms[1]) - changes[0].at(self.arms[0]))
    }

    fn push<B: HitPair + ?Sized>(&mut self, impulse: Vec3, bodies: &B, changes: &mut [Twist; 2]) {
        self.impulse += impulse;
        let arms = self.arms;
        let [a, b] =
            bodies.answer([Twist::of_impulse(-impulse, arms[0]), Twist::of_impulse(impulse, arms[1])]);
        changes[0] += a;
        changes[1] += b;
    }
}

/// Both bodies' impulses.
pub(super) fn total(points: &[Point]) -> [Twist; 2] {
    let mut sums = [Twist::ZERO; 2];
    for point in points {
        sums[0] += Twist::of_impulse(-point.impulse, point.arms[0]);
        sums[1] += Twist::of_impulse(point.impulse, point.arms[1]);
    }
    sums
}

/// Finds the impulses of points that all close, for a restitution and a friction; tells the restitution that
/// was possible.
pub(super) fn solve<B: HitPair + ?Sized>(
    points: &mut [Point],
    bodies: &B,
    restitution: f64,
    friction: f64,
) -> f64 {
    let settled = iterate(points, bodies, restitution, friction);
    if friction == 0.0 || (settled && gain(points, bodies) <= 0.0) {
        return restitution;
    }
    points.iter_mut().for_each(|point| point.bouncing = point.impulse);
    let both_settled = iterate(points, bodies, 0.0, friction) && settled;
    let c = gain(points, bodies);
    // Without friction there is always an answer.
    if !both_settled || c.is_nan() || c > 0.0 {
        iterate(points, bodies, restitution, 0.0);
        return restitution;
    }
    // ΔT(s) = a s² + b s + c along d = λ - λ⁰, with c ≤ 0 < a + b + c.
    let halted = total(points);
    for point in points.iter_mut() {
        (point.impulse, point.bouncing) = (point.bouncing - point.impulse, point.impulse);
    }
    let more = total(points);
    let moved = bodies.answer(more);
    let a = 0.5 * (more[0].dot(moved[0]) + more[1].dot(moved[1]));
    let power = points.iter().fold(0.0, |sum, point| sum + point.impulse.dot(point.before));
    let b = power + halted[0].dot(moved[0]) + halted[1].dot(moved[1]);
    let s = if a > 0.0 { ((b * b - 4.0 * a * c).sqrt() - b) / (2.0 * a) } else { 0.0 };
    let s = s.clamp(0.0, 1.0);
    for point in points.iter_mut() {
        point.impulse = point.bouncing + point.impulse * s;
    }
    restitution * s
}

/// ΔT of both bodies: λᵀv⁻ + ½ λᵀKλ.
fn gain<B: HitPair + ?Sized>(points: &[Point], bodies: &B) -> f64 {
    let impulses = total(points);
    let power = points.iter().fold(0.0, |sum, point| sum + point.impulse.dot(point.before));
    let moved = bodies.answer(impulses);
    power + 0.5 * (impulses[0].dot(moved[0]) + impulses[1].dot(moved[1]))
}

/// Goes over the points until nothing changes any more; tells whether it has come to that.
fn iterate<B: HitPair + ?Sized>(points: &mut [Point], bodies: &B, restitution: f64, friction: f64) -> bool {
    points.iter_mut().for_each(|point| point.impulse = Vec3::ZERO);
    let alone = points.len() == 1;
    let mut changes = [Twist::ZERO; 2];
    let mut left = f64::INFINITY;
    for pass in 0..MAX_PASSES {
        let part = if pass < HALVED_FROM_PASS { 1.0 } else { 0.5 };
        let (mut largest, mut changed) = (0.0f64, 0.0f64);
        for point in points.iter_mut() {
            let target = restitution * point.approach();
            let step = (point.answer(target, friction, &changes) - point.impulse) * part;
            point.push(step, bodies, &mut changes);
            changed = changed.max(step.length());
            largest = largest.max(point.impulse.length());
        }
        left = changed / largest;
        if alone || changed <= SETTLED_CHANGE * largest {
            return points.iter().all(|point| point.impulse.is_finite());
        }
    }
    left <= ACCEPTED_CHANGE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::solver_body::InverseMass;
    use gedanken_math::rotation::from_rotation_vector;
    use gedanken_math::{Pose, Quat};

    /// A rod of 1 kg and 1 m along x, turned about y, and the floor that its lower end meets.
    fn rod(slope: f64, twist: Twist) -> ([SolverBody; 2], Vec3) {
        let rotation = from_rotation_vector(Vec3::Y * slope);
        let moments = Vec3::new(1e-4, 1.0 / 12.0, 1.0 / 12.0);
        let mover = SolverBody {
            mass: 1.0,
            moments,
            twist,
            pose: Pose::new(rotation, Vec3::ZERO),
            inverse: InverseMass::new(1.0, moments, rotation),
            ..SolverBody::default()
        };
        let floor = SolverBody { pose: Pose::new(Quat::IDENTITY, Vec3::ZERO), ..SolverBody::default() };
        ([floor, mover], Pose::new(rotation, Vec3::ZERO).vector_to_world(Vec3::X * 0.5))
    }

    /// Kane's paradox: a rod that slides towards its lean while it lands gains energy by Newton's law. The
    /// restitution is lowered until it does not, and not further.
    #[test]
    fn restitution_that_would_make_energy_is_lowered() {
        let mut lowered = 0;
        for k in 0..400 {
            let (slope, slide) = (0.2 + 0.05 * f64::from(k % 20), -2.0 + 0.2 * f64::from(k / 20));
            let (bodies, place) = rod(slope, Twist::new(Vec3::new(slide, 0.0, -1.0), Vec3::ZERO));
            let mut points = [Point::new(place, Vec3::Z, &bodies)];
            iterate(&mut points, &bodies, 0.9, 0.8);
            let naive = gain(&points, &bodies);
            let e = solve(&mut points, &bodies, 0.9, 0.8);
            let gained = gain(&points, &bodies);
            assert!(gained <= 1e-15, "{gained:e}");
            if naive > 1e-12 {
                lowered += 1;
                assert!(e < 0.9 && gained.abs() < 1e-14, "{e} {gained:e}");
            } else {
                assert_eq!(e, 0.9);
            }
        }
        assert!(lowered > 5, "{lowered}");
    }

    /// A flat landing on four corners of which three would do: all stop together, however the load is shared.
    #[test]
    fn four_corners_bounce_as_one() {
        let moments = Vec3::new(0.3, 0.5, 0.7);
        let mover = SolverBody {
            mass: 2.0,
            moments,
            twist: Twist::new(Vec3::new(0.0, 0.0, -3.0), Vec3::ZERO),
            inverse: InverseMass::new(2.0, moments, Quat::IDENTITY),
            ..SolverBody::default()
        };
        let bodies = [SolverBody::default(), mover];
        let corner = |x: f64, y: f64| Point::new(Vec3::new(x, y, -0.1), Vec3::Z, &bodies);
        let mut points = [corner(0.9, 0.4), corner(-0.9, 0.4), corner(-0.9, -0.4), corner(0.9, -0.4)];
        assert_eq!(solve(&mut points, &bodies, 0.5, 0.0), 0.5);
        let [_, impulse] = total(&points);
        assert!((impulse.linear - Vec3::Z * 9.0).length() < 1e-13, "{:?}", impulse.linear);
        assert!(impulse.angular.length() < 1e-13);
    }
}
