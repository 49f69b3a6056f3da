//! Contact manifolds: the few points at which two bodies rest on each other, by clipping face against face.
//!
//! Of the two features that face each other along the contact's normal n, the flatter face is the reference;
//! the other, the incident one, is clipped by planes through the reference's edges along n (@sutherland1974).
//! The rest, projected onto the reference along n, are points with depths of their own:
//!
//!   point_a - point_b = depth · n   for every point, and no depth is above that of the contact.
//!
//! Points up to the speculative margin apart are kept, with negative depth. More than four are reduced to the
//! deepest one, the one farthest from it, and those two that span the largest area with them. The numbers of
//! the features from which a point was made identify it from frame to frame.

use super::contact::Closest;
use super::feature::{Corner, FACING_SINE, Feature, loop_normal};
use gedanken_math::Vec3;

/// One point of a manifold, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// The point on A.
    pub point_a: Vec3,
    /// The point on B.
    pub point_b: Vec3,
    /// Depth: negative by the gap for points that are still apart.
    pub depth: f64,
    /// Feature of A from which the point was made.
    pub feature_a: Feature,
    /// Feature of B from which the point was made.
    pub feature_b: Feature,
}

const EMPTY_POINT: ManifoldPoint = ManifoldPoint {
    point_a: Vec3::ZERO,
    point_b: Vec3::ZERO,
    depth: 0.0,
    feature_a: Feature::face(0),
    feature_b: Feature::face(0),
};

/// The points at which two convex bodies, or parts of bodies, meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manifold {
    /// The unit normal, from A to B.
    pub normal: Vec3,
    /// Part of A and of B: the index in a compound, the triangle of a mesh, 0 otherwise.
    pub parts: [u32; 2],
    points: [ManifoldPoint; 4],
    count: usize,
}

const EMPTY: Manifold = Manifold { normal: Vec3::ZERO, parts: [0; 2], points: [EMPTY_POINT; 4], count: 0 };

impl Manifold {
    /// Appends a manifold without points to `out`. It is filled in place, for it is large.
    pub(super) fn open(out: &mut Vec<Self>, normal: Vec3, parts: [u32; 2]) -> &mut Self {
        out.push(EMPTY);
        let manifold = out.last_mut().expect("one was pushed just now");
        (manifold.normal, manifold.parts) = (normal, parts);
        manifold
    }

    /// Adds one of at most four points; the first one should be the deepest.
    #[inline(always)]
    pub(super) fn add(&mut self, point: ManifoldPoint) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// Puts a point in front if it is deeper than all others by more than `tolerance`, in the place of the
    /// last of four.
    pub(super) fn include(&mut self, point: ManifoldPoint, tolerance: f64) {
        if self.points().first().is_some_and(|first| first.depth >= point.depth - tolerance) {
            return;
        }
        let last = self.count.min(3);
        self.points[last] = point;
        self.points.swap(0, last);
        self.count = last + 1;
    }

    /// Puts the deepest point in front.
    pub(super) fn deepest_first(&mut self) {
        let points = &self.points;
        let first =
            (1..self.count).fold(0, |best, k| if points[k].depth > points[best].depth { k } else { best });
        self.points.swap(0, first);
    }

    /// One to four points, the deepest first.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..self.count]
    }

    /// Makes it one of two edges along `axis`, or of one point, with another normal: of its points those at both
    /// ends are left. `ends` tells, for the middle of a point, the points of A and B beside it.
    pub(super) fn straighten(&mut self, normal: Vec3, axis: Vec3, ends: impl Fn(Vec3) -> [Vec3; 2]) {
        let along = |point: &ManifoldPoint| axis.dot(point.point_a + point.point_b);
        let by_place = |a: &&ManifoldPoint, b: &&ManifoldPoint| along(a).total_cmp(&along(b));
        let least = self.points().iter().min_by(by_place).copied();
        let most = self.points().iter().max_by(by_place).copied();
        let (Some(least), Some(most)) = (least, most) else { return };
        self.normal = normal;
        self.count = 0;
        for point in [least, most] {
            let [a, b] = ends((point.point_a + point.point_b) * 0.5);
            let depth = normal.dot(a - b);
            if self.count == 0 || point != least {
                self.add(ManifoldPoint { point_a: b + normal * depth, point_b: b, depth, ..point });
            }
        }
        self.deepest_first();
    }

    /// Returns the manifold with A and B exchanged; the parts stay where they are.
    pub(super) fn swapped(mut self) -> Self {
        self.swap();
        self
    }

    /// Exchanges A and B; the parts stay where they are.
    pub(super) fn swap(&mut self) {
        self.normal = -self.normal;
        for point in &mut self.points[..self.count] {
            std::mem::swap(&mut point.point_a, &mut point.point_b);
            std::mem::swap(&mut point.feature_a, &mut point.feature_b);
        }
    }
}

/// An edge of the polygon while it is clipped.
#[derive(Debug, Clone, Copy)]
enum Side {
    /// One of the incident face.
    Incident(Feature),
    /// Along the k-th edge of the reference.
    Reference(usize),
}

#[derive(Debug, Clone, Copy)]
struct Clipped {
    point: Vec3,
    reference: Feature,
    incident: Feature,
    /// The edge to the next corner.
    next: Side,
}

/// Memory for clipping.
#[derive(Debug, Clone, Default)]
pub(super) struct Clip {
    pub(super) a: Vec<Corner>,
    pub(super) b: Vec<Corner>,
    polygon: Vec<Clipped>,
    spare: Vec<Clipped>,
    points: Vec<ManifoldPoint>,
}

impl Clip {
    /// Returns the manifold of two features whose corners are in `a` and `b`, at the given contact.
    pub(super) fn manifold(&mut self, closest: &Closest, faces: [Feature; 2], margin: f64) -> Manifold {
        let n = closest.normal;
        self.points.clear();
        match (self.a.len(), self.b.len()) {
            (3.., 3..) => {
                let (a, b) = (loop_normal(&self.a), loop_normal(&self.b));
                // The flatter one is the reference, A of equals: a hair of preference keeps the choice from
                // flickering.
                self.against_face(n, faces, a.dot(n).abs() + 1e-6 >= b.dot(n).abs(), margin);
            }
            (3.., 2) => self.against_face(n, faces, true, margin),
            (2, 3..) => self.against_face(n, faces, false, margin),
            (2, 2) => self.along_edge(n, faces, margin),
            _ => {}
        }
        self.reduced(closest, faces)
    }

    /// Returns the manifold of a plane (A) and the corners in `b`.
    pub(super) fn on_plane(&mut self, closest: &Closest, face: Feature, margin: f64) -> Manifold {
        self.points.clear();
        let n = closest.normal;
        let level = n.dot(closest.point_a);
        for corner in &self.b {
            let depth = level - n.dot(corner.point);
            if depth >= -margin {
                self.points.push(ManifoldPoint {
                    point_a: corner.point + n * depth,
                    point_b: corner.point,
                    depth,
                    feature_a: Feature::face(0),
                    feature_b: Feature::vertex(corner.vertex),
                });
            }
        }
        self.reduced(closest, [Feature::face(0), face])
    }

    fn push(&mut self, n: Vec3, on_reference: Vec3, clipped: &Clipped, a_is_reference: bool, margin: f64) {
        let (point_a, point_b) =
            if a_is_reference { (on_reference, clipped.point) } else { (clipped.point, on_reference) };
        let (feature_a, feature_b) = if a_is_reference {
            (clipped.reference, clipped.incident)
        } else {
            (clipped.incident, clipped.reference)
        };
        let depth = n.dot(point_a - point_b);
        if depth >= -margin {
            self.points.push(ManifoldPoint { point_a, point_b, depth, feature_a, feature_b });
        }
    }

    fn against_face(&mut self, n: Vec3, faces: [Feature; 2], a_is_reference: bool, margin: f64) {
        let (reference, incident) = if a_is_reference { (&self.a, &self.b) } else { (&self.b, &self.a) };
        let (reference_face, incident_face) =
            if a_is_reference { (faces[0], faces[1]) } else { (faces[1], faces[0]) };
        let normal = loop_normal(reference);
        // The side planes contain n; outwards is edge × (n as the loop sees it).
        let up = if normal.dot(n) < 0.0 { -n } else { n };
        self.polygon.clear();
        let count = incident.len();
        for (k, corner) in incident.iter().enumerate() {
            let edge = Feature::edge(corner.vertex, incident[(k + 1) % count].vertex);
            self.polygon.push(Clipped {
                point: corner.point,
                reference: reference_face,
                incident: Feature::vertex(corner.vertex),
                next: Side::Incident(edge),
            });
        }
        for k in 0..reference.len() {
            let (p, q) = (reference[k], reference[(k + 1) % reference.len()]);
            let outward = (q.point - p.point).cross(up);
            let height = |x: Vec3| outward.dot(x - p.point);
            self.spare.clear();
            let corners = self.polygon.len();
            for i in 0..corners {
                let (from, to) = (self.polygon[i], self.polygon[(i + 1) % corners]);
                let (h, g) = (height(from.point), height(to.point));
                if h <= 0.0 {
                    self.spare.push(from);
                }
                if (h <= 0.0) != (g <= 0.0) {
                    let (reference, incident) = match from.next {
                        Side::Incident(edge) => (Feature::edge(p.vertex, q.vertex), edge),
                        Side::Reference(j) => {
                            let vertex = if (j + 1) % reference.len() == k { p.vertex } else { q.vertex };
                            (Feature::vertex(vertex), incident_face)
                        }
                    };
                    let point = from.point + (to.point - from.point) * (h / (h - g));
                    let next = if h <= 0.0 { Side::Reference(k) } else { from.next };
                    self.spare.push(Clipped { point, reference, incident, next });
                }
            }
            std::mem::swap(&mut self.polygon, &mut self.spare);
        }
        let (origin, slope) = (reference[0].point, normal.dot(n));
        for i in 0..self.polygon.len() {
            let clipped = self.polygon[i];
            // A segment is clipped as a polygon of two sides and shows every cut twice.
            let twice =
                |other: &Clipped| (other.reference, other.incident) == (clipped.reference, clipped.incident);
            if count == 2 && self.polygon[..i].iter().any(twice) {
                continue;
            }
            let on_reference = clipped.point + n * (normal.dot(origin - clipped.point) / slope);
            self.push(n, on_reference, &clipped, a_is_reference, margin);
        }
    }

    /// Clips two nearly parallel edges: B's is cut to the length of A's.
    ///
    /// Edges that cross lie in two planes across n, everywhere the same depth apart, and meet in one point
    /// all the same: aside of it both bodies fall away from n. How fast is not known here. At 45° the depth
    /// falls by the way s from one edge to the other across n; round bodies of radius r fall away less, by
    /// s²/2r.
    fn along_edge(&mut self, n: Vec3, faces: [Feature; 2], margin: f64) {
        let [p, q] = [self.a[0].point, self.a[1].point];
        let [r, s] = [self.b[0], self.b[1]];
        let (u, v) = (q - p, s.point - r.point);
        if u.cross(v).length() > FACING_SINE * u.length() * v.length() {
            return;
        }
        let squared = u.length_squared();
        let (from, to) = (u.dot(r.point - p) / squared, u.dot(s.point - p) / squared);
        let mut cut = |end: f64, corner: Corner, other: f64| {
            let t = end.clamp(0.0, 1.0);
            // Beyond the other end of A's edge, too: nothing of B's edge is beside it.
            if (end < 0.0 && other < 0.0) || (end > 1.0 && other > 1.0) {
                return;
            }
            let (point, reference, incident) = if t == end {
                (corner.point, faces[0], Feature::vertex(corner.vertex))
            } else {
                let point = r.point + v * ((t - from) / (to - from));
                (point, Feature::vertex(self.a[usize::from(t > 0.5)].vertex), faces[1])
            };
            let way = p + u * t - point;
            let along = n.dot(way);
            let on_reference = point + n * (along - (way - n * along).length());
            let clipped = Clipped { point, reference, incident, next: Side::Reference(0) };
            self.push(n, on_reference, &clipped, true, margin);
        };
        cut(from, r, to);
        cut(to, s, from);
    }

    /// Returns at most four of the points, with the contact itself if they miss its depth.
    fn reduced(&mut self, closest: &Closest, faces: [Feature; 2]) -> Manifold {
        let depth = -closest.gap;
        let deepest = self.points.iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
        let extent = closest.point_a.abs().max_element().max(depth.abs());
        if deepest < depth - 1e-10 * (1.0 + extent) {
            self.points.push(ManifoldPoint {
                point_a: closest.point_a,
                point_b: closest.point_b,
                depth,
                feature_a: faces[0],
                feature_b: faces[1],
            });
        }
        let mut manifold =
            Manifold { normal: closest.normal, parts: [0; 2], points: [EMPTY_POINT; 4], count: 0 };
        let mut take = |points: &mut Vec<ManifoldPoint>,
                        score: &dyn Fn(&[ManifoldPoint], &ManifoldPoint) -> f64| {
            let mut best: Option<(f64, usize)> = None;
            for (k, point) in points.iter().enumerate() {
                let score = score(&manifold.points[..manifold.count], point);
                if best.is_none_or(|(old, _)| score > old) {
                    best = Some((score, k));
                }
            }
            if let Some((score, k)) = best
                && score > f64::NEG_INFINITY
            {
                manifold.points[manifold.count] = points.remove(k);
                manifold.count += 1;
            }
        };
        let n = closest.normal;
        let area = |p: Vec3, q: Vec3, r: Vec3| n.dot((q - p).cross(r - p));
        take(&mut self.points, &|_, point| point.depth);
        take(&mut self.points, &|kept, point| (point.point_a - kept[0].point_a).length_squared());
        take(&mut self.points, &|kept, point| area(kept[0].point_a, kept[1].point_a, point.point_a).abs());
        take(&mut self.points, &|kept, point| {
            let [p, q, r] = [0, 1, 2].map(|k| kept[k].point_a);
            let sign = if area(p, q, r) < 0.0 { -1.0 } else { 1.0 };
            let outside = |a, b| -sign * area(a, b, point.point_a);
            outside(p, q).max(outside(q, r)).max(outside(r, p))
        });
        manifold
    }
}
