//! Bounds on the time for which two objects must stay apart, or together, in an interval that starts now.
//!
//! Four arguments, each valid alone; the longest of their times counts.
//!
//! *A plane.* Convex bodies that are apart by a gap along a unit normal n have a plane between them. They
//! cannot touch before their points have closed the gap along n, at a speed of at most
//!
//!   c = sup n·(V_A − V_B) + k_A + k_B,   k = spin · radius + growth.
//!
//! Rotation and growth never bring a point farther along n than the radius, so the part k t of the way is
//! capped by the radius less the present reach of the body along n. Balls do not turn. This is conservative
//! advancement (@tang2009) on intervals of time.
//!
//! *A ball around each.* The offset p between the origins changes by w t, w within δ of the mean w̄ of the
//! box of relative velocities. As long as |p + w̄ t| − δ t stays above the sum of the radii there is no
//! contact: a quadratic in t. For two balls in uniform motion it is the impact itself.
//!
//! *Boxes.* If the boxes of positions keep the origins farther apart than the radii there is no contact,
//! jumps included.
//!
//! *A turning plane*, where a box of the angular velocities is known. The plane between the bodies may turn
//! as well: n(t) = exp(ν t) n with any constant ν. Seen from it, a body whose angular velocity is within ρ of
//! ω̄ turns with μ = ω̄ − ν, give or take ρ + |ν × ω̄| T up to the time T, and reaches along n(t), for each
//! of its points p,
//!
//!   n·p + t (n × μ)·p + (½ |μ|² t² + (ρ + |ν × ω̄| T) t) r,   |p| ≤ r,   at most.
//!
//! The largest of the first two terms over the body is its support function h in the direction n + t n × μ.
//! It is convex in t, so up to T it lies below its chord, and the body advances along n(t) at no more than
//!
//!   k = (h(n + T n × μ) − h(n)) / T + (½ |μ|² T + ρ + |ν × ω̄| T) r + growth.
//!
//! The offset x between the origins, with speeds up to W, closes along n(t) at no more than
//!
//!   c = sup n·(V_A − V_B) − (ν × n)·x + |ν| T (2 W + |ν| (|x| + W T)).
//!
//! Unlike spin · r this knows where the bodies are and which way they turn. A plane at rest suits a corner
//! that comes to a face at rest, one that turns with a body suits one of its faces, and one that turns as the
//! normal has turned lately suits two edges: over short times c + k is the speed at which the closest points
//! approach, so the steps of the proof shrink the gap quadratically, or almost. All are tried.
//!
//! Rounding: bounds of motions are rounded outwards where they are computed; here every time is shortened by
//! some units in the last place, and the gap by half the touch band, which is far above the rounding of a
//! distance.

use super::Snapshot;
use crate::contexts::trajectory::bounds::{Bounds, Placed};
use gedanken_geometry::Shape;
use gedanken_math::{Pose, Vec3};

/// Factor that makes a positive bound larger, or its inverse a time shorter, than the rounding of the few
/// operations here.
pub(super) const ROUND_UP: f64 = 1.0 + 16.0 * f64::EPSILON;

/// Shapes of a pair, by the arguments that hold for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShapePair {
    /// Two balls: the ball around each is the body.
    Balls,
    /// Two convex shapes: a plane lies between them.
    Convex,
    /// Any shapes: neither argument holds.
    Any,
}

impl ShapePair {
    pub(super) fn of(a: &Shape, b: &Shape) -> Self {
        let convex = |shape: &Shape| matches!(shape, Shape::HalfSpace(_)) || shape.convex().is_some();
        match (a, b) {
            (Shape::Sphere(_), Shape::Sphere(_)) => Self::Balls,
            _ if convex(a) && convex(b) => Self::Convex,
            _ => Self::Any,
        }
    }
}

/// Bounds of the relative motion of two objects from an instant on, for the time `span`.
#[derive(Clone, Debug)]
pub(super) struct Approach {
    pub(super) span: f64,
    /// `true` if neither of the two jumps.
    pub(super) steady: bool,
    pub(super) pair: ShapePair,
    /// Largest coordinate that the origin of either reaches.
    pub(super) farthest: f64,
    /// Offset from the origin of A to that of B, now.
    pub(super) offset: Vec3,
    /// Box of this offset.
    least: Vec3,
    greatest: Vec3,
    /// Box of its rate.
    slowest: Vec3,
    fastest: Vec3,
    /// Radii of the bodies about their origins.
    pub(super) radius: [f64; 2],
    /// Largest speeds k of their points about their origins, along any normal.
    pub(super) rim_speed: [f64; 2],
    /// Bounds of their rotation and growth.
    pub(super) turns: [TurnBounds; 2],
    /// Sum of the radii of two balls, now.
    balls: f64,
    /// Distance of the plane of a half-space that does not turn from its origin, plus the other's radius;
    /// `None` if neither is such a half-space.
    plane: Option<f64>,
}

impl Approach {
    /// Combines the bounds of both for a time `span` with their poses at its start. `None` if a bound is not
    /// a number.
    pub(super) fn new(a: &Bounds, b: &Bounds, now_a: &Placed, now_b: &Placed, span: f64) -> Option<Self> {
        let unknown = |bounds: &Bounds| {
            let boxes = bounds.least + bounds.greatest + bounds.slowest + bounds.fastest;
            // Opposite infinities make NaN as well, so this looks at each of them.
            boxes.is_nan()
                && [bounds.least, bounds.greatest, bounds.slowest, bounds.fastest].iter().any(|v| v.is_nan())
                || bounds.spin.is_nan()
                || bounds.radius.is_nan()
                || bounds.growth.is_nan()
        };
        if unknown(a) || unknown(b) {
            return None;
        }
        let offset = now_b.pose.translation - now_a.pose.translation;
        let (slowest, fastest) = (below(b.slowest - a.fastest), above(b.fastest - a.slowest));
        let speed = slowest.abs().max(fastest.abs()).length();
        let rim_speed = |own: &Bounds, shape: &Shape, other: &Bounds| match shape {
            Shape::Sphere(_) => own.growth,
            _ if own.spin == 0.0 => own.growth,
            // A plane that turns by θ about its origin moves by θ times the distance at which the other body
            // is, and turns its normal out of the direction in which the velocities were taken.
            Shape::HalfSpace(_) => {
                own.spin * (offset.length() + other.radius + 2.0 * speed * span) + own.growth
            }
            _ => own.spin * own.radius + own.growth,
        };
        let rim_speed = [rim_speed(a, &now_a.shape, b) * ROUND_UP, rim_speed(b, &now_b.shape, a) * ROUND_UP];
        let plane = |own: &Bounds, shape: &Shape, other: &Bounds| match shape {
            Shape::HalfSpace(half) if own.spin == 0.0 && own.steady => {
                Some(half.offset() + own.growth * span + other.radius)
            }
            _ => None,
        };
        Some(Self {
            span,
            // Where speeds have no bound, only places do, as with jumps.
            steady: a.steady && b.steady && speed.is_finite() && (rim_speed[0] + rim_speed[1]).is_finite(),
            pair: ShapePair::of(&now_a.shape, &now_b.shape),
            farthest: [a, b]
                .map(|it| it.least.abs().max(it.greatest.abs()).max_element())
                .into_iter()
                .fold(0.0, f64::max),
            offset,
            least: below(b.least - a.greatest),
            greatest: above(b.greatest - a.least),
            slowest,
            fastest,
            radius: [a.radius * ROUND_UP, b.radius * ROUND_UP],
            rim_speed,
            turns: [a, b].map(|bounds| TurnBounds {
                turning: bounds.turning,
                spin: bounds.spin,
                growth: bounds.growth,
            }),
            balls: match (&now_a.shape, &now_b.shape) {
                (Shape::Sphere(a), Shape::Sphere(b)) => a.radius() + b.radius(),
                _ => f64::INFINITY,
            },
            plane: plane(a, &now_a.shape, b).or_else(|| plane(b, &now_b.shape, a)),
        })
    }

    /// Returns `true` if the balls around the objects stay apart by more than the touch band all the time.
    pub(super) fn keeps_away(&self, touch: f64) -> bool {
        let radius = (self.radius[0] + self.radius[1]) * ROUND_UP + touch;
        if !radius.is_finite() {
            return false;
        }
        if Vec3::ZERO.clamp(self.least, self.greatest).length() > radius {
            return true;
        }
        self.steady && self.offset.length() > radius && {
            let (middle, spread) = self.velocity();
            first_within(self.offset, middle, radius + spread * self.span, self.span).is_none()
        }
    }

    /// Returns the least time from `here`, where they are apart, until they can touch: infinite if longer
    /// than the span.
    pub(super) fn apart_for(&self, here: &Snapshot, touch: f64) -> f64 {
        if self.boxes_apart(here, touch) {
            return f64::INFINITY;
        }
        if !self.steady {
            return 0.0;
        }
        let plane = match self.pair {
            ShapePair::Balls | ShapePair::Convex => self.plane_for(here.gap, here.normal, here.reach, touch),
            ShapePair::Any => {
                self.at_speed(here.gap - 0.5 * touch, self.speed() + self.rim_speed[0] + self.rim_speed[1])
            }
        };
        if plane >= self.span {
            return f64::INFINITY;
        }
        let turning = if self.pair == ShapePair::Convex && self.turns_about() {
            self.turning_for(here, ConvexPiece::from(&here.a), ConvexPiece::from(&here.b), here.normal, touch)
        } else {
            0.0
        };
        let balls = match self.pair {
            ShapePair::Balls => {
                self.balls_for(self.balls + 0.5 * touch, self.rim_speed[0] + self.rim_speed[1])
            }
            _ => self.balls_for(self.radius[0] + self.radius[1] + 0.5 * touch, 0.0),
        };
        plane.max(turning).max(balls)
    }

    /// Returns `true` if one of them turns with a known angular velocity.
    pub(super) fn turns_about(&self) -> bool {
        self.turns.iter().any(|turns| turns.spin > 0.0 && turns.turning.is_some())
    }

    /// Returns the same time by a plane alone: for convex bodies, or convex parts of them, with `gap` between
    /// them along `normal`.
    pub(super) fn plane_for(&self, gap: f64, normal: Vec3, reach: [f64; 2], touch: f64) -> f64 {
        let room = gap - 0.5 * touch;
        if room <= 0.0 {
            return 0.0;
        }
        let closing = self.closing(normal);
        let cap = |side: usize| {
            let cap = (self.radius[side] - reach[side]).max(0.0) + f64::EPSILON * 16.0 * self.radius[side];
            (if self.rim_speed[side] > 0.0 { cap / self.rim_speed[side] } else { 0.0 }, self.rim_speed[side])
        };
        let mut caps = [cap(0), cap(1)];
        if caps[1].0 < caps[0].0 {
            caps.swap(0, 1);
        }
        // The way closed along n is concave in time, in three straight pieces.
        let (mut time, mut left) = (0.0, room);
        let mut rate = closing + caps[0].1 + caps[1].1;
        for (until, rim_speed) in caps {
            let closed = rate * (until - time);
            if rate > 0.0 && closed >= left {
                break;
            }
            if until > time {
                left -= closed;
                time = until;
            }
            rate -= rim_speed;
        }
        // The rate after both caps, computed anew: differences would leave a rounding where zero belongs.
        if left > 0.0 && time >= caps[1].0 {
            rate = closing;
        }
        self.within(time + if rate > 0.0 { left / rate } else { f64::INFINITY })
    }

    /// Returns the time for which they must stay at a gap of at most `touch` from `here` on, which may be any
    /// snapshot within the span: infinite if longer than that.
    pub(super) fn together_for(&self, here: &Snapshot, touch: f64) -> f64 {
        if !self.steady {
            return 0.0;
        }
        let room = touch - here.gap;
        let rim_speed = self.rim_speed[0] + self.rim_speed[1];
        // The depth is the smallest over all normals, so that any motion may undo it; but a half-space has
        // one normal.
        let opening = if self.plane.is_some() && self.pair == ShapePair::Convex {
            above_sum(here.normal, self.slowest, self.fastest)
        } else {
            self.speed()
        };
        let lipschitz = self.at_speed(room, opening + rim_speed);
        let (middle, spread) = self.velocity();
        let radius = self.balls + touch - (spread + rim_speed) * self.span;
        let balls = if self.pair == ShapePair::Balls && here.offset().length() < radius {
            self.within(last_within(here.offset(), middle, radius))
        } else {
            0.0
        };
        lipschitz.max(balls)
    }

    /// Bound on the rate of the separation, either way.
    pub(super) fn fastest_change(&self) -> f64 {
        if self.steady {
            (self.speed() + self.rim_speed[0] + self.rim_speed[1]) * ROUND_UP
        } else {
            f64::INFINITY
        }
    }

    /// Bound on the speed at which the origins approach along a normal.
    pub(super) fn closing(&self, normal: Vec3) -> f64 {
        above_sum(-normal, self.slowest, self.fastest)
    }

    fn boxes_apart(&self, here: &Snapshot, touch: f64) -> bool {
        let around = self.radius[0] + self.radius[1];
        if around.is_finite() {
            return Vec3::ZERO.clamp(self.least, self.greatest).length() > around * ROUND_UP + touch;
        }
        // The normal of a half-space that does not turn holds for the whole span.
        self.plane.is_some_and(|plane| {
            let lowest = -above_sum(-here.normal, self.least, self.greatest);
            lowest - plane > touch + 16.0 * f64::EPSILON * (lowest.abs() + plane.abs())
        })
    }

    /// Returns the least time for which the balls around the origins, of radius `radius` in sum and growing
    /// at `growth`, stay apart.
    fn balls_for(&self, radius: f64, growth: f64) -> f64 {
        if !radius.is_finite() || self.offset.length() <= radius {
            return 0.0;
        }
        let (middle, spread) = self.velocity();
        let spread = spread + growth;
        let whole = match first_within(self.offset, middle, radius + spread * self.span, self.span) {
            None => return f64::INFINITY,
            Some(time) => time,
        };
        // Up to the time of a contact without spread, or else of the closest approach, the spread is smaller.
        let nearest = -self.offset.dot(middle) / middle.length_squared();
        let until = match first_within(self.offset, middle, radius, self.span) {
            Some(time) => time,
            None if nearest > 0.0 => nearest.min(self.span),
            None => return self.within(whole),
        };
        let sharper = first_within(self.offset, middle, radius + spread * until, until).unwrap_or(until);
        self.within(whole.max(sharper))
    }

    /// Mean of the box of relative velocities, and the largest distance from it.
    fn velocity(&self) -> (Vec3, f64) {
        let middle = 0.5 * (self.slowest + self.fastest);
        let spread = (self.fastest - middle).max(middle - self.slowest).length();
        (middle, spread * ROUND_UP)
    }

    /// Largest relative speed of the origins.
    pub(super) fn speed(&self) -> f64 {
        self.slowest.abs().max(self.fastest.abs()).length()
    }

    fn at_speed(&self, room: f64, speed: f64) -> f64 {
        let room = room.max(0.0);
        self.within(if speed > 0.0 { room / speed } else { f64::INFINITY })
    }

    pub(super) fn within(&self, time: f64) -> f64 {
        let time = time / ROUND_UP;
        if time >= self.span { f64::INFINITY } else { time }
    }
}

/// Upper bound of n·v for v in a box.
fn above_sum(n: Vec3, least: Vec3, greatest: Vec3) -> f64 {
    let terms = (n * least).max(n * greatest);
    terms.element_sum() + 4.0 * f64::EPSILON * terms.abs().element_sum()
}

fn below(v: Vec3) -> Vec3 {
    Vec3::new(v.x.next_down(), v.y.next_down(), v.z.next_down())
}

fn above(v: Vec3) -> Vec3 {
    Vec3::new(v.x.next_up(), v.y.next_up(), v.z.next_up())
}

/// First time up to `span` at which |p + w t| ≤ radius.
///
/// With the closest approach d = |p + w t_c| the roots are t_c ∓ √((radius − d)(radius + d)) / |w|: the
/// discriminant is a difference of lengths, not of squares, so that grazes keep all their digits. The first
/// root is computed from the product of both, without cancellation.
fn first_within(p: Vec3, w: Vec3, radius: f64, span: f64) -> Option<f64> {
    let distance = p.length();
    if distance <= radius {
        return Some(0.0);
    }
    let (along, ww) = (-p.dot(w), w.length_squared());
    if !(along.is_finite() && ww.is_finite()) {
        // Squares beyond all numbers say nothing.
        return Some(0.0);
    }
    if !(along > 0.0 && ww > 0.0) {
        return None;
    }
    let nearest = (p + w * (along / ww)).length();
    if nearest > radius {
        return None;
    }
    let half = ((radius - nearest) * (radius + nearest) * ww).sqrt();
    let time = (distance - radius) * (distance + radius) / (along + half);
    (time <= span).then_some(time)
}

/// Last time at which |p + w t| ≤ radius, where it is so at 0.
fn last_within(p: Vec3, w: Vec3, radius: f64) -> f64 {
    let (along, ww) = (-p.dot(w), w.length_squared());
    if ww == 0.0 {
        return f64::INFINITY;
    }
    if !(along.is_finite() && ww.is_finite()) {
        return 0.0;
    }
    let nearest = (p + w * (along / ww)).length().min(radius);
    let half = ((radius - nearest) * (radius + nearest) * ww).sqrt();
    ((along + half) / ww).max(0.0)
}

/// Bounds of the rotation and growth of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnBounds {
    /// Least and greatest angular velocity.
    pub(super) turning: Option<[Vec3; 2]>,
    /// Largest angular speed.
    pub(super) spin: f64,
    /// Largest speed of its points due to growth.
    pub(super) growth: f64,
}

/// A convex body, or a convex part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvexPiece<'p> {
    pub(super) shape: &'p Shape,
    pub(super) pose: &'p Pose,
}

impl<'p> From<&'p Placed> for ConvexPiece<'p> {
    fn from(whole: &'p Placed) -> Self {
        Self { shape: &whole.shape, pose: &whole.pose }
    }
}

impl Approach {
    /// Returns the least time for which the pieces `a` and `b` of the two objects stay apart, by a plane
    /// across `normal`: infinite if longer than the span, zero if nothing is known.
    pub(super) fn turning_for(
        &self,
        here: &Snapshot,
        a: ConvexPiece<'_>,
        b: ConvexPiece<'_>,
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

    /// Returns the same time by the plane that turns with the angular velocity `plane`, ν.
    fn turning_plane_for(
        &self,
        here: &Snapshot,
        a: ConvexPiece<'_>,
        b: ConvexPiece<'_>,
        normal: Vec3,
        touch: f64,
        plane: Vec3,
    ) -> f64 {
        let sides = [
            self.along(0, a, here.a.pose.translation, normal, plane),
            self.along(1, b, here.b.pose.translation, -normal, plane),
        ];
        let [Some((reach_a, rate_a)), Some((reach_b, rate_b))] = sides else { return 0.0 };
        let room = normal.dot(self.offset) - reach_a - reach_b - 0.5 * touch;
        if room <= 0.0 {
            return 0.0;
        }
        let (turn, speed) = (plane.length(), self.speed());
        let bend = turn * self.span * (2.0 * speed + turn * (self.offset.length() + speed * self.span));
        let carry = plane.cross(normal).dot(self.offset);
        let closing =
            self.closing(normal) - carry + bend * ROUND_UP + 8.0 * f64::EPSILON * turn * self.offset.length();
        let rate = closing + rate_a + rate_b;
        if rate.is_nan() {
            return 0.0;
        }
        self.within(if rate > 0.0 { room / rate } else { f64::INFINITY })
    }

    /// Reach of a piece from its object's origin along a unit vector, and a bound on its rate.
    fn along(
        &self,
        side: usize,
        piece: ConvexPiece<'_>,
        origin: Vec3,
        normal: Vec3,
        plane: Vec3,
    ) -> Option<(f64, f64)> {
        let TurnBounds { turning, spin, growth } = self.turns[side];
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
        Some((reach, chord + (bend + spread) * self.radius[side] * ROUND_UP + growth))
    }
}
