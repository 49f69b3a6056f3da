//! Directions, lengths and rays, safe at every scale, as the queries of all shapes need them.
//!
//! A ray is re-parametrised by its arc length s about its point of closest approach to the body's origin,
//! x(s) = near + s·u with u = d/|d| and near ⟂ u. Coordinates are then never larger than the distance of the
//! line from the body, so a ray that starts 1e6 sizes away loses only the digits that its origin has already
//! lost.

use crate::ray::{Hit, Ray};
use gedanken_math::Vec3;

/// Returns the unit vector along `v` and the length of `v`. `None` for zero; not a number for a vector that
/// is not finite, so that such a point is never taken for one inside.
///
/// Squares of coordinates under 1e-154 underflow and over 1e154 overflow: such vectors are scaled first.
pub(super) fn unit(v: Vec3) -> Option<(Vec3, f64)> {
    let squared = v.length_squared();
    if squared > 1e-280 && squared < 1e280 {
        let length = squared.sqrt();
        return Some((v / length, length));
    }
    if v == Vec3::ZERO {
        return None;
    }
    if !v.is_finite() {
        return Some((Vec3::NAN, f64::NAN));
    }
    let scale = v.abs().max_element();
    let scaled = v / scale;
    let length = scaled.length();
    Some((scaled / length, length * scale))
}

/// The length of `v`, at any scale.
fn length(v: Vec3) -> f64 {
    unit(v).map_or(0.0, |(_, length)| length)
}

/// Returns the unit vector across z along (x, y) and the distance ρ of the point from the z axis; along x for
/// a point on it.
pub(super) fn radial(point: Vec3) -> (Vec3, f64) {
    unit(Vec3::new(point.x, point.y, 0.0)).unwrap_or((Vec3::X, 0.0))
}

/// A ray by arc length about its closest approach to the body's origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    /// The direction, of length one.
    pub(super) unit: Vec3,
    /// The point of closest approach, at s = 0.
    pub(super) near: Vec3,
    /// The arc length at which the ray starts.
    start: f64,
    /// The length of the ray's own direction, to return to its parameter t.
    length: f64,
}

/// The part of a line inside a convex body, by arc length, with the outward normal where it enters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chord {
    pub(super) enter: f64,
    pub(super) exit: f64,
    pub(super) normal: Vec3,
}

impl Approach {
    /// Re-parametrises a ray. `None` for a ray without direction or with coordinates that are not finite: it
    /// hits nothing.
    pub(super) fn of(ray: &Ray) -> Option<Self> {
        let (unit, length) = unit(ray.direction)?;
        let start = ray.origin.dot(unit);
        (ray.origin.is_finite() && start.is_finite() && length.is_finite()).then(|| Self {
            unit,
            near: ray.origin - unit * start,
            start,
            length,
        })
    }

    /// The point at the arc length `s`.
    pub(super) fn at(&self, s: f64) -> Vec3 {
        self.near + self.unit * s
    }

    /// The hit of a ray that starts inside.
    pub(super) fn inside(&self) -> Hit {
        Hit { t: 0.0, normal: -self.unit }
    }

    /// The hit of a ray that starts outside a body and whose line has this chord in it.
    ///
    /// A start between `enter` and `exit` is then on the surface, to rounding: at the near end the ray enters
    /// at once, at the far end it leaves.
    pub(super) fn hit(&self, chord: Chord) -> Option<Hit> {
        let ahead = chord.enter - self.start;
        if chord.exit < self.start || -ahead > chord.exit - self.start {
            return None;
        }
        Some(Hit { t: ahead.max(0.0) / self.length, normal: chord.normal })
    }

    /// Returns `true` if the arc length `s` is on the ray, not behind its start.
    pub(super) fn is_ahead(&self, s: f64) -> bool {
        s >= self.start
    }

    /// The ray's parameter at the arc length `s`.
    pub(super) fn parameter(&self, s: f64) -> f64 {
        (s - self.start) / self.length
    }

    /// Returns the arc length at which the ray reaches a box: its start if that is inside, infinite if it
    /// misses. Errs on the side of reaching, by more than rounding.
    pub(super) fn reaches(&self, min: Vec3, max: Vec3) -> f64 {
        // Triangles are met in sheared coordinates, each off by a few rounding errors of the farthest corner.
        let farthest = (min - self.near).abs().max((max - self.near).abs()).max_element();
        let rounding = 8.0 * f64::EPSILON * farthest;
        let (mut enter, mut exit) = (self.start, f64::INFINITY);
        for axis in 0..3 {
            let (x, u) = (self.near[axis], self.unit[axis]);
            if u == 0.0 {
                if x < min[axis] - rounding || x > max[axis] + rounding {
                    return f64::INFINITY;
                }
                continue;
            }
            let (one, two) = ((min[axis] - x) / u, (max[axis] - x) / u);
            let slack = rounding / u.abs();
            enter = enter.max(one.min(two) - slack);
            exit = exit.min(one.max(two) + slack);
        }
        if enter <= exit { enter } else { f64::INFINITY }
    }

    /// The chord in the slab |x_axis| ≤ half.
    pub(super) fn slab(&self, axis: usize, half: f64) -> Option<Chord> {
        let (x, u) = (self.near[axis], self.unit[axis]);
        let back = if u < 0.0 { Vec3::AXES[axis] } else { -Vec3::AXES[axis] };
        if u == 0.0 {
            let all = Chord { enter: f64::NEG_INFINITY, exit: f64::INFINITY, normal: back };
            return (x.abs() <= half).then_some(all);
        }
        let (one, two) = ((-half - x) / u, (half - x) / u);
        Some(Chord { enter: one.min(two), exit: one.max(two), normal: back })
    }

    /// The chord in the ball of this centre and radius.
    pub(super) fn ball(&self, centre: Vec3, radius: f64) -> Option<Chord> {
        let from_centre = self.near - centre;
        let middle = -from_centre.dot(self.unit);
        let across = length(from_centre + self.unit * middle);
        if across > radius {
            return None;
        }
        let half = (radius - across).sqrt() * (radius + across).sqrt();
        let enter = middle - half;
        let normal = unit(from_centre + self.unit * enter).map_or(-self.unit, |(n, _)| n);
        Some(Chord { enter, exit: middle + half, normal })
    }

    /// The chord in the endless cylinder of this radius about the z axis.
    pub(super) fn tube(&self, radius: f64) -> Option<Chord> {
        let flat = Vec3::new(self.near.x, self.near.y, 0.0);
        let Some((u, speed)) = unit(Vec3::new(self.unit.x, self.unit.y, 0.0)) else {
            let all = Chord { enter: f64::NEG_INFINITY, exit: f64::INFINITY, normal: Vec3::X };
            return (length(flat) <= radius).then_some(all);
        };
        let middle = -flat.dot(u);
        let nearest = flat + u * middle;
        let across = length(nearest);
        if across > radius {
            return None;
        }
        let half = (radius - across).sqrt() * (radius + across).sqrt();
        let normal = unit(nearest - u * half).map_or(-u, |(n, _)| n);
        Some(Chord { enter: (middle - half) / speed, exit: (middle + half) / speed, normal })
    }
}

impl Chord {
    /// Returns the chord in the intersection of two convex bodies: `None` if one is left before the other is
    /// entered.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let later = if other.enter > self.enter { other } else { self };
        let exit = self.exit.min(other.exit);
        (later.enter <= exit).then_some(Self { exit, ..later })
    }

    /// Returns the chord in the union of two overlapping bodies.
    pub(super) fn or(self, other: Self) -> Self {
        let first = if other.enter < self.enter { other } else { self };
        Self { exit: self.exit.max(other.exit), ..first }
    }
}
