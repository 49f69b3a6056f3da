//! Sweeps: when two moving shapes first touch, by conservative advancement (@tang2009).
//!
//! The caller gives the poses as functions of a parameter s in [0, 1] and a bound on how far any point can
//! move over any sub-interval. At s the shapes are apart by a gap along a unit normal n: a plane lies between
//! them. They cannot touch before their points have closed that gap along n, so s may advance as far as the
//! bound stays below the gap. Every step is safe, so the s that comes out is never later than the first
//! contact:
//!
//!   0 < gap(s) ≤ tolerance,   and no contact on [0, s].
//!
//! The approach bound takes the normal: bodies that pass each other close by do not stop the sweep, which
//! then behaves as Newton's method on the gap. Turning bodies are bounded by |n × ω| r for all their points,
//! r being the farthest.

use crate::bounds::Aabb;
use crate::narrow::{self, Distance, QueryError, Scratch};
use crate::shape::{Shape, Solid};
use gedanken_math::{Pose, Vec3, rotation::from_rotation_vector};

/// The bound on the number of steps of a sweep.
pub const MAX_ITERATIONS: u32 = 10_000;
/// How often a trial step is shortened before the bound counts as broken: no bound that goes to zero needs as
/// many.
const SHORTENINGS: u32 = 200;

/// How two bodies move, as functions of a parameter s in [0, 1].
pub trait Motion {
    /// The pose of A at s.
    fn pose_a(&self, s: f64) -> Pose;
    /// The pose of B at s.
    fn pose_b(&self, s: f64) -> Pose;
    /// A bound on the way of any point of A plus that of any point of B from any one to any other parameter
    /// of [from, to].
    fn bound(&self, from: f64, to: f64) -> f64;
    /// A bound on how much closer any point of A can come to any point of B along the unit vector `normal` (A
    /// to B) from `from` to any parameter up to `to`; may be negative. The sharper, the fewer steps.
    fn approach(&self, normal: Vec3, from: f64, to: f64) -> f64 {
        let _ = normal;
        self.bound(from, to)
    }
}

/// The first contact along a motion, to the tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The parameter: not later than the true first contact.
    pub s: f64,
    /// The unit normal at s, from A to B.
    pub normal: Vec3,
    /// How far the shapes still are apart at s: up to the tolerance; zero or negative if they touch or
    /// overlap at s = 0.
    pub gap: f64,
    /// The closest point of A at s, in the world.
    pub point_a: Vec3,
    /// The closest point of B at s, in the world.
    pub point_b: Vec3,
    /// How many distances were measured.
    pub iterations: u32,
}

/// The earliest contact of two shapes along a motion; `None` if the gap stays above zero up to s = 1.
///
/// Shapes that touch or overlap at s = 0 give an impact at 0.
pub fn first_contact(
    a: &Shape,
    b: &Shape,
    motion: &dyn Motion,
    tolerance: f64,
    scratch: &mut Scratch,
) -> Result<Option<Impact>, QueryError> {
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(QueryError::BadTolerance { value: tolerance });
    }
    let mut s = 0.0;
    let mut gap = f64::INFINITY;
    for iteration in 1..=MAX_ITERATIONS {
        let apart = match narrow::distance(a, &motion.pose_a(s), b, &motion.pose_b(s), scratch)? {
            Distance::Separated(apart) => apart,
            Distance::Overlapping(contact) => {
                return Ok(Some(Impact {
                    s,
                    normal: contact.normal,
                    gap: -contact.depth,
                    point_a: contact.point_a,
                    point_b: contact.point_b,
                    iterations: iteration,
                }));
            }
        };
        gap = apart.distance;
        if gap <= tolerance {
            return Ok(Some(Impact {
                s,
                normal: apart.normal,
                gap,
                point_a: apart.point_a,
                point_b: apart.point_b,
                iterations: iteration,
            }));
        }
        // Leaves half of the tolerance, so that rounding never lands inside.
        let room = gap - 0.5 * tolerance;
        // Between bodies that are not convex the closest points have no plane between them that all other
        // points respect.
        let normal = (is_convex(a) && is_convex(b)).then_some(apart.normal);
        match advance(motion, normal, s, room)? {
            Some(next) => s = next,
            None => return Ok(None),
        }
    }
    Err(QueryError::Unsettled { query: "the sweep", iterations: MAX_ITERATIONS, error: gap })
}

/// Whether a plane lies between the shape and any point outside of it.
fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Compound(_) | Shape::Mesh(_))
}

/// The farthest parameter found to which the approach stays within `room`; `None` if it does so up to 1.
fn advance(motion: &dyn Motion, normal: Option<Vec3>, s: f64, room: f64) -> Result<Option<f64>, QueryError> {
    let mut to = 1.0;
    for _ in 0..SHORTENINGS {
        let way = normal.map_or_else(|| motion.bound(s, to), |normal| motion.approach(normal, s, to));
        if way.is_nan() {
            return Err(QueryError::BadBound { from: s, to });
        }
        if way <= room {
            return Ok(if to >= 1.0 { None } else { Some(to) });
        }
        // Regula falsi from below; the factor makes sure that a linear bound is met at once in spite of
        // rounding.
        let part = (room / way).clamp(1e-3, 0.999);
        let next = s + (to - s) * part * (1.0 - 1e-12);
        if next <= s {
            break;
        }
        to = next;
    }
    Err(QueryError::BadBound { from: s, to })
}

/// A body that moves with a constant velocity and turns with a constant angular velocity about a centre that
/// moves along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    /// The pose at s = 0.
    pub start: Pose,
    /// The centre of rotation, in body coordinates.
    pub centre: Vec3,
    /// The way of the centre from s = 0 to s = 1.
    pub velocity: Vec3,
    /// The rotation vector from s = 0 to s = 1, in the world frame.
    pub angular_velocity: Vec3,
}

impl Uniform {
    /// At rest.
    #[must_use]
    pub const fn rest(start: Pose) -> Self {
        Self { start, centre: Vec3::ZERO, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
    }

    /// The pose at s.
    #[must_use]
    pub fn pose(&self, s: f64) -> Pose {
        let rotation = (from_rotation_vector(self.angular_velocity * s) * self.start.rotation).normalize();
        let centre = self.start.point_to_world(self.centre) + self.velocity * s;
        let turned = Pose::new(rotation, Vec3::ZERO).vector_to_world(self.centre);
        Pose::new(rotation, centre - turned)
    }
}

/// Two bodies in uniform motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformMotion {
    a: Uniform,
    b: Uniform,
    /// The farthest point of each body from its centre of rotation.
    reach_a: f64,
    reach_b: f64,
}

impl UniformMotion {
    /// The motion of these two shapes. An error if one of them turns and has no bounds (a half-space).
    pub fn new(shape_a: &Shape, a: Uniform, shape_b: &Shape, b: Uniform) -> Result<Self, QueryError> {
        let reach = |shape: &Shape, body: &Uniform| {
            if body.angular_velocity == Vec3::ZERO { 0.0 } else { reach(shape, body.centre) }
        };
        let (reach_a, reach_b) = (reach(shape_a, &a), reach(shape_b, &b));
        if reach_a.is_finite() && reach_b.is_finite() {
            Ok(Self { a, b, reach_a, reach_b })
        } else {
            Err(QueryError::Unsupported { query: "turning sweep", a: shape_a.kind(), b: shape_b.kind() })
        }
    }
}

impl Motion for UniformMotion {
    fn pose_a(&self, s: f64) -> Pose {
        self.a.pose(s)
    }
    fn pose_b(&self, s: f64) -> Pose {
        self.b.pose(s)
    }
    fn bound(&self, from: f64, to: f64) -> f64 {
        let speed = self.a.velocity.length()
            + self.b.velocity.length()
            + self.a.angular_velocity.length() * self.reach_a
            + self.b.angular_velocity.length() * self.reach_b;
        speed * (to - from)
    }
    /// n·(v + ω × p) = n·v + (n × ω)·p: the part of ω along n turns no point towards the other body.
    fn approach(&self, normal: Vec3, from: f64, to: f64) -> f64 {
        let closing = normal.dot(self.a.velocity - self.b.velocity)
            + normal.cross(self.a.angular_velocity).length() * self.reach_a
            + normal.cross(self.b.angular_velocity).length() * self.reach_b;
        closing * (to - from)
    }
}

/// The distance from `centre` (body frame) to the farthest point of a shape: exact for balls, capsules and
/// hulls, from the box for the others; infinite for a half-space.
#[must_use]
pub fn reach(shape: &Shape, centre: Vec3) -> f64 {
    let of_box = |bounds: Aabb| {
        let far = (bounds.max - centre).abs().max((bounds.min - centre).abs());
        far.length()
    };
    // A hair more than computed: a bound must not be below the truth by rounding.
    let above = 1.0 + 8.0 * f64::EPSILON;
    above
        * match shape {
            Shape::Sphere(sphere) => centre.length() + sphere.radius(),
            Shape::Capsule(_) | Shape::Cuboid(_) | Shape::Cylinder(_) | Shape::Cone(_) => {
                of_box(shape.bounds(&Pose::IDENTITY))
            }
            Shape::Hull(hull) => {
                hull.vertices().iter().map(|vertex| (*vertex - centre).length()).fold(0.0, f64::max)
            }
            Shape::HalfSpace(_) => f64::INFINITY,
            Shape::Compound(_) | Shape::Mesh(_) => of_box(shape.bounds(&Pose::IDENTITY)),
        }
}
