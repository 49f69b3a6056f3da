//! Bounding balls: {x : |x − c| ≤ r}.
//!
//! The smallest ball around points is found by pivoting (@gartner1999 on the problem of @welzl1991): keep a
//! support set of at most four points and its smallest ball; take in the point farthest outside; find the
//! smallest ball of these at most five by trying every subset. The radius grows in every round, so the search
//! ends; rounding can only make it end early, and the radius is then widened to reach the farthest point. Far
//! from the origin coordinates are coarse, so all of this is done relative to the first point.

use super::aabb::Aabb;
use super::grown;
use super::oriented_box::Obb;
use gedanken_math::Vec3;

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// Its centre.
    pub centre: Vec3,
    /// Its radius: zero for a point.
    pub radius: f64,
}

/// Rounds of pivoting at most. Dozens are usual; the bound only guards against a cycle that rounding might
/// make.
const MAX_PIVOTS: usize = 1000;

impl Ball {
    /// The ball of this centre and radius.
    #[must_use]
    pub const fn new(centre: Vec3, radius: f64) -> Self {
        Self { centre, radius }
    }

    /// The smallest ball that holds the points; none if there are no points, or if one is not finite.
    #[must_use]
    pub fn from_points(points: &[Vec3]) -> Option<Self> {
        Self::with_support(points).map(|(ball, _)| ball)
    }

    /// The smallest ball that holds the points, and the points (one to four) that hold the ball.
    #[must_use]
    pub fn with_support(points: &[Vec3]) -> Option<(Self, Support)> {
        let (&first, _) = points.split_first()?;
        if !points.iter().all(|p| p.is_finite()) {
            return None;
        }
        let mut support = Support::default();
        support.push(first);
        let (mut seen, mut reach) = (Vec3::ZERO, 0.0);
        for _ in 0..MAX_PIVOTS {
            let (far, distance) = farthest(points, first, seen);
            if distance <= reach {
                break;
            }
            let (next, next_seen, next_reach) = smallest(&support, far, first);
            if next_reach <= reach {
                break;
            }
            (support, seen, reach) = (next, next_seen, next_reach);
        }
        let centre = first + seen;
        let (_, reach) = farthest(points, Vec3::ZERO, centre);
        Some((Self { centre, radius: root_above(reach) }, support))
    }

    /// The box along the axes that just holds the ball.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        Aabb::around(self.centre, Vec3::splat(self.radius))
    }

    /// Returns `true` if the balls have a point in common; touching counts.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        (self.centre - other.centre).length_squared() <= grown(reach * reach)
    }

    /// Returns `true` if ball and box have a point in common; touching counts.
    #[must_use]
    pub fn intersects_aabb(&self, other: &Aabb) -> bool {
        (self.centre - other.closest(self.centre)).length_squared() <= grown(self.radius * self.radius)
    }

    /// Returns `true` if ball and box have a point in common; touching counts.
    #[must_use]
    pub fn intersects_obb(&self, other: &Obb) -> bool {
        let seen = other.seen(self.centre);
        let nearest = seen.max(-other.half_extents).min(other.half_extents);
        let reach = self.radius + other.slack(self.centre);
        (seen - nearest).length_squared() <= grown(reach * reach)
    }

    /// Returns `true` if the point is inside or on the surface.
    #[must_use]
    pub fn contains_point(&self, point: Vec3) -> bool {
        (point - self.centre).length_squared() <= grown(self.radius * self.radius)
    }

    /// Returns `true` if all of `other` is inside.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        // d + s ≤ r, with the rounding of the three.
        (self.centre - other.centre).length() + other.radius <= grown(self.radius)
    }

    /// Returns `true` if all of the box is inside: its farthest corner is.
    #[must_use]
    pub fn contains_aabb(&self, other: &Aabb) -> bool {
        let far = (other.min - self.centre).abs().max((other.max - self.centre).abs());
        other.is_finite() && far.length_squared() <= grown(self.radius * self.radius)
    }

    /// Returns `true` if all of the box is inside: its farthest corner is.
    #[must_use]
    pub fn contains_obb(&self, other: &Obb) -> bool {
        let far = other.seen(self.centre).abs() + other.half_extents;
        let reach = self.radius + other.slack(self.centre);
        far.length_squared() <= reach * reach
    }

    /// The smallest ball that holds both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let d = (other.centre - self.centre).length();
        if d + other.radius <= self.radius {
            return *self;
        }
        if d + self.radius <= other.radius {
            return *other;
        }
        // The ends of the common diameter are r beyond one centre and s beyond the other: 2R = r + d + s.
        let radius = grown(0.5 * (self.radius + d + other.radius));
        let share = if d > 0.0 { (radius - self.radius) / d } else { 0.0 };
        Self { centre: self.centre + (other.centre - self.centre) * share, radius }
    }

    /// The ball with a radius larger by `by`.
    #[must_use]
    pub fn fattened(&self, by: f64) -> Self {
        Self { centre: self.centre, radius: self.radius + by }
    }

    /// The smallest ball that holds this one all along a translation.
    #[must_use]
    pub fn swept(&self, displacement: Vec3) -> Self {
        self.union(&Self { centre: self.centre + displacement, radius: self.radius })
    }
}

/// The points on the surface that keep a smallest ball from shrinking: at most four.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Support {
    points: [Vec3; 4],
    count: usize,
}

impl Support {
    /// The points.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points[..self.count]
    }

    fn push(&mut self, point: Vec3) {
        self.points[self.count] = point;
        self.count += 1;
    }
}

/// The first of the points that are farthest from `centre`, which is seen from `origin`, and its squared
/// distance.
fn farthest(points: &[Vec3], origin: Vec3, centre: Vec3) -> (Vec3, f64) {
    let (mut far, mut reach) = (points[0], -1.0);
    for &p in points {
        let d = (p - origin - centre).length_squared();
        if d > reach {
            (far, reach) = (p, d);
        }
    }
    (far, reach)
}

/// The smallest ball of a support set and one more point: its own support, its centre seen from `origin`, and
/// its squared radius.
///
/// The centre of the smallest ball is the point whose farthest distance to the points is least, and it is the
/// circumcentre of some subset that it lies amid: so the subset whose circumcentre has the least farthest
/// distance is the answer, without any tolerance for what counts as inside. Of points on one sphere many
/// subsets have that circumcentre, but only those that it lies amid keep the ball from shrinking. Should
/// rounding leave none of these, any will do.
fn smallest(support: &Support, extra: Vec3, origin: Vec3) -> (Support, Vec3, f64) {
    let mut all = [extra; 5];
    all[1..=support.count].copy_from_slice(support.points());
    let all = &all[..=support.count];
    let mut best = (Support::default(), extra - origin, f64::INFINITY);
    let mut best_amid = false;
    for chosen in 1u32..1 << all.len() {
        if chosen.count_ones() > 4 {
            continue;
        }
        let mut subset = Support::default();
        for (i, &p) in all.iter().enumerate() {
            if chosen & (1 << i) != 0 {
                subset.push(p);
            }
        }
        if let Some((centre, amid)) = circumcentre(subset.points(), origin) {
            let (_, reach) = farthest(all, origin, centre);
            if (amid && !best_amid) || (amid == best_amid && reach < best.2) {
                best = (subset, centre, reach);
                best_amid = amid;
            }
        }
    }
    best
}

/// The point of the span of one to four points that is equally far from all, seen from `origin`, and whether
/// it lies amid them; none if they are not independent.
fn circumcentre(points: &[Vec3], origin: Vec3) -> Option<(Vec3, bool)> {
    let o = points[0];
    // The point from o, and its weights but for that of o.
    let (x, weights) = match *points {
        [_] => (Vec3::ZERO, [0.0; 3]),
        [_, p] => (0.5 * (p - o), [0.5, 0.0, 0.0]),
        [_, p, q] => {
            let (a, b) = (p - o, q - o);
            let n = a.cross(b);
            let area = n.length_squared();
            let x = (b * a.length_squared() - a * b.length_squared()).cross(n) / (2.0 * area);
            (x, [x.cross(b).dot(n) / area, a.cross(x).dot(n) / area, 0.0])
        }
        [_, p, q, r, ..] => {
            let (a, b, c) = (p - o, q - o, r - o);
            let faces = [b.cross(c), c.cross(a), a.cross(b)];
            let volume = a.dot(faces[0]);
            let n =
                faces[0] * a.length_squared() + faces[1] * b.length_squared() + faces[2] * c.length_squared();
            let x = n / (2.0 * volume);
            (x, faces.map(|face| x.dot(face) / volume))
        }
        [] => return None,
    };
    let amid = weights.iter().all(|weight| *weight >= 0.0) && weights.iter().sum::<f64>() <= 1.0;
    let centre = o - origin + x;
    centre.is_finite().then_some((centre, amid))
}

/// The smallest r at hand with r · r ≥ x in floating point.
fn root_above(x: f64) -> f64 {
    let mut r = x.sqrt();
    while r * r < x {
        r = r.next_up();
    }
    r
}
