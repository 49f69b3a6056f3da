//! Contacts of two boxes: the axis of least overlap, then a clipped face or the nearest points of two edges.
//!
//! Fifteen axes can separate two boxes: three face normals of either, nine products of their edges. The axis
//! along which they overlap least is the normal. If it is that of a face, the opposite face of the other box
//! is clipped to it ([`face`]), and every corner of what is left is a contact; if it is that of two edges,
//! their nearest points are one ([`edges`]).

use super::ShapeContact;
use super::box_clip::Polygon;
use super::placed::{Placed, TINY, direction};
use super::sphere::clamp;
use gedanken_math::Vec3;

/// Slack of the separation tests, relative to the sum of all half sides: their own rounding.
const SEPARATION_ROUNDING: f64 = 1e-13;
/// Squared sine below which the product of two edges is rounding.
const PARALLEL: f64 = 1e-16;
/// Component of an axis below which either of two edges supports it.
const AMBIGUOUS: f64 = 1e-9;
/// Relative lead by which an edge axis must beat the best one so far.
const EDGE_LEAD: f64 = 1e-6;
/// Cosine above which an edge axis is as good as the best face's.
const ALIKE: f64 = 0.99;
/// Share of the face's depth by which such an edge axis must be better.
const ALIKE_LEAD: f64 = 0.05;
/// Square of the distance of corners that are one, relative to the face.
const SAME_CORNER: f64 = 1e-14;

/// A box in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cuboid {
    /// Where it is.
    pub(super) placed: Placed,
    /// Half of its sides.
    pub(super) half_sides: Vec3,
}

/// Two boxes, each seen from the other.
struct Boxes {
    /// The first box.
    first: Cuboid,
    /// The second box.
    second: Cuboid,
    /// Row i, column j: axis i of the first along axis j of the second.
    rotation: [Vec3; 3],
    /// Centre of the second in the frame of the first.
    second_in_first: Vec3,
    /// Centre of the first in the frame of the second.
    first_in_second: Vec3,
    /// Separation up to which boxes touch.
    tolerance: f64,
}

/// An axis that can separate two boxes.
#[derive(Clone, Copy, PartialEq)]
enum Axis {
    /// Normal of a face of the first box.
    First(usize),
    /// Normal of a face of the second box.
    Second(usize),
    /// Product of an edge of the first and one of the second.
    Edges(usize, usize),
}

/// Contacts of two boxes.
pub(super) fn cuboid(first: &Cuboid, second: &Cuboid, margin: f64, out: &mut Vec<ShapeContact>) {
    let boxes = Boxes::new(first, second, margin);
    match boxes.least_overlap() {
        None => {}
        Some(Axis::First(axis)) => face(&boxes, true, axis, margin, out),
        Some(Axis::Second(axis)) => face(&boxes, false, axis, margin, out),
        Some(Axis::Edges(i, j)) => out.extend(edges(&boxes, i, j)),
    }
}

impl Boxes {
    /// Sees each box from the other.
    fn new(first: &Cuboid, second: &Cuboid, margin: f64) -> Self {
        let row = |axis: Vec3| second.placed.vector_to_shape(axis);
        let axes = first.placed.axes;
        let sum = |v: Vec3| v.x + v.y + v.z;
        Self {
            first: *first,
            second: *second,
            rotation: [row(axes.x_axis), row(axes.y_axis), row(axes.z_axis)],
            second_in_first: first.placed.vector_to_shape(second.placed.centre - first.placed.centre),
            first_in_second: second.placed.vector_to_shape(first.placed.centre - second.placed.centre),
            tolerance: margin + SEPARATION_ROUNDING * (sum(first.half_sides) + sum(second.half_sides)),
        }
    }

    /// Axis j of the second box in the frame of the first.
    fn column(&self, j: usize) -> Vec3 {
        Vec3::new(self.rotation[0][j], self.rotation[1][j], self.rotation[2][j])
    }

    /// Returns the axis along which the boxes overlap least; `None` if one separates them.
    fn least_overlap(&self) -> Option<Axis> {
        let (face, face_gap) = self.best_face()?;
        let mut best = (face, face_gap);
        for i in 0..3 {
            for j in 0..3 {
                let Some(axis) = self.edge_axis(i, j) else { continue };
                let gap = self.edge_gap(axis, i, j);
                if gap > self.tolerance {
                    return None;
                }
                if gap - EDGE_LEAD * gap.abs() > best.1 && gap > face_gap {
                    best = (Axis::Edges(i, j), gap);
                }
            }
        }
        // A face touches in several points, edges in one. Where their axes are all but the same the face is
        // taken, so that boxes at rest do not change from one to the other by rounding.
        if let Axis::Edges(i, j) = best.0 {
            let axis = self.edge_axis(i, j)?;
            let along = match face {
                Axis::First(k) => axis[k].abs(),
                Axis::Second(k) => axis.dot(self.column(k)).abs(),
                Axis::Edges(..) => 0.0,
            };
            if along > ALIKE && best.1 < face_gap + ALIKE_LEAD * face_gap.abs() + TINY {
                return Some(face);
            }
        }
        Some(best.0)
    }

    /// Returns the face normal along which the boxes overlap least, and their gap along it.
    fn best_face(&self) -> Option<(Axis, f64)> {
        let (first, second) = (self.first.half_sides, self.second.half_sides);
        let mut best = (Axis::First(0), f64::NEG_INFINITY);
        for k in 0..6 {
            let (axis, gap) = if k < 3 {
                let reach = self.rotation[k].abs().dot(second);
                (Axis::First(k), self.second_in_first[k].abs() - first[k] - reach)
            } else {
                let j = k - 3;
                let reach = self.column(j).abs().dot(first);
                (Axis::Second(j), self.first_in_second[j].abs() - second[j] - reach)
            };
            if gap > self.tolerance {
                return None;
            }
            if gap > best.1 {
                best = (axis, gap);
            }
        }
        Some(best)
    }

    /// Returns the unit product of two edges in the frame of the first box; `None` if they are parallel.
    fn edge_axis(&self, i: usize, j: usize) -> Option<Vec3> {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let mut axis = Vec3::ZERO;
        axis[i1] = -self.rotation[i2][j];
        axis[i2] = self.rotation[i1][j];
        let squared = axis[i1] * axis[i1] + axis[i2] * axis[i2];
        (squared >= PARALLEL).then(|| axis * (1.0 / squared.sqrt()))
    }

    /// Returns the gap of the boxes along the product of edges i and j.
    fn edge_gap(&self, axis: Vec3, i: usize, j: usize) -> f64 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let (first, second) = (self.first.half_sides, self.second.half_sides);
        let first_reach = first[i1] * axis[i1].abs() + first[i2] * axis[i2].abs();
        let along = |k: usize| axis[i1] * self.rotation[i1][k] + axis[i2] * self.rotation[i2][k];
        let second_reach = second[j1] * along(j1).abs() + second[j2] * along(j2).abs();
        let centres = axis[i1] * self.second_in_first[i1] + axis[i2] * self.second_in_first[i2];
        centres.abs() - first_reach - second_reach
    }
}

/// Contact at the nearest points of two edges.
fn edges(boxes: &Boxes, i: usize, j: usize) -> Option<ShapeContact> {
    let mut axis = direction(boxes.edge_axis(i, j)?).0;
    if axis.dot(boxes.second_in_first) < 0.0 {
        axis = -axis;
    }
    let in_second =
        Vec3::new(axis.dot(boxes.column(0)), axis.dot(boxes.column(1)), axis.dot(boxes.column(2)));
    // Either sign of a component that is rounding supports the axis: the nearer pair of edges wins.
    let flips = |flip: Option<usize>| std::iter::once(None).chain(flip.map(Some));
    let mut best: Option<(f64, Vec3, Vec3)> = None;
    for first_flip in flips(ambiguous(axis, i)) {
        for second_flip in flips(ambiguous(in_second, j)) {
            let first = support_edge(axis, 1.0, boxes.first.half_sides, i, first_flip);
            let second = support_edge(in_second, -1.0, boxes.second.half_sides, j, second_flip);
            let (p, q) = nearest_points(boxes, i, j, first, second);
            let squared = (q - p).length_squared();
            if best.is_none_or(|(least, ..)| squared < least) {
                best = Some((squared, p, q));
            }
        }
    }
    let (_, p, q) = best?;
    let distance = (q - p).dot(axis);
    (distance <= boxes.tolerance).then(|| ShapeContact {
        position: boxes.first.placed.point_to_world((p + q) * 0.5),
        normal: boxes.first.placed.axes * axis,
        tangent: Vec3::ZERO,
        distance,
    })
}

/// Returns a component of the axis, other than that of the edge, that is rounding.
fn ambiguous(axis: Vec3, edge: usize) -> Option<usize> {
    [(edge + 1) % 3, (edge + 2) % 3].into_iter().find(|&k| axis[k].abs() < AMBIGUOUS)
}

/// Returns the middle of the edge along `edge` that is farthest along `sense` times `axis`, one component
/// flipped.
fn support_edge(axis: Vec3, sense: f64, half_sides: Vec3, edge: usize, flip: Option<usize>) -> Vec3 {
    let mut middle = Vec3::ZERO;
    for k in [(edge + 1) % 3, (edge + 2) % 3] {
        middle[k] = if axis[k] >= 0.0 { sense * half_sides[k] } else { -sense * half_sides[k] };
        if flip == Some(k) {
            middle[k] = -middle[k];
        }
    }
    middle
}

/// Returns the nearest points of two edges given by their middles, in the frame of the first box.
fn nearest_points(boxes: &Boxes, i: usize, j: usize, first: Vec3, second: Vec3) -> (Vec3, Vec3) {
    let along = boxes.column(j);
    let rows = boxes.rotation;
    let second =
        Vec3::new(rows[0].dot(second), rows[1].dot(second), rows[2].dot(second)) + boxes.second_in_first;
    let between = second - first;
    let (on_first, on_second) = (between[i], along.dot(between));
    let cosine = along[i];
    let sine_squared = 1.0 - cosine * cosine;
    let (most_first, most_second) = (boxes.first.half_sides[i], boxes.second.half_sides[j]);
    let free = if sine_squared < TINY { 0.0 } else { (on_first - cosine * on_second) / sine_squared };
    let t = clamp(cosine * clamp(free, most_first) - on_second, most_second);
    let s = clamp(on_first + cosine * t, most_first);
    let mut p = first;
    p[i] += s;
    (p, second + along * t)
}

/// Contacts of a face of one box (the reference) and the face of the other that is most opposite to it.
fn face(boxes: &Boxes, first_is_reference: bool, axis: usize, margin: f64, out: &mut Vec<ShapeContact>) {
    let (reference, incident, centre) = if first_is_reference {
        (&boxes.first, &boxes.second, boxes.second_in_first)
    } else {
        (&boxes.second, &boxes.first, boxes.first_in_second)
    };
    // Component `row` of axis `column` of the incident box.
    let turn = |row: usize, column: usize| {
        if first_is_reference { boxes.rotation[row][column] } else { boxes.rotation[column][row] }
    };
    let side = if centre[axis] >= 0.0 { 1.0 } else { -1.0 };
    let mut opposite = 0;
    for k in 1..3 {
        if turn(axis, k).abs() > turn(axis, opposite).abs() {
            opposite = k;
        }
    }
    let sense = if side * turn(axis, opposite) > 0.0 { -1.0 } else { 1.0 };
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = ((opposite + 1) % 3, (opposite + 2) % 3);
    // Coordinates along the face, and height above the centre.
    let project = |f: &dyn Fn(usize) -> f64| Vec3::new(f(x), f(y), f(axis));
    let sides = incident.half_sides;
    let mut middle = project(&|c| centre[c] + sense * sides[opposite] * turn(c, opposite));
    let mut along_u = project(&|c| sides[u] * turn(c, u));
    let mut along_v = project(&|c| sides[v] * turn(c, v));
    middle.z *= side;
    along_u.z *= side;
    along_v.z *= side;

    let extent = (reference.half_sides[x], reference.half_sides[y]);
    let mut polygon = Polygon::parallelogram(middle, along_u, along_v);
    polygon.clip(0, 1.0, extent.0);
    polygon.clip(0, -1.0, extent.0);
    polygon.clip(1, 1.0, extent.1);
    polygon.clip(1, -1.0, extent.1);
    // Heights are counted from the centre until here, so that a tilt below their rounding changes none: boxes that
    // just touch would stand on two corners of four otherwise.
    polygon.lower(reference.half_sides[axis]);

    let same = SAME_CORNER * (extent.0 * extent.0 + extent.1 * extent.1);
    let outward = if first_is_reference { side } else { -side };
    let normal = reference.placed.axes.col(axis) * outward;
    for corner in polygon.distinct(margin, same).corners() {
        let mut point = Vec3::ZERO;
        point[x] = corner.x;
        point[y] = corner.y;
        point[axis] = side * (reference.half_sides[axis] + 0.5 * corner.z);
        let position = reference.placed.point_to_world(point);
        out.push(ShapeContact { position, normal, tangent: Vec3::ZERO, distance: corner.z });
    }
}
