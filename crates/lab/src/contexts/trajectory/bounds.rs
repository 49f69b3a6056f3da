//! Motion as the search for contacts reads it: the pose at any instant ([`Mover`]), bounds over an interval
//! of time ([`Bounds`]), and bounds that tell most pairs of a gas apart without evaluating a law
//! ([`VelocityBounds`]).
//!
//! From a position x at time s on, an actor whose velocities stay within δ of their mean v is at
//!
//!   x + v (t − s) + e,   |e| ≤ δ (t − s).
//!
//! So the offset between two of them is p + w (t − now) up to an error that grows with time, w being the
//! difference of the means, and there is no contact as long as the closest approach on this straight line is
//! farther away than both radii, the touch band and the largest error. In uniform motion the error is that of
//! rounding.

use gedanken_geometry::Shape;
use gedanken_geometry::bounds::Aabb;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::{Pose, Vec3};

/// Factor that makes a positive bound larger than the rounding of the few operations here.
const ROUND_UP: f64 = 1.0 + 64.0 * f64::EPSILON;

/// Factor that makes a time shorter than the rounding of a quadratic equation, which near a double root is
/// that of a square root.
const ROUND_DOWN_TIME: f64 = 1.0 - 1e-6;

/// Bounds of an actor that moves without jumps: a position, and a ball of velocities from then on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityBounds {
    /// Start and end of the time for which the bounds hold, s.
    since: f64,
    pub(crate) until: f64,
    /// Time at which it was at `place`, s.
    time: f64,
    place: Vec3,
    /// Mean of the bounds of its velocity, and the largest distance from it.
    velocity: Vec3,
    spread: f64,
    /// Radius about its place, the rounding of places included.
    reach: f64,
    /// `true` for a ball of a fixed size.
    is_ball: bool,
    bounds: Bounds,
}

impl VelocityBounds {
    /// Returns the bounds of an actor, maybe a ball, that is at `place` at `time`, and keeps to `bounds` from
    /// then until `until`; `None` if it may jump or is unbounded.
    pub(crate) fn new(bounds: Bounds, is_ball: bool, place: Vec3, time: f64, until: f64) -> Option<Self> {
        let velocity = 0.5 * (bounds.slowest + bounds.fastest);
        let spread = (bounds.fastest - velocity).max(velocity - bounds.slowest).length() * ROUND_UP;
        let is_ball = is_ball && bounds.growth == 0.0;
        let mut motion =
            Self { since: time, until, time, place, velocity, spread, reach: bounds.radius, is_ball, bounds };
        motion.reach = bounds.radius * ROUND_UP + motion.noise();
        (bounds.steady && (motion.reach + spread).is_finite()).then_some(motion)
    }

    /// Returns the same bounds, from `place` at `time` on.
    pub(crate) fn seen(&self, place: Vec3, time: f64) -> Self {
        let mut motion = Self { time, place, ..*self };
        motion.reach = self.bounds.radius * ROUND_UP + motion.noise();
        motion
    }

    /// Rounding of the places of this motion.
    fn noise(&self) -> f64 {
        let farthest = self.bounds.least.abs().max(self.bounds.greatest.abs());
        64.0 * f64::EPSILON * farthest.max_element()
    }

    /// Returns the bounds from `from` to `to`, if it is these that are known, or if they follow: a uniform
    /// motion has one velocity, so that its place tells all.
    pub(crate) fn bounds(&self, from: f64, to: f64) -> Option<Bounds> {
        let known = &self.bounds;
        if (self.since, self.until) == (from, to) {
            return Some(*known);
        }
        let is_uniform = known.slowest == known.fastest && known.spin == 0.0 && known.growth == 0.0;
        if !is_uniform || from < self.since || to > self.until || from > to {
            return None;
        }
        let (noise, place) = (self.noise(), |t: f64| self.place + self.velocity * (t - self.time));
        let (start, end) = (place(from), if from == to { place(from) } else { place(to) });
        let least = (start.min(end) - noise).max(known.least);
        let greatest = (start.max(end) + noise).min(known.greatest);
        let is_box = least.cmple(greatest).all();
        is_box.then_some(Bounds { least, greatest, ..*known })
    }

    /// Radius about its place.
    pub(crate) fn size(&self) -> f64 {
        self.bounds.radius
    }

    /// Largest distance that it can travel in a time.
    pub(crate) fn travel_in(&self, time: f64) -> f64 {
        (self.velocity.length() + self.spread) * time
    }

    /// Box that it does not leave from its last known position until `until`.
    pub(crate) fn aabb(&self, until: f64, touch: f64) -> Aabb {
        let (span, bounds) = (until - self.time, &self.bounds);
        let least = self.place + (bounds.slowest * span).min(Vec3::ZERO);
        let greatest = self.place + (bounds.fastest * span).max(Vec3::ZERO);
        let reach = Vec3::splat(self.reach + touch);
        Aabb::new(least.max(bounds.least) - reach, greatest.min(bounds.greatest) + reach)
    }

    /// Returns `true` if both are balls of a fixed size.
    pub(crate) fn are_balls(&self, other: &Self) -> bool {
        self.is_ball && other.is_ball
    }

    /// Returns the earliest time, from `now` to `until`, at which two actors can have come as close as the
    /// touch band; `None` if they stay apart. The bounds of both must hold until then.
    pub(crate) fn earliest_contact(&self, other: &Self, now: f64, until: f64, touch: f64) -> Option<f64> {
        let (since, others, span) = (now - self.time, now - other.time, until - now);
        if span < 0.0 {
            return Some(now);
        }
        let offset = (other.place + other.velocity * others) - (self.place + self.velocity * since);
        let velocity = other.velocity - self.velocity;
        let error = self.spread * (since.abs() + span) + other.spread * (others.abs() + span);
        let radius = (self.reach + other.reach + touch + error) * ROUND_UP;
        let near = radius * radius * ROUND_UP;
        let (distance, closing) = (offset.length_squared(), -offset.dot(velocity));
        if closing <= 0.0 && distance > near {
            return None;
        }
        let squared = velocity.length_squared();
        // The closest approach on the way ahead.
        let nearest = closing / squared;
        if !(distance > near && squared > 0.0) {
            return Some(now);
        }
        let closest = offset + velocity * nearest.min(span);
        if closest.length_squared() > near {
            return None;
        }
        // |offset + velocity t|² = near, the first root without cancellation. If rounding leaves none, the closest
        // approach is as good, less its error.
        let half = (closing * closing - squared * (distance - near)).max(0.0).sqrt();
        let time = (distance - near) / (closing + half);
        Some(now + time.min(nearest).min(span) * ROUND_DOWN_TIME)
    }

    /// Returns `true` if two balls, however close they are at `now`, come apart by more than the touch band
    /// and never approach again until `end`.
    ///
    /// With the offset p between them, their velocity within δ of w and p known to ε, the rate of |p|² / 2 is
    /// after a time τ
    ///
    ///   p(τ)·w(τ) ≥ p·w − |p| δ − ε (|w| + δ) + τ (|w|² − 2 |w| δ − δ²),
    ///
    /// so that their distance grows all the time if both parts of this are positive; and at the end it must
    /// be large enough.
    pub(crate) fn separates_from(&self, other: &Self, now: f64, end: f64, touch: f64) -> bool {
        let (since, others) = (now - self.time, now - other.time);
        let span = end - now;
        if !(self.is_ball && other.is_ball && span > 0.0 && end <= self.until.min(other.until)) {
            return false;
        }
        let offset = (other.place + other.velocity * others) - (self.place + self.velocity * since);
        let velocity = other.velocity - self.velocity;
        let spread = (self.spread + other.spread) * ROUND_UP;
        let noise = self.noise() + other.noise();
        let error = (self.spread * since.abs() + other.spread * others.abs()) * ROUND_UP + noise;
        let (far, fast) = (offset.length() * ROUND_UP, velocity.length() * ROUND_UP);
        let opening = offset.dot(velocity) - far * spread - error * (fast + spread);
        let gain = velocity.length_squared() - (2.0 * fast + spread) * spread;
        let last = (offset + velocity * span).length() - error - spread * span;
        let rounding = 64.0 * f64::EPSILON;
        opening > rounding * far * fast
            && gain > rounding * fast * fast
            && last > (self.reach + other.reach + touch) * ROUND_UP
    }
}

/// Shape and pose of an object at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
}

/// Bounds of an object's motion in an interval of time. All of them hold everywhere in it, rounding included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// Box that the object's position (its origin, not its surface) does not leave.
    pub(crate) least: Vec3,
    pub(crate) greatest: Vec3,
    /// Box of its velocities.
    pub(crate) slowest: Vec3,
    pub(crate) fastest: Vec3,
    /// Largest angular speed.
    pub(crate) spin: f64,
    /// Box of its angular velocities, along the axes of the world, least and greatest, where it is known: it
    /// makes proofs about turning bodies much shorter.
    pub(crate) turning: Option<[Vec3; 2]>,
    /// Largest distance of any of its points from its position.
    pub(crate) radius: f64,
    /// Largest speed of its points due to a change of its size.
    pub(crate) growth: f64,
    /// `true` if it moves without jumps, so that speeds bound all differences of positions.
    pub(crate) steady: bool,
}

/// An object in one segment of its motion, a pure function of time.
pub(crate) trait Mover {
    /// Returns its shape and pose at `t`.
    ///
    /// # Errors
    /// A law that failed.
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>>;

    /// Returns its bounds from `from` to `to`; `None` if its laws have none there.
    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(place: [f64; 3], slowest: [f64; 3], fastest: [f64; 3]) -> VelocityBounds {
        let [place, slowest, fastest] = [place, slowest, fastest].map(Vec3::from_array);
        let (least, greatest) = (place + slowest.min(Vec3::ZERO), place + fastest.max(Vec3::ZERO));
        let bounds = Bounds {
            least,
            greatest,
            slowest,
            fastest,
            spin: 0.0,
            turning: None,
            radius: 0.5,
            growth: 0.0,
            steady: true,
        };
        VelocityBounds::new(bounds, true, place, 0.0, 1.0).expect("a steady motion")
    }

    /// Two balls that pass each other at a distance of 1 + gap, or stop short of each other.
    #[test]
    fn the_closest_approach_decides() {
        for gap in [-1e-9, 1e-9] {
            let still = motion([0.0; 3], [0.0; 3], [0.0; 3]);
            let passing = motion([-2.0, 1.0 + gap, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 0.0]);
            let stopping = motion([-2.0, 0.0, 0.0], [1.0 - gap, 0.0, 0.0], [1.0 - gap, 0.0, 0.0]);
            for other in [passing, stopping] {
                assert_eq!(still.earliest_contact(&other, 0.0, 1.0, 1e-12).is_none(), gap > 0.0);
                assert_eq!(other.earliest_contact(&still, 0.0, 1.0, 1e-12).is_none(), gap > 0.0);
            }
            // Before it comes, and after it has gone.
            assert!(still.earliest_contact(&passing, 0.0, 0.2, 1e-12).is_none());
            assert!(still.earliest_contact(&passing, 0.8, 1.0, 1e-12).is_none());
        }
    }

    /// A ball that flies at another: the time is that of the contact, and never after it, for head-on hits
    /// and near misses.
    #[test]
    fn the_soonest_contact_is_not_late() {
        let still = motion([0.0; 3], [0.0; 3], [0.0; 3]);
        for k in 0..100 {
            let beside = f64::from(k) * 0.01;
            let flying = motion([-4.0, beside, 0.0], [5.0, 0.0, 0.0], [5.0, 0.0, 0.0]);
            let contact = (4.0 - libm::sqrt(1.0 - beside * beside)) / 5.0;
            let earliest_contact = still.earliest_contact(&flying, 0.0, 1.0, 1e-12).expect("they meet");
            assert!(
                earliest_contact <= contact && earliest_contact > contact - 1e-5,
                "{earliest_contact} {contact} at {beside}"
            );
        }
    }

    /// Velocities that are not known exactly count with the time since an actor was seen.
    #[test]
    fn what_is_not_known_grows() {
        let still = motion([0.0; 3], [0.0; 3], [0.0; 3]);
        let vague = motion([0.0, 1.25, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
        assert!(still.earliest_contact(&vague, 0.0, 0.24, 0.0).is_none());
        assert!(still.earliest_contact(&vague, 0.0, 0.26, 0.0).is_some());
        assert!(still.earliest_contact(&vague, 0.26, 0.27, 0.0).is_some());
        let again = vague.seen(Vec3::new(0.0, 1.2, 0.0), 0.3);
        assert!(still.earliest_contact(&again, 0.3, 0.49, 0.0).is_none());
        assert!(still.earliest_contact(&again, 0.3, 0.51, 0.0).is_some());
    }

    /// Balls in touch that go apart, or together, or by each other.
    #[test]
    fn balls_part() {
        let still = motion([0.0; 3], [0.0; 3], [0.0; 3]);
        let leaves = |v: [f64; 3], spread: f64| {
            let [slowest, fastest] = [-spread, spread].map(|it| v.map(|v| v + it));
            let other = motion([1.0, 0.0, 0.0], slowest, fastest);
            let parts = still.separates_from(&other, 0.0, 1.0, 1e-12);
            assert_eq!(other.separates_from(&still, 0.0, 1.0, 1e-12), parts);
            parts
        };
        assert!(leaves([1.0, 0.0, 0.0], 0.0) && leaves([1e-3, 1.0, 0.0], 0.0));
        assert!(!leaves([-1.0, 0.0, 0.0], 0.0) && !leaves([-1e-3, 1.0, 0.0], 0.0));
        // Not out of the touch band, or not for sure.
        assert!(!leaves([1e-13, 0.0, 0.0], 0.0));
        assert!(leaves([1.0, 0.0, 0.0], 0.2) && !leaves([1.0, 0.0, 0.0], 1.0));
    }

    /// A part of a uniform motion has the bounds of that part; of any other motion nothing is known.
    #[test]
    fn a_uniform_motion_is_known_in_parts() {
        let uniform = motion([1.0, -2.0, 0.5], [3.0, -1.0, 0.0], [3.0, -1.0, 0.0]);
        let known = uniform.bounds(0.25, 0.75).expect("it is uniform");
        let place = |t: f64| Vec3::new(1.0 + 3.0 * t, -2.0 - t, 0.5);
        for t in [0.25, 0.5, 0.75] {
            assert!(known.least.cmple(place(t)).all() && known.greatest.cmpge(place(t)).all(), "{t}");
        }
        let spare = known.greatest - known.least - Vec3::new(1.5, 0.5, 0.0);
        assert!(spare.max_element() < 1e-12, "{spare:?}");
        assert_eq!((known.slowest, known.fastest), (Vec3::new(3.0, -1.0, 0.0), Vec3::new(3.0, -1.0, 0.0)));
        assert_eq!(uniform.bounds(0.5, 1.5), None);
        assert_eq!(uniform.seen(place(0.5), 0.5).bounds(0.0, 1.0), uniform.bounds(0.0, 1.0));
        let faster = motion([0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]);
        assert_eq!(faster.bounds(0.25, 0.75), None);
        assert!(faster.bounds(0.0, 1.0).is_some());
    }

    #[test]
    fn a_box_holds_the_course() {
        let motion = motion([1.0, 2.0, 3.0], [-1.0, 0.0, 2.0], [3.0, 0.0, 4.0]);
        for until in [0.25, 1.0] {
            let aabb = motion.aabb(until, 0.125);
            let (least, greatest) =
                (Vec3::new(1.0 - until, 2.0, 3.0), Vec3::new(1.0 + 3.0 * until, 2.0, 3.0 + 4.0 * until));
            let around = Aabb::new(least, greatest).fattened(0.625);
            assert!(aabb.contains(&around) && around.fattened(1e-12).contains(&aabb));
        }
    }
}
