//! How long convex bodies that turn must stay apart, where a box of their angular velocities is known.
//!
//! The plane between them may turn as well: n(t) = exp(ν t) n with any constant ν. Seen from it, a body whose
//! angular velocity is within ρ of ω̄ turns with μ = ω̄ − ν, give or take ρ + |ν × ω̄| T up to the time T,
//! and reaches along n(t), for each of its points p,
//!
//!   n·p + t (n × μ)·p + (½ |μ|² t² + (ρ + |ν × ω̄| T) t) r,   |p| ≤ r,   at most.
//!
//! The largest of the first two terms over the body is its support function h in the direction n + t n × μ.
//! It is convex in t, so up to T it lies below its chord, and the body gets on along n(t) at no more than
//!
//!   k = (h(n + T n × μ) − h(n)) / T + (½ |μ|² T + ρ + |ν × ω̄| T) r + growth.
//!
//! The way x between the origins, with speeds up to W, closes along n(t) at no more than
//!
//!   c = sup n·(V_A − V_B) − (ν × n)·x + |ν| T (2 W + |ν| (|x| + W T)).
//!
//! Unlike spin · r this knows where the bodies are and which way they turn. A plane at rest suits a corner
//! that comes to a face at rest, one that turns with a body suits one of its faces, and one that turns as the
//! normal has turned lately suits two edges: over short times c + k is the speed at which the closest points
//! close, so the steps of the proof shrink the gap quadratically, or almost. All are tried.

use super::Look;
use super::approach::{ABOVE, Approach};
use crate::contexts::trajectory::motion::Placed;
use gedanken_geometry::Shape;
use gedanken_math::{Pose, Vec3};

/// How a body can turn and grow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    /// Least and greatest angular velocity.
    pub(super) turning: Option<[Vec3; 2]>,
    /// The largest angular speed.
    pub(super) spin: f64,
    /// How fast points can move by growth.
    pub(super) growth: f64,
}

/// A convex body, or a convex part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'p> {
    pub(super) shape: &'p Shape,
    pub(super) pose: &'p Pose,
}

impl<'p> From<&'p Placed> for Piece<'p> {
    fn from(whole: &'p Placed) -> Self {
        Self { shape: &whole.shape, pose: &whole.pose }
    }
}

impl Approach {
    /// How long the pieces `a` and `b` of the two objects stay apart at least, by a plane across `normal`:
    /// infinite if longer than the span, zero if nothing is known.
    pub(super) fn turning_for(
        &self,
        here: &Look,
        a: Piece<'_>,
        b: Piece<'_>,
        normal: Vec3,
        touch: f64,
    ) -> f64 {
        let mut longest = self.turning_plane_for(here, a, b, normal, touch, Vec3::ZERO);
        if here.turn != Vec3::ZERO {
            longest = longest.max(self.turning_plane_for(here, a, b, normal, touch, here.turn));
        }
        for turns in self.turns {
            if let (Some([least, greatest]), true) = (turns.turning, turns.spin > 0.0) {
                let plane = 0.5 * (least + greatest);
                longest = longest.max(self.turning_plane_for(here, a, b, normal, touch, plane));
            }
        }
        longest
    }

    /// The same by the plane that turns with the angular velocity `plane`, ν.
    fn turning_plane_for(
        &self,
        here: &Look,
        a: Piece<'_>,
        b: Piece<'_>,
        normal: Vec3,
        touch: f64,
        plane: Vec3,
    ) -> f64 {
        let sides = [
            self.along(0, a, here.a.pose.translation, normal, plane),
            self.along(1, b, here.b.pose.translation, -normal, plane),
        ];
        let [Some((reach_a, rate_a)), Some((reach_b, rate_b))] = sides else { return 0.0 };
        let room = normal.dot(self.way) - reach_a - reach_b - 0.5 * touch;
        if room <= 0.0 {
            return 0.0;
        }
        let (turn, speed) = (plane.length(), self.speed());
        let bend = turn * self.span * (2.0 * speed + turn * (self.way.length() + speed * self.span));
        let carry = plane.cross(normal).dot(self.way);
        let closing =
            self.closing(normal) - carry + bend * ABOVE + 8.0 * f64::EPSILON * turn * self.way.length();
        let rate = closing + rate_a + rate_b;
        if rate.is_nan() {
            return 0.0;
        }
        self.within(if rate > 0.0 { room / rate } else { f64::INFINITY })
    }

    /// How far a piece reaches from its object's origin along a unit vector, and how fast it can get on.
    fn along(
        &self,
        side: usize,
        piece: Piece<'_>,
        origin: Vec3,
        normal: Vec3,
        plane: Vec3,
    ) -> Option<(f64, f64)> {
        let Turns { turning, spin, growth } = self.turns[side];
        if let Shape::HalfSpace(half) = piece.shape {
            return (spin == 0.0 && plane == Vec3::ZERO).then(|| (half.offset(), growth));
        }
        let convex = piece.shape.convex()?;
        let arm = piece.pose.translation - origin;
        let support = |direction: Vec3| {
            let point = convex.support(piece.pose.vector_to_body(direction));
            direction.dot(arm + piece.pose.vector_to_world(point))
        };
        let reach = support(normal);
        // A ball about its origin looks the same however it turns.
        if matches!(piece.shape, Shape::Sphere(_)) && arm == Vec3::ZERO {
            return Some((reach, growth));
        }
        let [least, greatest] = if spin == 0.0 { [Vec3::ZERO; 2] } else { turning? };
        let middle = 0.5 * (least + greatest);
        let spread = (greatest - middle).max(middle - least).length() + 4.0 * f64::EPSILON * spin;
        let seen = middle - plane;
        let chord = (support(normal + normal.cross(seen) * self.span) - reach) / self.span;
        let bend = (0.5 * seen.length_squared() + plane.cross(middle).length()) * self.span;
        Some((reach, chord + (bend + spread) * self.radius[side] * ABOVE + growth))
    }
}
