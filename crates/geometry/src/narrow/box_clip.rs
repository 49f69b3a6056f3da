//! A face of a box as the reference of a manifold: the other box's nearest face, clipped to a rectangle.
//!
//! The general clipping of `manifold` made flat: corners of the incident face are moved along n onto the reference face, where
//! clipping is that of a polygon in a rectangle with sides along the axes (@sutherland1974), and the depth is an affine
//! function that goes along. A corner counts as inside up to a small tolerance beyond a side, so that boxes of one size
//! stacked flush keep their corners instead of losing them to rounding, one this step and another the next.

use super::boxes::{NEXT, Turn, largest};
use super::feature::Feature;
use super::manifold::{Manifold, ManifoldPoint};
use gedanken_algebra::Vec3;

/// Depths that differ by less than this part of the tolerance are one.
const SAME_DEPTH: f64 = 0.2;

/// Lengths and areas whose quotient is below this are alike.
const ALIKE: f64 = 1.001;

/// A corner of the polygon on the reference face.
#[derive(Debug, Clone, Copy)]
struct Corner {
    u: f64,
    v: f64,
    depth: f64,
    from: From,
    /// The side to the next corner: of the incident face, 0 to 3, or of the reference, 4 to 7.
    next: u8,
}

/// What made a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
enum From {
    /// A corner of the incident face.
    Incident(u8),
    /// A side of the incident face and one of the reference.
    Crossing(u8, u8),
    /// A corner of the reference, between side k and the next.
    Reference(u8),
}

const EMPTY: Corner = Corner { u: 0.0, v: 0.0, depth: 0.0, from: From::Incident(0), next: 0 };

/// A face of a box: the axis across it, and on which side.
#[derive(Debug, Clone, Copy)]
struct Face {
    axis: usize,
    positive: bool,
}

/// Corners and sides in order: side k runs from corner k - 1 to corner k. Signs of the two coordinates of each corner.
const AROUND: [(bool, bool); 4] = [(true, true), (false, true), (false, false), (true, false)];

impl Face {
    #[inline]
    fn vertex(self, corner: u8) -> u32 {
        let (on_u, on_v) = AROUND[usize::from(corner & 3)];
        u32::from(self.positive) << self.axis
            | u32::from(on_u) << NEXT[self.axis]
            | u32::from(on_v) << NEXT[self.axis + 1]
    }

    /// The edge between two corners.
    fn edge(self, from: u8, to: u8) -> Feature {
        Feature::edge(self.vertex(from), self.vertex(to))
    }

    fn feature(self) -> Feature {
        Feature::face(2 * self.axis as u32 + u32::from(self.positive))
    }
}

/// Points on a reference face, in its box's frame.
pub(super) struct Flat {
    polygon: Polygon,
    reference: Face,
    incident: Face,
    height: f64,
    n: [f64; 3],
    tolerance: f64,
}

/// The face across axis k of a box with half-sizes `half`, on the side to which the unit vector n points, and the points up to
/// `within` above it of another box with half-sizes `other`, turned and centred as given.
pub(super) fn against(
    half: [f64; 3],
    k: usize,
    other: [f64; 3],
    turn: &Turn,
    centre: [f64; 3],
    n: [f64; 3],
    within: f64,
    tolerance: f64,
) -> Flat {
    let reference = Face { axis: k, positive: n[k] >= 0.0 };
    let (u, v) = (NEXT[k], NEXT[k + 1]);
    let seen = turn.undo(n);
    let l = largest(seen);
    let incident = Face { axis: l, positive: seen[l] <= 0.0 };
    let (s, t) = (NEXT[l], NEXT[l + 1]);
    let side = |axis: usize, sign: f64| {
        let ([x, y, z], half) = (turn.0[axis], sign * other[axis]);
        [x * half, y * half, z * half]
    };
    let out = side(l, if incident.positive { 1.0 } else { -1.0 });
    let (along_s, along_t) = (side(s, 1.0), side(t, 1.0));
    let (up, slope) = if reference.positive { (1.0, n[k]) } else { (-1.0, -n[k]) };
    let middle = [centre[0] + out[0], centre[1] + out[1], centre[2] + out[2]];
    // On the plane of the reference along n: x + n·depth, with the depth (height - up·x) / slope.
    let flat = |x: [f64; 3]| {
        let depth = -up * x[k] / slope;
        (x[u] + n[u] * depth, x[v] + n[v] * depth, depth)
    };
    let (at, by_s, by_t) = (flat(middle), flat(along_s), flat(along_t));
    let lift = half[k] / slope;
    let at = (at.0 + n[u] * lift, at.1 + n[v] * lift, at.2 + lift);
    let height = up * half[k];
    let mut found = Flat {
        polygon: Polygon { corners: [EMPTY; 8], count: 4 },
        reference,
        incident,
        height,
        n,
        tolerance,
    };
    let polygon = &mut found.polygon;
    for (c, (on_s, on_t)) in AROUND.into_iter().enumerate() {
        let (x, y) = (if on_s { 1.0 } else { -1.0 }, if on_t { 1.0 } else { -1.0 });
        polygon.corners[c] = Corner {
            u: at.0 + x * by_s.0 + y * by_t.0,
            v: at.1 + x * by_s.1 + y * by_t.1,
            depth: at.2 + x * by_s.2 + y * by_t.2,
            from: From::Incident(c as u8),
            next: c as u8,
        };
    }
    polygon.clip(0, half[u], tolerance, |c| c.u);
    polygon.clip(1, half[v], tolerance, |c| c.v);
    polygon.clip(2, half[u], tolerance, |c| -c.u);
    polygon.clip(3, half[v], tolerance, |c| -c.v);
    polygon.keep(within);
    found
}

#[derive(Debug)]
struct Polygon {
    corners: [Corner; 8],
    count: usize,
}

impl Polygon {
    /// Cuts off what lies beyond a side of the rectangle: `along` above `limit`.
    fn clip(&mut self, side: u8, limit: f64, tolerance: f64, along: impl Fn(&Corner) -> f64) {
        let Self { corners, count } = self;
        let old = &corners[..*count];
        let mut beyond = [0.0; 8];
        let mut cut = false;
        for (beyond, corner) in beyond.iter_mut().zip(old) {
            *beyond = along(corner) - limit;
            cut |= *beyond > tolerance;
        }
        if !cut {
            return;
        }
        let mut left = [EMPTY; 8];
        let mut made = 0;
        let mut push = |corner: Corner| {
            // A convex polygon of four sides has at most eight after four cuts; rounding must not make it nine.
            if made < 8 {
                left[made] = corner;
                made += 1;
            }
        };
        for (k, from) in old.iter().enumerate() {
            let next = if k + 1 == old.len() { 0 } else { k + 1 };
            let (to, h, g) = (&old[next], beyond[k], beyond[next]);
            let (inside, next_inside) = (h <= tolerance, g <= tolerance);
            if inside {
                // A corner on the side, or within the tolerance beyond, is the crossing itself.
                let next = if !next_inside && h >= 0.0 { 4 + side } else { from.next };
                push(Corner { next, ..*from });
            }
            if inside != next_inside && h.min(g) < 0.0 {
                let part = h / (h - g);
                let at = |x: f64, y: f64| x + (y - x) * part;
                let made = if from.next < 4 {
                    From::Crossing(from.next, side)
                } else {
                    // Side k ends at corner k, where the next one begins.
                    let other = from.next - 4;
                    From::Reference(if (other + 1) & 3 == side { other } else { side })
                };
                let next = if inside { 4 + side } else { from.next };
                let (u, v) = (at(from.u, to.u), at(from.v, to.v));
                push(Corner { u, v, depth: at(from.depth, to.depth), from: made, next });
            }
        }
        *count = made;
        *corners = left;
    }

    /// Drops corners more than `within` above the face.
    fn keep(&mut self, within: f64) {
        let mut count = 0;
        for k in 0..self.count {
            if self.corners[k].depth >= -within {
                if count < k {
                    self.corners[count] = self.corners[k];
                }
                count += 1;
            }
        }
        self.count = count;
    }
}

impl Flat {
    fn corners(&self) -> &[Corner] {
        &self.polygon.corners[..self.polygon.count]
    }

    /// The largest depth; minus infinity if there are no points.
    pub(super) fn deepest(&self) -> f64 {
        self.corners().iter().fold(f64::NEG_INFINITY, |deepest, corner| deepest.max(corner.depth))
    }

    /// Up to four corners, the deepest first.
    fn chosen(&self) -> ([usize; 4], usize) {
        let corners = self.corners();
        let (mut chosen, count) =
            if corners.len() > 4 { self.spread() } else { ([0, 1, 2, 3], corners.len()) };
        let first = (1..count)
            .fold(0, |best, k| if corners[chosen[k]].depth > corners[chosen[best]].depth { k } else { best });
        chosen.swap(0, first);
        (chosen, count)
    }

    /// Of more than four corners those that span the most: the two farthest from each other and the farthest on either side of
    /// the line between them, together at least half of the area. None of that depends on depths, which flicker at rest, and
    /// of nearly equal ones the first is taken; only a corner that is deeper beyond doubt takes another's place.
    fn spread(&self) -> ([usize; 4], usize) {
        let corners = self.corners();
        let (mut ends, mut farthest) = ([0, 1], 0.0);
        for (k, p) in corners.iter().enumerate() {
            for (l, q) in corners.iter().enumerate().skip(k + 1) {
                let way = (q.u - p.u) * (q.u - p.u) + (q.v - p.v) * (q.v - p.v);
                if way > farthest * ALIKE {
                    (ends, farthest) = ([k, l], way);
                }
            }
        }
        let (p, q) = (corners[ends[0]], corners[ends[1]]);
        let (along, across) = (q.u - p.u, q.v - p.v);
        // The farthest to one side, and to the other; the ends themselves are at zero.
        let (mut left, mut right, mut leftmost, mut rightmost) = (ends[0], ends[0], 0.0, 0.0);
        for (k, corner) in corners.iter().enumerate() {
            let side = along * (corner.v - p.v) - across * (corner.u - p.u);
            if side > leftmost * ALIKE {
                (left, leftmost) = (k, side);
            }
            if -side > rightmost * ALIKE {
                (right, rightmost) = (k, -side);
            }
        }
        let found = [ends[0], ends[1], left, right];
        // With all corners on one side of the line, a choice falls on an end of it again.
        let (mut chosen, mut count) = ([0; 4], 0);
        for k in found {
            if !chosen[..count].contains(&k) {
                chosen[count] = k;
                count += 1;
            }
        }
        let deepest = (1..corners.len())
            .fold(0, |best, k| if corners[k].depth > corners[best].depth { k } else { best });
        let enough = corners[deepest].depth - SAME_DEPTH * self.tolerance;
        if !chosen[..count].iter().any(|&k| corners[k].depth >= enough) {
            let near = |k: usize| {
                let (u, v) = (corners[k].u - corners[deepest].u, corners[k].v - corners[deepest].v);
                u * u + v * v
            };
            let nearest =
                (1..count).fold(0, |best, k| if near(chosen[k]) < near(chosen[best]) { k } else { best });
            let place = if count < 4 { count } else { nearest };
            chosen[place] = deepest;
            count = count.max(place + 1);
        }
        (chosen, count)
    }

    /// Adds the manifold to `out`, with the reference turned and placed in the world like this.
    pub(super) fn push(
        &self,
        turn: &Turn,
        place: Vec3,
        a_is_reference: bool,
        margin: f64,
        parts: [u32; 2],
        out: &mut Vec<Manifold>,
    ) {
        let n = Vec3::from_array(turn.apply(self.n));
        let manifold = Manifold::open(out, if a_is_reference { n } else { -n }, parts);
        let (chosen, count) = self.chosen();
        let k = self.reference.axis;
        for &c in &chosen[..count] {
            let corner = &self.polygon.corners[c];
            let mut x = [0.0; 3];
            (x[k], x[NEXT[k]], x[NEXT[k + 1]]) = (self.height, corner.u, corner.v);
            let on_reference = place + Vec3::from_array(turn.apply(x));
            let beside = on_reference - n * corner.depth;
            let depth = corner.depth.max(-margin);
            let (reference, incident) = self.features(corner.from);
            let (point_a, point_b) =
                if a_is_reference { (on_reference, beside) } else { (beside, on_reference) };
            let (feature_a, feature_b) =
                if a_is_reference { (reference, incident) } else { (incident, reference) };
            manifold.add(ManifoldPoint { point_a, point_b, depth, feature_a, feature_b });
        }
    }

    #[inline(always)]
    fn features(&self, from: From) -> (Feature, Feature) {
        let Self { reference, incident, .. } = self;
        match from {
            From::Incident(k) => (reference.feature(), Feature::vertex(incident.vertex(k))),
            From::Crossing(edge, side) => {
                // Sides of the incident face start at their corner, those of the reference end there.
                (reference.edge(side.wrapping_sub(1) & 3, side), incident.edge(edge, edge + 1))
            }
            From::Reference(k) => (Feature::vertex(reference.vertex(k)), incident.feature()),
        }
    }
}
