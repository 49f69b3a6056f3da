//! The impulse of an impact: Newton's restitution and Coulomb's cone at all points of contact at once.
//!
//! At a closing point (v_n⁻ < 0) the impulse is λ_n n + λ_t with
//!
//! 0 ≤ λ_n  ⟂  v_n⁺ + e v_n⁻ ≥ 0,      |λ_t| ≤ μ λ_n,   λ_t against the sliding v_t⁺ that is left.
//!
//! One point without friction is λ_n = -(1 + e) v_n⁻/(n·K n). Several points, or friction, are iterated point by point until
//! nothing changes any more. Points that part already get nothing: were they held at zero, their impulse would do positive work;
//! if the impact makes them approach, they have an impact of their own at the same instant.
//!
//! The energy changes by ΔT = λᵀv⁻ + ½ λᵀKλ. Without friction that is Σ ½(1 - e) λ_n v_n⁻ ≤ 0. With friction Newton's law
//! can raise it (@kane1985). The solution λ⁰ for e = 0 cannot: there λᵀv⁺ ≤ 0, and ΔT = λᵀv⁺ - ½ λᵀKλ. On the line from
//! λ⁰ to λ, which stays in the cone, ΔT is a quadratic in the place on it, and the impact takes the largest one with ΔT ≤ 0.

use crate::rigid::start::Mover;
use crate::rigid::twist::Twist;
use gedanken_algebra::{Mat3, Vec3};

/// The bound on the passes over all points.
const MOST_PASSES: u32 = 2000;
/// A pass that changes no impulse by more than this part of the largest one is the last.
const SETTLED: f64 = 1e-15;

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
    /// n·K n, and the largest value of K in directions across n.
    stiffness: [f64; 2],
    /// The inverse of K across n, as a matrix that keeps directions across n.
    across: Mat3,
}

impl Point {
    /// A point of contact of two bodies.
    pub(super) fn new(place: Vec3, normal: Vec3, bodies: &[Mover; 2]) -> Self {
        let arms = [0, 1].map(|k| place - bodies[k].pose.translation);
        let before = bodies[1].twist.at(arms[1]) - bodies[0].twist.at(arms[0]);
        let mut point = Self { place, normal, arms, before, ..Self::default() };
        let response = |direction: Vec3| {
            let [a, b] =
                [0, 1].map(|k| bodies[k].inverse.apply(Twist::of_impulse(direction, arms[k])).at(arms[k]));
            a + b
        };
        let (t, u) = normal.any_orthonormal_pair();
        let (k_t, k_u) = (response(t), response(u));
        let [tt, tu, uu] = [t.dot(k_t), 0.5 * (t.dot(k_u) + u.dot(k_t)), u.dot(k_u)];
        let half = 0.5 * (tt - uu);
        point.stiffness = [normal.dot(response(normal)), 0.5 * (tt + uu) + (half * half + tu * tu).sqrt()];
        let determinant = tt * uu - tu * tu;
        let [itt, itu, iuu] = [uu / determinant, -tu / determinant, tt / determinant];
        let column = |axis: usize| (t * itt + u * itu) * t[axis] + (t * itu + u * iuu) * u[axis];
        point.across = Mat3::from_cols(column(0), column(1), column(2));
        point
    }

    /// How fast the bodies approach here.
    pub(super) fn approach(&self) -> f64 {
        -self.before.dot(self.normal)
    }

    /// How fast they slide.
    pub(super) fn sliding(&self) -> f64 {
        (self.before + self.normal * self.approach()).length()
    }

    /// The same point with another motion `before`: accelerations, for forces that hold.
    pub(super) fn with_motion(mut self, motions: [Twist; 2]) -> Self {
        self.before = motions[1].at(self.arms[1]) - motions[0].at(self.arms[0]);
        self.impulse = Vec3::ZERO;
        self
    }

    fn velocity(&self, changes: &[Twist; 2]) -> Vec3 {
        self.before + (changes[1].at(self.arms[1]) - changes[0].at(self.arms[0]))
    }

    fn push(&mut self, impulse: Vec3, bodies: &[Mover; 2], changes: &mut [Twist; 2]) {
        self.impulse += impulse;
        changes[0] += bodies[0].inverse.apply(Twist::of_impulse(-impulse, self.arms[0]));
        changes[1] += bodies[1].inverse.apply(Twist::of_impulse(impulse, self.arms[1]));
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

/// Finds the impulses of points that all close, for a restitution and a friction; tells the restitution that was possible.
pub(super) fn solve(points: &mut [Point], bodies: &[Mover; 2], restitution: f64, friction: f64) -> f64 {
    iterate(points, bodies, restitution, friction);
    if friction == 0.0 || gain(points, bodies) <= 0.0 {
        return restitution;
    }
    points.iter_mut().for_each(|point| point.bouncing = point.impulse);
    iterate(points, bodies, 0.0, friction);
    let c = gain(points, bodies);
    // An iteration that has not settled, or a cone in which nothing can: without friction there is always an answer.
    if c.is_nan() || c > 0.0 || !points.iter().all(|point| point.bouncing.is_finite()) {
        iterate(points, bodies, restitution, 0.0);
        return restitution;
    }
    // ΔT(s) = a s² + b s + c along d = λ - λ⁰, with c ≤ 0 < a + b + c.
    let halted = total(points);
    for point in points.iter_mut() {
        (point.impulse, point.bouncing) = (point.bouncing - point.impulse, point.impulse);
    }
    let more = total(points);
    let moved = [0, 1].map(|k| bodies[k].inverse.apply(more[k]));
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
fn gain(points: &[Point], bodies: &[Mover; 2]) -> f64 {
    let impulses = total(points);
    let power = points.iter().fold(0.0, |sum, point| sum + point.impulse.dot(point.before));
    let [a, b] = [0, 1].map(|k| impulses[k].dot(bodies[k].inverse.apply(impulses[k])));
    power + 0.5 * (a + b)
}

fn iterate(points: &mut [Point], bodies: &[Mover; 2], restitution: f64, friction: f64) {
    points.iter_mut().for_each(|point| point.impulse = Vec3::ZERO);
    if let [point] = points
        && friction == 0.0
    {
        let n = point.normal;
        point.impulse = n * ((1.0 + restitution) * point.approach() / point.stiffness[0]);
        return;
    }
    let mut changes = [Twist::ZERO; 2];
    for _ in 0..MOST_PASSES {
        let (mut largest, mut changed) = (0.0f64, 0.0f64);
        for point in points.iter_mut() {
            let n = point.normal;
            let target = restitution * point.approach();
            let pressed = point.impulse.dot(n);
            let wanted = pressed + (target - point.velocity(&changes).dot(n)) / point.stiffness[0];
            let pushed = wanted.max(0.0);
            let step = n * (pushed - pressed);
            point.push(step, bodies, &mut changes);
            changed = changed.max(step.length());
            if friction > 0.0 {
                let step = rub(point, friction * pushed, &changes);
                point.push(step, bodies, &mut changes);
                changed = changed.max(step.length());
            }
            largest = largest.max(point.impulse.length());
        }
        if changed <= SETTLED * largest {
            break;
        }
    }
}

/// The change of a point's friction impulse: to no sliding if the cone allows it, else to its rim, against the sliding.
fn rub(point: &Point, most: f64, changes: &[Twist; 2]) -> Vec3 {
    let n = point.normal;
    let velocity = point.velocity(changes);
    let sliding = velocity - n * velocity.dot(n);
    let rubbed = point.impulse - n * point.impulse.dot(n);
    let sticking = rubbed - point.across * sliding;
    if sticking.length() <= most {
        return sticking - rubbed;
    }
    let wanted = rubbed - sliding / point.stiffness[1];
    let length = wanted.length();
    let held = if length > most { wanted * (most / length) } else { wanted };
    held - rubbed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid::twist::Inverse;
    use gedanken_algebra::rotation::from_rotation_vector;
    use gedanken_algebra::{Pose, Quat};

    /// A rod of 1 kg and 1 m along x, turned about y, and the floor that its lower end meets.
    fn rod(slope: f64, twist: Twist) -> ([Mover; 2], Vec3) {
        let rotation = from_rotation_vector(Vec3::Y * slope);
        let moments = Vec3::new(1e-4, 1.0 / 12.0, 1.0 / 12.0);
        let mover = Mover {
            mass: 1.0,
            moments,
            twist,
            pose: Pose::new(rotation, Vec3::ZERO),
            inverse: Inverse::new(1.0, moments, rotation),
            ..Mover::default()
        };
        let floor = Mover { pose: Pose::new(Quat::IDENTITY, Vec3::ZERO), ..Mover::default() };
        ([floor, mover], Pose::new(rotation, Vec3::ZERO).vector_to_world(Vec3::X * 0.5))
    }

    /// Kane's paradox: a rod that slides towards its lean while it lands gains energy by Newton's law. The restitution is
    /// lowered until it does not, and not further.
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

    /// A flat landing on four corners of which three would do: all stop together, whoever carries how much.
    #[test]
    fn four_corners_bounce_as_one() {
        let moments = Vec3::new(0.3, 0.5, 0.7);
        let mover = Mover {
            mass: 2.0,
            moments,
            twist: Twist::new(Vec3::new(0.0, 0.0, -3.0), Vec3::ZERO),
            inverse: Inverse::new(2.0, moments, Quat::IDENTITY),
            ..Mover::default()
        };
        let bodies = [Mover::default(), mover];
        let corner = |x: f64, y: f64| Point::new(Vec3::new(x, y, -0.1), Vec3::Z, &bodies);
        let mut points = [corner(0.9, 0.4), corner(-0.9, 0.4), corner(-0.9, -0.4), corner(0.9, -0.4)];
        assert_eq!(solve(&mut points, &bodies, 0.5, 0.0), 0.5);
        let [_, impulse] = total(&points);
        assert!((impulse.linear - Vec3::Z * 9.0).length() < 1e-13, "{:?}", impulse.linear);
        assert!(impulse.angular.length() < 1e-13);
    }
}
