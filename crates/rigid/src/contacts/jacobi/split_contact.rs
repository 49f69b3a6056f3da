//! One contact of the `jacobi` solver: a manifold between two bodies, with its share of their masses.

use crate::collide::contact_table::Touch;
use crate::contacts::report::Report;
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::{Twist, Vec3};

/// Sweeps over the points of one contact in a pass; a single point is exact after one.
const POINT_PASSES: usize = 4;

/// The impulse of one point on B.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Impulse {
    /// Along the normal; never negative.
    pub(super) normal: f64,
    /// Perpendicular to it.
    pub(super) friction: Vec3,
}

/// One point, ready to solve.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    arm_a: Vec3,
    arm_b: Vec3,
    /// 1/K along the normal, for the whole bodies and for the shares.
    normal_mass: f64,
    share: f64,
    /// The inverse of the 2×2 K of the tangent plane, of the shares: its diagonal and the entry beside it.
    sticking: [f64; 3],
    /// One over the greater eigenvalue of that K.
    sliding: f64,
    /// The approach speed that is allowed, and the separation speed at the start of the phase.
    allowed: f64,
    separation: f64,
}

impl Point {
    /// The friction impulse of the point: what stops the sliding, if the cone holds that, else one on its
    /// boundary. There p = P(p - v/k), P being the nearest point of the disc and k the greater eigenvalue of
    /// K, has its fixed point where p is against v: friction opposes sliding, also for bodies that are easier
    /// to push one way than another.
    fn rub(&self, [t, s]: [Vec3; 2], old: Vec3, relative: Vec3, most: f64) -> Vec3 {
        let (vt, vs) = (relative.dot(t), relative.dot(s));
        let [kt, ks, both] = self.sticking;
        let stopping = old - t * (kt * vt + both * vs) - s * (ks * vs + both * vt);
        if stopping.dot(stopping) <= most * most {
            return stopping;
        }
        within(old - (t * vt + s * vs) * self.sliding, most)
    }
}

/// A contact, ready to solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    /// The places of A and B among the bodies.
    pub(super) ends: [u32; 2],
    normal: Vec3,
    tangents: [Vec3; 2],
    friction: f64,
    count: usize,
    points: [Point; 4],
    impulses: [Impulse; 4],
    /// Inverse mass of the contact's share of A and B.
    shares: [InverseMass; 2],
}

impl Contact {
    /// At the bodies' poses; `allowed` gives the approach speed that a gap and a separation speed allow.
    pub(super) fn new(
        touch: &Touch,
        ends: [u32; 2],
        [a, b]: [&SolverBody; 2],
        shares: [f64; 2],
        allowed: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let normal = touch.normal;
        let tangents = plane(normal);
        let part = |whole: &InverseMass, n: f64| InverseMass {
            inv_mass: whole.inv_mass * n,
            inv_inertia: whole.inv_inertia * n,
        };
        let shares = [part(&a.inverse, shares[0]), part(&b.inverse, shares[1])];
        let mut points = [Point::default(); 4];
        for (point, found) in points.iter_mut().zip(touch.points()) {
            let (arm_a, arm_b) = (found.arm_a, found.arm_b);
            // K(u, w): the relative velocity along u that a unit impulse along w makes.
            let k = |inverses: [&InverseMass; 2], u: Vec3, w: Vec3| {
                let at = |inverse: &InverseMass, arm: Vec3| {
                    inverse.apply(Twist::of_impulse(w, arm)).at(arm).dot(u)
                };
                at(inverses[0], arm_a) + at(inverses[1], arm_b)
            };
            let split = [&shares[0], &shares[1]];
            let [t, s] = tangents;
            let (tt, ts, ss) = (k(split, t, t), k(split, t, s), k(split, s, s));
            // The 2×2 block is inverted for sticking; its greater eigenvalue bounds the step of sliding.
            let determinant = tt * ss - ts * ts;
            let spread = (0.25 * (tt - ss) * (tt - ss) + ts * ts).sqrt();
            let separation = (b.twist.at(arm_b) - a.twist.at(arm_a)).dot(normal);
            *point = Point {
                arm_a,
                arm_b,
                normal_mass: 1.0 / k([&a.inverse, &b.inverse], normal, normal),
                share: 1.0 / k(split, normal, normal),
                sticking: [ss / determinant, tt / determinant, -ts / determinant],
                sliding: 1.0 / (0.5 * (tt + ss) + spread),
                allowed: allowed(found.gap, separation),
                separation,
            };
        }
        Self {
            ends,
            normal,
            tangents,
            friction: touch.friction,
            count: usize::from(touch.count),
            points,
            impulses: [Impulse::default(); 4],
            shares,
        }
    }

    /// The impulses of the phase so far; zero for points that are not there.
    pub(super) fn impulses(&self) -> [Impulse; 4] {
        self.impulses
    }

    /// Largest excess of an approach speed over the allowed one.
    pub(super) fn approach(&self) -> f64 {
        let points = self.points[..self.count].iter();
        points.fold(0.0, |most: f64, point| most.max(-point.separation - point.allowed))
    }

    /// Takes the impulses of the last step for a start, as far as the normal has not turned from under them.
    pub(super) fn start_from(&mut self, touch: &Touch) {
        for (impulse, known) in self.impulses.iter_mut().zip(touch.points()) {
            let along = known.friction_impulse - self.normal * known.friction_impulse.dot(self.normal);
            let most = self.friction * known.normal_impulse;
            *impulse = Impulse { normal: known.normal_impulse, friction: within(along, most) };
        }
    }

    /// Impulse and angular impulse on A and on B.
    pub(super) fn pushes(&self, impulses: &[Impulse; 4]) -> [(usize, Twist); 2] {
        let mut pushes = [Twist::ZERO; 2];
        for (point, impulse) in self.points[..self.count].iter().zip(impulses) {
            let p = self.normal * impulse.normal + impulse.friction;
            pushes[0] -= Twist::of_impulse(p, point.arm_a);
            pushes[1] += Twist::of_impulse(p, point.arm_b);
        }
        [(self.ends[0] as usize, pushes[0]), (self.ends[1] as usize, pushes[1])]
    }

    /// Finds the impulses of this contact, all others being frozen; tells by how much they changed.
    pub(super) fn solve(&mut self, movers: &[SolverBody]) -> [Impulse; 4] {
        let before = self.impulses;
        let [mut a, mut b] = self.ends.map(|place| movers[place as usize].twist);
        let rounds = if self.count == 1 { 1 } else { POINT_PASSES };
        for _ in 0..rounds {
            for (point, impulse) in self.points[..self.count].iter().zip(&mut self.impulses) {
                let old = *impulse;
                let separation = (b.at(point.arm_b) - a.at(point.arm_a)).dot(self.normal);
                impulse.normal = (old.normal - (separation + point.allowed) * point.share).max(0.0);
                let push = self.normal * (impulse.normal - old.normal);
                a -= self.shares[0].apply(Twist::of_impulse(push, point.arm_a));
                b += self.shares[1].apply(Twist::of_impulse(push, point.arm_b));
                let relative = b.at(point.arm_b) - a.at(point.arm_a);
                impulse.friction =
                    point.rub(self.tangents, old.friction, relative, self.friction * impulse.normal);
                let push = impulse.friction - old.friction;
                a -= self.shares[0].apply(Twist::of_impulse(push, point.arm_a));
                b += self.shares[1].apply(Twist::of_impulse(push, point.arm_b));
            }
        }
        std::array::from_fn(|k| Impulse {
            normal: self.impulses[k].normal - before[k].normal,
            friction: self.impulses[k].friction - before[k].friction,
        })
    }

    /// Opens and closes the gaps of the touch as the bodies go these ways.
    pub(super) fn go(&self, touch: &mut Touch, [a, b]: [Twist; 2]) {
        for point in touch.points_mut() {
            point.gap += (b.at(point.arm_b) - a.at(point.arm_a)).dot(self.normal);
        }
    }

    /// Adds the residuals of Signorini's conditions, of Coulomb's cone, and of the direction of friction.
    pub(super) fn judge(&self, movers: &[SolverBody], report: &mut Report) {
        let [a, b] = self.ends.map(|place| movers[place as usize].twist);
        report.points += self.count as u32;
        for (point, impulse) in self.points[..self.count].iter().zip(&self.impulses) {
            let relative = b.at(point.arm_b) - a.at(point.arm_a);
            let excess = relative.dot(self.normal) + point.allowed;
            report.signorini = report.signorini.max(excess.min(impulse.normal / point.normal_mass).abs());
            let (size, most) = (impulse.friction.length(), self.friction * impulse.normal);
            report.cone = report.cone.max((size - most) / point.normal_mass);
            let sliding = relative - self.normal * relative.dot(self.normal);
            // At the boundary of the cone, within rounding; without normal impulse nothing has to be opposed.
            let wrong = if size < most * (1.0 - 1e-12) {
                sliding.length()
            } else if size > 0.0 {
                (sliding + impulse.friction * (sliding.length() / size)).length()
            } else {
                0.0
            };
            report.dissipation = report.dissipation.max(wrong);
        }
    }
}

/// The vector, shortened to this length if it is longer.
fn within(v: Vec3, most: f64) -> Vec3 {
    let length = v.length();
    if length > most { v * (most / length) } else { v }
}

/// Two unit vectors perpendicular to a unit normal and to each other.
fn plane(n: Vec3) -> [Vec3; 2] {
    let away = if n.x.abs() < 0.6 { Vec3::X } else { Vec3::Y };
    let t = n.cross(away).normalize();
    [t, n.cross(t)]
}
