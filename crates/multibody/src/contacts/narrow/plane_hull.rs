//! Contacts of a plane and a convex hull: its lowest vertex, and the others of the face that lies flattest.

use super::ShapeContact;
use super::placed::Placed;
use super::plane::contact_at;
use gedanken_geometry::ConvexHull;
use gedanken_geometry::shape::Face;
use gedanken_math::Vec3;

/// Maximum number of contacts.
const MAX_CONTACTS: usize = 4;

/// Contacts of a plane and a hull.
pub(super) fn hull(
    plane: &Placed,
    hull: &ConvexHull,
    placed: &Placed,
    margin: f64,
    out: &mut Vec<ShapeContact>,
) {
    let before = out.len();
    let down = placed.vector_to_shape(-plane.z());
    let depth = |vertex: u32| down.dot(hull.vertices()[vertex as usize]);
    let Some(face) = flattest(hull, hull.support_vertex(down) as u32, down) else { return };
    // On faces that are flat only to rounding, climbing may end beside the lowest vertex.
    let mut start = 0;
    for (place, &vertex) in face.vertices.iter().enumerate() {
        if depth(vertex) > depth(face.vertices[start]) {
            start = place;
        }
    }
    let count = face.vertices.len();
    for step in 0..count {
        let vertex = face.vertices[(start + step) % count];
        // As for boxes: corners above the centre would hold the body from below at its far side.
        if step == 0 || depth(vertex) >= 0.0 {
            let point = placed.point_to_world(hull.vertices()[vertex as usize]);
            out.extend(contact_at(plane, point, margin));
        }
    }
    keep_widest(before, plane.z(), out);
}

/// Returns the face at a vertex whose normal is nearest to `down`; the first of several.
fn flattest(hull: &ConvexHull, vertex: u32, down: Vec3) -> Option<Face<'_>> {
    let mut best: Option<Face<'_>> = None;
    for face in hull.faces().filter(|face| face.vertices.contains(&vertex)) {
        if best.is_none_or(|flattest| face.normal.dot(down) > flattest.normal.dot(down)) {
            best = Some(face);
        }
    }
    best
}

/// Reduces contacts from `first` on to four: the first one, the farthest from it, and the two that span the
/// largest areas with them on either side. Their order stays.
fn keep_widest(first: usize, normal: Vec3, out: &mut Vec<ShapeContact>) {
    let found = out.len() - first;
    if found <= MAX_CONTACTS {
        return;
    }
    let at = |k: usize| out[first + k].position;
    let pick = |score: &dyn Fn(usize) -> f64| {
        (1..found).fold((0, 0.0), |best, k| if score(k) > best.1 { (k, score(k)) } else { best }).0
    };
    let opposite = pick(&|k| (at(k) - at(0)).length_squared());
    let side = |k: usize| normal.dot((at(opposite) - at(0)).cross(at(k) - at(0)));
    let mut kept = [0, pick(&side), opposite, pick(&|k| -side(k))];
    kept.sort_unstable();
    let mut next = 0;
    for (place, &k) in kept.iter().enumerate() {
        if place > 0 && kept[place - 1] == k {
            continue;
        }
        out[first + next] = out[first + k];
        next += 1;
    }
    out.truncate(first + next);
}
