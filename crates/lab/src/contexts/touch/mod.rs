//! Contact of two objects as collision laws read it: one normal and one point.
//!
//! The narrow phase finds the parts that meet and the normal n. Here that answer is made exact enough to
//! write laws on it:
//!
//! - **The normal** of a face is the face's own, not the direction between two closest points, which loses
//!   its digits as the gap closes. A face of either object counts if the gap seen along it, s(n) = min n·y
//!   over B - max n·x over A, is that of the contact: the true normal makes s largest. Of two edges that
//!   cross, the normal is that across both.
//! - **The point** lies midway between both surfaces. Across n it is the mean of the corners of the region in
//!   which the facing features meet, the faces, edges or corners within the angle [`FLAT_SINE`] of the plane
//!   of contact, so that a cube landing flat is met at the centre of its face, and one tilted by
//!   a millionth at the middle of its edge.
//! - **Parts** of a compound, or triangles of a mesh, that touch at one depth along one normal are one
//!   region, the convex hull of theirs: a table is met in the middle of its legs, and the seams of a mesh do
//!   not show. Nor do contacts along other normals at a place that a larger region holds already: a corner of
//!   a cube that stands on a seam does not run into the rim of the next triangle.
//!
//! Everything is computed in the order of the objects' indices, so the two see the same point, bit for bit,
//! and opposite normals.

use super::ids::ActorId;
use super::trajectory::bounds::Placed;
use super::trajectory::orientation::Twist;
use closest::{Closest, closest, closest_to_ball};
use features::{FLAT_SINE, Part, Point2, holds, hull, shared};
use gedanken_geometry::narrow::{QueryError, Scratch};
use gedanken_math::Vec3;

/// Difference of gaps that count as equal, relative to the size of the parts; also the angle between normals
/// that count as equal.
pub(super) const EQUAL_TOLERANCE: f64 = 1e-12;
/// Smallest length across the normal, relative to the size of the parts. Shorter lengths count as zero.
const MIN_WIDTH: f64 = 1e-9;
/// Sine of the largest angle by which rounding may have turned the normal of two polyhedra: a contact on a
/// sliver of a face determines its direction badly. Normals closer than this describe the same contact.
const MAX_NORMAL_ERROR: f64 = 1e-3;
/// Relative rounding of the coordinates of a point.
pub(super) const COORDINATE_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Contact of two objects, or their closest approach.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Touch {
    /// The first object.
    pub(crate) a: ActorId,
    /// The second object.
    pub(crate) b: ActorId,
    /// Unit normal, from A to B.
    pub(crate) normal: Vec3,
    /// Point of contact, midway between the surfaces: the mean of the corners.
    pub(crate) point: Vec3,
    /// Distance of the surfaces; negative if they overlap.
    pub(crate) gap: f64,
    /// Largest coordinate of the point and of the origins of both.
    pub(crate) farthest: f64,
    /// Corners of the region of contact, in order: one of a vertex or a curved surface, two of an edge, more
    /// of a face.
    pub(crate) corners: Vec<Vec3>,
}

impl Touch {
    /// Returns the same contact, seen from the other object.
    pub(crate) fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, normal: -self.normal, ..self }
    }

    /// Returns the normal of one of the two objects: out of the other one, towards it.
    pub(crate) fn normal_of(&self, object: ActorId) -> Vec3 {
        if object == self.a { -self.normal } else { self.normal }
    }

    /// Returns the object that one of the two touches.
    pub(crate) fn other(&self, object: ActorId) -> ActorId {
        if object == self.a { self.b } else { self.a }
    }

    /// Returns the speed at which the surfaces approach each other at the point, along the normal: n·(v_A -
    /// v_B). Negative if they separate.
    pub(crate) fn closing_speed(&self, a: &Twist, b: &Twist) -> f64 {
        self.normal.dot(a.at(self.point) - b.at(self.point))
    }

    /// Returns the rate at which the gap grows: that of the corner at which it grows least.
    pub(crate) fn opening_rate(&self, a: &Twist, b: &Twist) -> f64 {
        let rate = |corner: &Vec3| self.normal.dot(b.at(*corner) - a.at(*corner));
        self.corners.iter().map(rate).fold(f64::INFINITY, f64::min)
    }
}

/// Returns the contact of two objects where they are deepest in each other, or closest.
///
/// # Errors
/// Those of the narrow phase: no distance exists, or none could be determined.
pub(crate) fn touch(
    a: ActorId,
    placed_a: &Placed,
    b: ActorId,
    placed_b: &Placed,
    scratch: &mut Scratch,
) -> Result<Touch, QueryError> {
    if a > b {
        return Ok(touch(b, placed_b, a, placed_a, scratch)?.swapped());
    }
    // Most contacts in a gas: a closed form, without the memory for regions of contact.
    if let Some(only) = closest_to_ball(placed_a, placed_b, scratch)? {
        let contact = PartContact::of(&only, &Part::of(placed_a, 0), &Part::of(placed_b, 0));
        return Ok(contact.touch(a, b, farthest_origin(placed_a, placed_b)));
    }
    Ok(touches(a, placed_a, b, placed_b, scratch)?.swap_remove(0))
}

/// Returns all contacts of two objects, at least one: several where parts of them touch at one depth along
/// different normals, like a ball in a groove. The deepest is first; of equals, that with more corners, or of
/// the first part.
///
/// # Errors
/// Those of the narrow phase: no distance exists, or none could be determined.
pub(crate) fn touches(
    a: ActorId,
    placed_a: &Placed,
    b: ActorId,
    placed_b: &Placed,
    scratch: &mut Scratch,
) -> Result<Vec<Touch>, QueryError> {
    if a > b {
        let touches = touches(b, placed_b, a, placed_a, scratch)?;
        return Ok(touches.into_iter().map(Touch::swapped).collect());
    }
    let found = closest(placed_a, placed_b, scratch)?;
    let part = |it: &Closest| {
        PartContact::of(it, &Part::of(placed_a, it.parts[0]), &Part::of(placed_b, it.parts[1]))
    };
    let farthest = farthest_origin(placed_a, placed_b);
    let joined = PartContact::joined(found.iter().map(part).collect());
    Ok(joined.into_iter().map(|it| it.touch(a, b, farthest)).collect())
}

/// Contact of two convex parts.
#[derive(Debug)]
struct PartContact {
    normal: Vec3,
    gap: f64,
    /// A point near by, from which heights are measured.
    origin: Vec3,
    /// Size of the smaller part.
    size: f64,
    /// Height above the origin of the middle between the surfaces.
    level: f64,
    /// Corners of the region, in the world.
    corners: Vec<Vec3>,
}

impl PartContact {
    fn of(closest: &Closest, a: &Part<'_>, b: &Part<'_>) -> Self {
        let origin = closest.point_a;
        let size = a.extent().min(b.extent());
        let has_ball = a.is_ball() || b.is_ball();
        let normal = face_normal(closest.normal, a, b, origin, size);
        // A ball has no edges.
        let (normal, seen) = if has_ball { (normal, None) } else { across_edges(normal, a, b, origin) };
        let (high, low) = (a.reach(normal, origin), -b.reach(-normal, origin));
        let level = 0.5 * (high + low);
        let tolerance = narrow(size, origin);
        let (x, y) = normal.any_orthonormal_pair();
        // A ball has no corners: its point is that of the narrow phase.
        let show =
            |it: &Part<'_>, n: Vec3| if it.is_ball() { Some(Vec::new()) } else { it.corners(n, origin) };
        let shown = seen.unwrap_or_else(|| [show(a, normal), show(b, -normal)]);
        let is_point = has_ball || shown.iter().flatten().any(|it| it.len() == 1);
        let flat = |corners: &Option<Vec<Vec3>>| {
            let place = |corner: &Vec3| [corner.dot(x), corner.dot(y)];
            corners.as_ref().map(|it| hull(&it.iter().map(place).collect::<Vec<_>>(), tolerance))
        };
        let mut region = Vec::new();
        if !is_point {
            region = shared(flat(&shown[0]).as_deref(), flat(&shown[1]).as_deref(), tolerance);
        }
        if region.is_empty() {
            // A vertex is exact. The farthest point of a curved surface moves with every rounding of the
            // normal, so the closest points of the narrow phase are better; also where rounding has separated
            // flat features.
            let middle = vertex([(a, &shown[0]), (b, &shown[1])])
                .unwrap_or_else(|| closest.point_a.midpoint(closest.point_b) - origin);
            region = vec![[middle.dot(x), middle.dot(y)]];
        }
        let corners = region.iter().map(|p| origin + (x * p[0] + y * p[1] + normal * level)).collect();
        Self { normal, gap: low - high, origin, size, level, corners }
    }

    /// Merges contacts: one for each normal, the deepest first, with the regions of all that touch at its
    /// depth and along its normal.
    fn joined(mut contacts: Vec<Self>) -> Vec<Self> {
        let depth = |it: &Self| {
            (it.gap, EQUAL_TOLERANCE * it.size + COORDINATE_ROUNDING * it.origin.abs().max_element())
        };
        let (least, noise) = contacts
            .iter()
            .map(depth)
            .fold((f64::INFINITY, 0.0f64), |least, it| (least.0.min(it.0), least.1.max(it.1)));
        contacts.sort_by_key(|it| std::cmp::Reverse(it.corners.len()));
        let mut joined: Vec<Self> = Vec::new();
        let mut rest = Vec::new();
        for contact in contacts {
            if contact.gap <= least + noise
                && !joined.iter().any(|it| it.is_along(&contact, MAX_NORMAL_ERROR))
            {
                joined.push(contact);
            } else {
                rest.push(contact);
            }
        }
        for contact in rest {
            let alike = |it: &&mut Self| {
                let equal = FLAT_SINE * contact.size.min(it.size) + noise;
                contact.gap - it.gap <= equal && it.is_along(&contact, FLAT_SINE)
            };
            if let Some(leader) = joined.iter_mut().find(alike) {
                leader.corners.extend(contact.corners);
            }
        }
        joined.iter_mut().for_each(Self::round_up);
        let mut told: Vec<Self> = Vec::new();
        for contact in joined {
            if !told.iter().any(|it| it.covers(&contact)) {
                told.push(contact);
            }
        }
        told
    }

    /// Returns `true` if both normals are the same up to an angle of this sine.
    fn is_along(&self, other: &Self, angle: f64) -> bool {
        self.normal.dot(other.normal) > 0.0 && sine(self.normal, other.normal) <= angle
    }

    /// Returns `true` if another contact is smaller and lies in this one's region or on its rim.
    fn covers(&self, other: &Self) -> bool {
        let tolerance = narrow(self.size, self.origin);
        let (x, y) = self.normal.any_orthonormal_pair();
        let region = self.places(&self.corners, x, y);
        let is_in = |(corner, place): (&Vec3, &Point2)| {
            let height = self.normal.dot(*corner - self.origin) - self.level;
            height.abs() <= tolerance && holds(&region, *place, tolerance)
        };
        other.corners.len() < self.corners.len()
            && other.corners.iter().zip(&self.places(&other.corners, x, y)).all(is_in)
    }

    /// Corners projected along the normal, from the origin.
    fn places(&self, corners: &[Vec3], x: Vec3, y: Vec3) -> Vec<Point2> {
        corners.iter().map(|&it| it - self.origin).map(|it| [it.dot(x), it.dot(y)]).collect()
    }

    /// Replaces the corners of several regions by their convex hull.
    fn round_up(&mut self) {
        if self.corners.len() < 2 {
            return;
        }
        let (x, y) = self.normal.any_orthonormal_pair();
        let region = hull(&self.places(&self.corners, x, y), narrow(self.size, self.origin));
        if region.len() != self.corners.len() {
            let up = self.normal * self.level;
            self.corners = region.iter().map(|p| self.origin + (x * p[0] + y * p[1] + up)).collect();
        }
    }

    fn touch(self, a: ActorId, b: ActorId, farthest_origin: f64) -> Touch {
        let from = self.corners[0];
        let offsets = self.corners.iter().fold(Vec3::ZERO, |sum, &corner| sum + (corner - from));
        let point = from + offsets / self.corners.len() as f64;
        let farthest = farthest_origin.max(point.abs().max_element());
        Touch { a, b, normal: self.normal, point, gap: self.gap, farthest, corners: self.corners }
    }
}

/// Largest coordinate of the origins of two objects.
fn farthest_origin(a: &Placed, b: &Placed) -> f64 {
    a.pose.translation.abs().max(b.pose.translation.abs()).max_element()
}

/// Length at a place that counts as zero.
fn narrow(size: f64, place: Vec3) -> f64 {
    MIN_WIDTH * size + COORDINATE_ROUNDING * place.abs().max_element()
}

/// Sine of the angle between two unit vectors.
pub(super) fn sine(n: Vec3, m: Vec3) -> f64 {
    n.cross(m).length()
}

/// Returns the normal of the face on which the parts meet; `n` if they meet on none.
fn face_normal(n: Vec3, a: &Part<'_>, b: &Part<'_>, origin: Vec3, size: f64) -> Vec3 {
    if a.is_endless() || b.is_endless() {
        return n;
    }
    let separation = |n: Vec3| -b.reach(-n, origin) - a.reach(n, origin);
    let turned = if a.is_polyhedron() && b.is_polyhedron() { MAX_NORMAL_ERROR } else { FLAT_SINE };
    let noise = EQUAL_TOLERANCE * size + COORDINATE_ROUNDING * origin.abs().max_element();
    let mut best: Option<(f64, Vec3)> = None;
    for face in [a.face(n), b.face(-n).map(|it| -it)].into_iter().flatten() {
        if face.dot(n) <= 0.0 || sine(face, n) > turned {
            continue;
        }
        let gap = separation(face);
        // A's face of two that are equally good.
        if gap >= separation(n) - noise && best.is_none_or(|(most, _)| gap > most + noise) {
            best = Some((gap, face));
        }
    }
    best.map_or(n, |(_, face)| face)
}

/// Corners of the features of two parts along a normal, and against it.
type Shown = [Option<Vec<Vec3>>; 2];

/// Returns the direction across two edges, if the parts meet with such, they cross, and it is well determined
/// and close to n; else n, and the corners that they show along it.
fn across_edges(n: Vec3, a: &Part<'_>, b: &Part<'_>, origin: Vec3) -> (Vec3, Option<Shown>) {
    let shown = [a.corners(n, origin), b.corners(-n, origin)];
    let [Some(edge), Some(other)] = &shown else { return (n, Some(shown)) };
    let ([p, q], [r, s]) = (&edge[..], &other[..]) else { return (n, Some(shown)) };
    let (u, v) = (*q - *p, *s - *r);
    let across = u.cross(v);
    if across.length() <= MAX_NORMAL_ERROR * u.length() * v.length() {
        return (n, Some(shown));
    }
    let across = across.normalize();
    let across = if across.dot(n) < 0.0 { -across } else { across };
    if sine(across, n) <= MAX_NORMAL_ERROR { (across, None) } else { (n, Some(shown)) }
}

/// Returns the vertex of a polyhedron with which a part meets the other; midway if both do.
fn vertex(parts: [(&Part<'_>, &Option<Vec<Vec3>>); 2]) -> Option<Vec3> {
    let of = |(part, shown): (&Part<'_>, &Option<Vec<Vec3>>)| match shown.as_deref() {
        Some(&[corner]) if part.is_polyhedron() => Some(corner),
        _ => None,
    };
    match parts.map(of) {
        [Some(p), Some(q)] => Some(p.midpoint(q)),
        [p, q] => p.or(q),
    }
}

pub(crate) mod closest;
pub(crate) mod contact_graph;
pub(crate) mod contact_queries;
pub(crate) mod features;
pub(crate) mod live;
#[cfg(test)]
mod tests;
