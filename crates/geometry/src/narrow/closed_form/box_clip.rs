//! A face of a box as the reference of a manifold: the other box's nearest face, clipped to a rectangle.
//!
//! The general clipping of `manifold` made flat: corners of the incident face are moved along n onto the
//! reference face, where clipping is that of a polygon in a rectangle with sides along the axes
//! (@sutherland1974), and the depth is an affine function that goes along. A corner counts as inside up to a
//! small tolerance beyond a side, so that boxes of one size stacked flush keep their corners instead of
//! losing them to rounding, one this step and another the next.

use super::box_box::{NEXT_AXES, RotationAxes, largest};
use crate::narrow::feature::Feature;
use crate::narrow::manifold::{Manifold, ManifoldPoint};
use gedanken_math::Vec3;

/// Difference of depths, relative to the tolerance, below which they count as equal.
const EQUAL_DEPTHS: f64 = 0.2;

/// Quotient of lengths or areas below which they count as equal.
const EQUAL_RATIO: f64 = 1.001;

/// Origin of a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
enum From {
    /// A corner of the incident face.
    Incident(u8),
    /// A side of the incident face and one of the reference.
    Crossing(u8, u8),
    /// A corner of the reference, between side k and the next.
    Reference(u8),
}

/// A face of a box: the axis across it, and its side.
#[derive(Debug, Clone, Copy)]
struct Face {
    axis: usize,
    positive: bool,
}

/// Signs of the two coordinates of each corner, in order; side k runs from corner k - 1 to corner k.
const CORNER_SIGNS: [(bool, bool); 4] = [(true, true), (false, true), (false, false), (true, false)];

impl Face {
    /// The numbers of its corners, [`CORNER_SIGNS`].
    #[inline]
    fn corners(self) -> [u32; 4] {
        let level = u32::from(self.positive) << self.axis;
        let (u, v) = (1 << NEXT_AXES[self.axis], 1 << NEXT_AXES[self.axis + 1]);
        [level | u | v, level | v, level, level | u]
    }

    fn feature(self) -> Feature {
        Feature::face(2 * self.axis as u32 + u32::from(self.positive))
    }
}

/// Points on a reference face, in its box's frame.
pub(super) struct ClippedFace<'a> {
    polygon: &'a Polygon,
    reference: Face,
    incident: Face,
    height: f64,
    n: [f64; 3],
    tolerance: f64,
}

/// Memory for clipping: a polygon, and the one that is cut from it.
pub(super) struct ClipBuffer([Polygon; 2]);

impl ClipBuffer {
    pub(super) const EMPTY: Self = Self([Polygon::EMPTY; 2]);
}

/// Returns the face across axis k of a box with half-sizes `half`, on the side to which the unit vector n
/// points, and the points up to `within` above it of another box with half-sizes `other`, turned and centred
/// as given.
pub(super) fn against<'a>(
    half: [f64; 3],
    k: usize,
    other: [f64; 3],
    turn: &RotationAxes,
    centre: [f64; 3],
    n: [f64; 3],
    within: f64,
    tolerance: f64,
    room: &'a mut ClipBuffer,
) -> ClippedFace<'a> {
    let reference = Face { axis: k, positive: n[k] >= 0.0 };
    let (u, v) = (NEXT_AXES[k], NEXT_AXES[k + 1]);
    let seen = turn.undo(n);
    let l = largest(seen);
    let incident = Face { axis: l, positive: seen[l] <= 0.0 };
    let (s, t) = (NEXT_AXES[l], NEXT_AXES[l + 1]);
    let side = |axis: usize, sign: f64| {
        let ([x, y, z], half) = (turn.0[axis], sign * other[axis]);
        [x * half, y * half, z * half]
    };
    let out = side(l, if incident.positive { 1.0 } else { -1.0 });
    let (along_s, along_t) = (side(s, 1.0), side(t, 1.0));
    let (up, slope) = if reference.positive { (1.0, n[k]) } else { (-1.0, -n[k]) };
    let middle = [centre[0] + out[0], centre[1] + out[1], centre[2] + out[2]];
    // Nothing to be waited for where n is the normal of the face, as it mostly is.
    let by_slope = |x: f64| if slope == 1.0 { x } else { x / slope };
    // On the plane of the reference along n: x + n·depth, with the depth (height - up·x) / slope.
    let flat = |x: [f64; 3]| {
        let depth = by_slope(-up * x[k]);
        (x[u] + n[u] * depth, x[v] + n[v] * depth, depth)
    };
    let (at, by_s, by_t) = (flat(middle), flat(along_s), flat(along_t));
    let lift = by_slope(half[k]);
    let at = (at.0 + n[u] * lift, at.1 + n[v] * lift, at.2 + lift);
    let height = up * half[k];
    let [polygon, spare] = &mut room.0;
    let (mut polygon, mut spare) = (polygon, spare);
    polygon.count = 4;
    for (c, (on_s, on_t)) in CORNER_SIGNS.into_iter().enumerate() {
        let (x, y) = (if on_s { 1.0 } else { -1.0 }, if on_t { 1.0 } else { -1.0 });
        polygon.u[c] = at.0 + x * by_s.0 + y * by_t.0;
        polygon.v[c] = at.1 + x * by_s.1 + y * by_t.1;
        polygon.depth[c] = at.2 + x * by_s.2 + y * by_t.2;
        polygon.from[c] = From::Incident(c as u8);
        polygon.next[c] = c as u8;
    }
    for (side, axis) in [(0, u), (1, v), (2, u), (3, v)] {
        if polygon.clip(side, half[axis], tolerance, spare) {
            std::mem::swap(&mut polygon, &mut spare);
        }
    }
    polygon.keep(within);
    ClippedFace { polygon, reference, incident, height, n, tolerance }
}

/// A polygon on the reference face, corner by corner. Each coordinate has a list of its own: corners stored
/// one by one would be slow to read as a whole.
#[derive(Debug)]
struct Polygon {
    count: usize,
    u: [f64; 8],
    v: [f64; 8],
    depth: [f64; 8],
    from: [From; 8],
    /// The side to the next corner: of the incident face, 0 to 3, or of the reference, 4 to 7.
    next: [u8; 8],
}

impl Polygon {
    const EMPTY: Self = Self {
        count: 0,
        u: [0.0; 8],
        v: [0.0; 8],
        depth: [0.0; 8],
        from: [From::Incident(0); 8],
        next: [0; 8],
    };

    /// Cuts off the part beyond a side of the rectangle, `limit` from its middle, and leaves the rest in
    /// `left`. Returns `false`, with nothing there, if all is inside.
    #[inline]
    fn clip(&self, side: u8, limit: f64, tolerance: f64, left: &mut Self) -> bool {
        let across = if side & 1 == 0 { &self.u } else { &self.v };
        let outwards = if side < 2 { 1.0 } else { -1.0 };
        let count = self.count.min(8);
        let (mut beyond, mut cut) = ([0.0; 8], false);
        for (beyond, x) in beyond.iter_mut().zip(&across[..count]) {
            *beyond = outwards * x - limit;
            cut |= *beyond > tolerance;
        }
        if !cut {
            return false;
        }
        left.count = 0;
        for k in 0..count {
            let l = if k + 1 == count { 0 } else { k + 1 };
            let (h, g) = (beyond[k], beyond[l]);
            let (inside, next_inside) = (h <= tolerance, g <= tolerance);
            if inside {
                // A corner on the side, or within the tolerance beyond, is the crossing itself.
                let next = if !next_inside && h >= 0.0 { 4 + side } else { self.next[k] };
                left.push(self.u[k], self.v[k], self.depth[k], self.from[k], next);
            }
            if inside != next_inside && h.min(g) < 0.0 {
                let part = h / (h - g);
                let at = |x: &[f64; 8]| x[k] + (x[l] - x[k]) * part;
                let from = if self.next[k] < 4 {
                    From::Crossing(self.next[k], side)
                } else {
                    // Side k ends at corner k, where the next one begins.
                    let other = self.next[k] - 4;
                    From::Reference(if (other + 1) & 3 == side { other } else { side })
                };
                let next = if inside { 4 + side } else { self.next[k] };
                left.push(at(&self.u), at(&self.v), at(&self.depth), from, next);
            }
        }
        true
    }

    /// Adds a corner. A convex polygon of four sides has at most eight after four cuts; rounding must not
    /// make it nine.
    #[inline]
    fn push(&mut self, u: f64, v: f64, depth: f64, from: From, next: u8) {
        let k = self.count;
        if k < 8 {
            (self.u[k], self.v[k], self.depth[k]) = (u, v, depth);
            (self.from[k], self.next[k]) = (from, next);
            self.count = k + 1;
        }
    }

    /// Drops corners more than `within` above the face.
    fn keep(&mut self, within: f64) {
        let count = self.count.min(8);
        if self.depth[..count].iter().all(|depth| *depth >= -within) {
            return;
        }
        self.count = 0;
        for k in 0..count {
            if self.depth[k] >= -within {
                self.push(self.u[k], self.v[k], self.depth[k], self.from[k], self.next[k]);
            }
        }
    }
}

impl ClippedFace<'_> {
    /// The depths of all corners.
    fn depths(&self) -> &[f64] {
        &self.polygon.depth[..self.polygon.count]
    }

    /// The largest depth; minus infinity if there are no points.
    pub(super) fn deepest(&self) -> f64 {
        self.depths().iter().fold(f64::NEG_INFINITY, |deepest, depth| deepest.max(*depth))
    }

    /// Returns the four of more corners that span the most: the two farthest from each other and the farthest
    /// on either side of the line between them, together at least half of the area. None of that depends on
    /// depths, which flicker at rest, and of nearly equal ones the first is taken. Only a corner that is
    /// deeper beyond doubt takes another's place.
    fn spread(&self) -> ([usize; 4], usize) {
        let depths = self.depths();
        let Polygon { u, v, .. } = self.polygon;
        let (mut ends, mut farthest) = ([0, 1], 0.0);
        for k in 0..depths.len() {
            for l in k + 1..depths.len() {
                let way = (u[l] - u[k]) * (u[l] - u[k]) + (v[l] - v[k]) * (v[l] - v[k]);
                if way > farthest * EQUAL_RATIO {
                    (ends, farthest) = ([k, l], way);
                }
            }
        }
        let [p, q] = ends;
        let (along, across) = (u[q] - u[p], v[q] - v[p]);
        // The farthest to one side, and to the other; the ends themselves are at zero.
        let (mut left, mut right, mut leftmost, mut rightmost) = (p, p, 0.0, 0.0);
        for k in 0..depths.len() {
            let side = along * (v[k] - v[p]) - across * (u[k] - u[p]);
            if side > leftmost * EQUAL_RATIO {
                (left, leftmost) = (k, side);
            }
            if -side > rightmost * EQUAL_RATIO {
                (right, rightmost) = (k, -side);
            }
        }
        let found = [p, q, left, right];
        // With all corners on one side of the line, a choice falls on an end of it again.
        let (mut chosen, mut count) = ([0; 4], 0);
        for k in found {
            if !chosen[..count].contains(&k) {
                chosen[count] = k;
                count += 1;
            }
        }
        let deepest = (1..depths.len()).fold(0, |best, k| if depths[k] > depths[best] { k } else { best });
        let enough = depths[deepest] - EQUAL_DEPTHS * self.tolerance;
        if !chosen[..count].iter().any(|&k| depths[k] >= enough) {
            let near = |k: usize| {
                let (u, v) = (u[k] - u[deepest], v[k] - v[deepest]);
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

    /// Adds the manifold to `out`, with this rotation and position of the reference in the world.
    pub(super) fn push(
        &self,
        turn: &RotationAxes,
        place: Vec3,
        a_is_reference: bool,
        margin: f64,
        parts: [u32; 2],
        out: &mut Vec<Manifold>,
    ) {
        let n = Vec3::from_array(turn.apply(self.n));
        let manifold = Manifold::open(out, if a_is_reference { n } else { -n }, parts);
        let depths = self.depths();
        let spread;
        let chosen: &[usize] = if depths.len() > 4 {
            spread = self.spread();
            &spread.0[..spread.1]
        } else {
            &[0, 1, 2, 3][..depths.len()]
        };
        let deepest = (1..chosen.len())
            .fold(0, |best, k| if depths[chosen[k]] > depths[chosen[best]] { k } else { best });
        let corners = [self.reference.corners(), self.incident.corners()];
        for at in 0..chosen.len() {
            // The deepest and the first change places.
            let c = chosen[match at {
                0 => deepest,
                _ if at == deepest => 0,
                _ => at,
            }];
            let Polygon { u, v, depth, from, .. } = self.polygon;
            let x = match self.reference.axis {
                0 => [self.height, u[c], v[c]],
                1 => [v[c], self.height, u[c]],
                _ => [u[c], v[c], self.height],
            };
            let on_reference = place + Vec3::from_array(turn.apply(x));
            let beside = on_reference - n * depth[c];
            let depth = depth[c].max(-margin);
            let (reference, incident) = self.features(from[c], &corners);
            let (point_a, point_b) =
                if a_is_reference { (on_reference, beside) } else { (beside, on_reference) };
            let (feature_a, feature_b) =
                if a_is_reference { (reference, incident) } else { (incident, reference) };
            manifold.add(ManifoldPoint { point_a, point_b, depth, feature_a, feature_b });
        }
    }

    /// Returns the features of the reference and of the incident face that made a point; `corners` are the
    /// numbers of theirs.
    #[inline(always)]
    fn features(&self, from: From, corners: &[[u32; 4]; 2]) -> (Feature, Feature) {
        let corner = |face: usize, k: u8| corners[face][usize::from(k & 3)];
        let edge = |face: usize, from: u8, to: u8| Feature::edge(corner(face, from), corner(face, to));
        match from {
            From::Incident(k) => (self.reference.feature(), Feature::vertex(corner(1, k))),
            From::Crossing(along, side) => {
                // Sides of the incident face start at their corner, those of the reference end there.
                (edge(0, side.wrapping_sub(1), side), edge(1, along, along + 1))
            }
            From::Reference(k) => (Feature::vertex(corner(0, k)), self.incident.feature()),
        }
    }
}
