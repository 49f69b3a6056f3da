//! Contacts of a capsule and a box: a ball at the point of the capsule's axis nearest to the box, and a
//! second one where the axis lies along a face or an edge.

use super::ShapeContact;
use super::capsule::Capsule;
use super::placed::{Placed, TINY};
use super::sphere::{self, Ball, clamp};
use gedanken_math::Vec3;

/// A capsule's axis in the frame of a box.
struct Segment {
    /// Middle of the axis.
    middle: Vec3,
    /// Direction of the axis.
    axis: Vec3,
    /// From the middle to the end.
    half: Vec3,
    /// Bit k is set if the axis points along +k.
    signs: usize,
    /// Half of the length of the axis.
    half_length: f64,
}

/// The part of the box that is nearest to the axis.
#[derive(Clone, Copy)]
enum Nearest {
    /// An end of the axis is over a face of this axis, or inside the box.
    Face(Option<usize>),
    /// A corner, in binary.
    Corner(usize),
    /// An edge along `axis` that starts at `corner`, at this share of its half.
    Edge {
        /// Axis of the edge.
        axis: usize,
        /// Its lower corner, in binary.
        corner: usize,
        /// Place on the edge.
        at: f64,
    },
}

/// Where on the axis, as a share of its half, and next to what.
#[derive(Clone, Copy)]
struct Approach {
    /// Square of the distance.
    squared: f64,
    /// Place on the axis.
    at: f64,
    /// Part of the box.
    nearest: Nearest,
}

/// Contacts of a capsule and a box.
pub(super) fn cuboid(
    capsule: &Capsule,
    cuboid: &Placed,
    half_sides: Vec3,
    margin: f64,
    out: &mut Vec<ShapeContact>,
) {
    let axis = cuboid.vector_to_shape(capsule.placed.z());
    let half = axis * capsule.half_length;
    let signs = (0..3).filter(|&k| half[k] > 0.0).map(|k| 1 << k).sum();
    let middle = cuboid.vector_to_shape(capsule.placed.centre - cuboid.centre);
    let segment = Segment { middle, axis, half, signs, half_length: capsule.half_length };
    // A length as a bound of squares is odd, but decides what MuJoCo finds for capsules far from the box.
    let bound =
        margin + 2.0 * (capsule.radius + capsule.half_length + half_sides.x + half_sides.y + half_sides.z);
    let face = nearest_face(&segment, half_sides, bound);
    let Some(approach) = nearest_edge(&segment, half_sides, bound, face) else { return };
    let second = second_point(&segment, half_sides, &approach);
    for at in [Some(approach.at), second.map(|offset| offset + approach.at)].into_iter().flatten() {
        let centre = cuboid.point_to_world(segment.middle + segment.half * at);
        out.extend(sphere::cuboid(
            &Ball::of(&capsule.placed, centre, capsule.radius),
            cuboid,
            half_sides,
            margin,
        ));
    }
}

/// Returns the end of the axis nearest to a face it is over, or inside the box.
fn nearest_face(segment: &Segment, half_sides: Vec3, bound: f64) -> Option<Approach> {
    let mut best = None;
    let mut least = bound;
    for at in [-1.0, 1.0] {
        let end = segment.middle + segment.half * at;
        let mut outside = (0..3).filter(|&k| end[k] < -half_sides[k] || end[k] > half_sides[k]);
        if outside.clone().count() > 1 {
            continue;
        }
        let face = outside.next();
        let clamped =
            Vec3::new(clamp(end.x, half_sides.x), clamp(end.y, half_sides.y), clamp(end.z, half_sides.z));
        let squared = (clamped - end).length_squared();
        if squared < least {
            least = squared;
            best = Some(Approach { squared, at, nearest: Nearest::Face(face) });
        }
    }
    best
}

/// Returns the edge or corner nearest to the axis, unless `best` is nearer.
fn nearest_edge(
    segment: &Segment,
    half_sides: Vec3,
    bound: f64,
    mut best: Option<Approach>,
) -> Option<Approach> {
    for along in 0..3 {
        for corner in (0..8).filter(|corner| corner & (1 << along) == 0) {
            let least = best.map_or(bound, |approach| approach.squared);
            let found = edge(segment, half_sides, along, corner);
            // The difference keeps an axis parallel to a face from changing edges by rounding.
            best = found.filter(|approach| approach.squared < least - TINY).or(best);
        }
    }
    best
}

/// Returns the nearest points of the axis and of the edge along `along` that starts at `corner`.
fn edge(segment: &Segment, half_sides: Vec3, along: usize, corner: usize) -> Option<Approach> {
    let mut middle = super::corner(corner, half_sides);
    middle[along] = 0.0;
    let between = middle - segment.middle;
    let side = half_sides[along];
    let (aa, ab, bb) = (side * side, -side * segment.half[along], segment.half_length * segment.half_length);
    let (u, v) = (-side * between[along], segment.half.dot(between));
    let determinant = aa * bb - ab * ab;
    if determinant.abs() < TINY {
        return None;
    }
    let inverse = 1.0 / determinant;
    let (mut x, mut y) = ((bb * u - ab * v) * inverse, (aa * v - ab * u) * inverse);
    // 0 and 2: clamped to the lower or upper corner; 1: inside the edge.
    let mut part = 1;
    if x > 1.0 {
        (x, part) = (1.0, 2);
        y = (v - ab) * (1.0 / bb);
    } else if x < -1.0 {
        (x, part) = (-1.0, 0);
        y = (v + ab) * (1.0 / bb);
    }
    if y.abs() > 1.0 {
        y = y.signum();
        x = (u - y * ab) * (1.0 / aa);
        if x > 1.0 {
            (x, part) = (1.0, 2);
        } else if x < -1.0 {
            (x, part) = (-1.0, 0);
        }
    }
    let mut gap = between - segment.half * y;
    gap[along] += side * x;
    let nearest = match part {
        0 => Nearest::Corner(corner),
        2 => Nearest::Corner(corner + (1 << along)),
        _ => Nearest::Edge { axis: along, corner, at: x },
    };
    Some(Approach { squared: gap.length_squared(), at: y, nearest })
}

/// Returns the distance of a second point from the first one, as a share of the axis' half, if the axis goes
/// on along the box.
fn second_point(segment: &Segment, half_sides: Vec3, approach: &Approach) -> Option<f64> {
    match approach.nearest {
        Nearest::Corner(corner) => beyond_corner(segment, half_sides, approach.at, corner),
        Nearest::Edge { axis, corner, at } => beyond_edge(segment, half_sides, approach.at, axis, corner, at),
        Nearest::Face(face) => face.map(|face| over_face(segment, half_sides, approach.at, face)),
    }
}

/// Share of the axis' half in which it crosses the box along one axis.
fn crossing(segment: &Segment, half_sides: Vec3, axis: usize) -> f64 {
    2.0 * half_sides[axis] / segment.half[axis].abs()
}

/// Second point from a corner: along the edge or the face that the axis is nearest to; none if the axis
/// points into the corner or away from it.
fn beyond_corner(segment: &Segment, half_sides: Vec3, at: f64, corner: usize) -> Option<f64> {
    let unlike = segment.signs ^ corner;
    let (single, sense) = match unlike {
        1 | 2 | 4 => (unlike, 1.0),
        3 | 5 | 6 => (7 - unlike, -1.0),
        _ => return None,
    };
    let axis = single.trailing_zeros() as usize;
    if segment.axis[axis] * segment.axis[axis] > 0.5 {
        let left = 1.0 - sense * at;
        return Some(sense * smaller(crossing(segment, half_sides, axis), left));
    }
    let left = smaller(crossing(segment, half_sides, (axis + 1) % 3), 1.0 + sense * at);
    Some(-sense * smaller(crossing(segment, half_sides, (axis + 2) % 3), left))
}

/// Second point from the inside of an edge: across the face that makes the smaller angle with the axis; none
/// where axis and edge form a T.
fn beyond_edge(
    segment: &Segment,
    half_sides: Vec3,
    at: f64,
    axis: usize,
    corner: usize,
    on_edge: f64,
) -> Option<f64> {
    let unlike = (segment.signs ^ corner) & (7 - (1 << axis));
    if !unlike.is_power_of_two() {
        return None;
    }
    let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
    let across = if segment.axis[one].abs() > segment.axis[two].abs() { one } else { two };
    let forward = unlike & (1 << across) != 0;
    let sense = if forward { 1.0 } else { -1.0 };
    let left = smaller(crossing(segment, half_sides, across), 1.0 - sense * at);
    let towards_upper = (segment.signs & (1 << axis) != 0) == forward;
    let edge_left = if towards_upper { 1.0 - on_edge } else { 1.0 + on_edge };
    Some(sense * smaller(half_sides[axis] * edge_left / segment.half[axis].abs(), left))
}

/// Second point from an end over a face: where the axis leaves the face, or its other end.
fn over_face(segment: &Segment, half_sides: Vec3, at: f64, face: usize) -> f64 {
    let sense = -at;
    let end = segment.middle - segment.half * sense;
    let mut left = 2.0;
    for k in (0..3).filter(|&k| k != face) {
        for side in [half_sides[k], -half_sides[k]] {
            let share = (side - end[k]) / segment.half[k] * sense;
            if share > 0.0 {
                left = smaller(share, left);
            }
        }
    }
    sense * left
}

/// Returns the smaller number; `b` if `a` is none.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
