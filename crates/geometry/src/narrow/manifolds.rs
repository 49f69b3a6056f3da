//! Manifolds of any two shapes: one for each pair of parts that meet.

use super::closed_form;
use super::contact::{Closest, QueryError};
use super::dispatch::{self, Nearest};
use super::edge_normal;
use super::feature::{self, Feature};
use super::manifold::Manifold;
use super::triangle::Triangle;
use super::{Scratch, gjk};
use crate::shape::{Shape, Solid, TriangleMesh};
use gedanken_math::Pose;

/// Finds the points at which two shapes meet: a manifold for each pair of parts whose gap is at most
/// `margin`, in the order of the parts, into `out`, which is cleared first. Points up to `margin` apart are
/// included, with negative depth.
///
/// # Errors
/// As [`super::distance`], and [`QueryError::BadMargin`] for a margin that is negative or not finite.
pub fn manifolds(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Manifold>,
) -> Result<(), QueryError> {
    gjk::finite(pose_a, pose_b)?;
    if !(margin >= 0.0 && margin.is_finite()) {
        return Err(QueryError::BadMargin { value: margin });
    }
    out.clear();
    gather(a, pose_a, b, pose_b, margin, scratch, [0; 2], out)
}

/// Finds the same points as [`manifolds`], with normals for bodies that press on each other: where edges are nearly
/// parallel, or an edge meets a vertex, the normal is the middle of all that the configuration allows, and not that of
/// one of the faces (see the module of edge normals). A strip as narrow as a thousandth of the smaller body counts as an
/// edge. Those who ask where shapes are, and not how they push, want [`manifolds`].
///
/// # Errors
/// As [`manifolds`].
pub fn pressing_manifolds(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Manifold>,
) -> Result<(), QueryError> {
    manifolds(a, pose_a, b, pose_b, margin, scratch, out)?;
    for manifold in out {
        let [one, two] = manifold.parts;
        let ((a, pose_a), (b, pose_b)) = (part(a, pose_a, one), part(b, pose_b, two));
        edge_normal::straighten(manifold, [a, b], [&pose_a, &pose_b]);
    }
    Ok(())
}

/// The part of a shape that a manifold belongs to, and its pose. Meshes have no edges of this kind.
fn part<'s>(shape: &'s Shape, pose: &Pose, index: u32) -> (&'s Shape, Pose) {
    match shape {
        Shape::Compound(compound) => {
            let part = &compound.parts()[index as usize];
            (&part.shape, *pose * part.pose)
        }
        _ => (shape, *pose),
    }
}

fn gather(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    scratch: &mut Scratch,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
) -> Result<(), QueryError> {
    match (a, b) {
        (Shape::Compound(compound), _) => {
            for (index, part) in (0..).zip(compound.parts()) {
                let pose = *pose_a * part.pose;
                gather(&part.shape, &pose, b, pose_b, margin, scratch, [index, parts[1]], out)?;
            }
            Ok(())
        }
        (_, Shape::Compound(compound)) => {
            for (index, part) in (0..).zip(compound.parts()) {
                let pose = *pose_b * part.pose;
                gather(a, pose_a, &part.shape, &pose, margin, scratch, [parts[0], index], out)?;
            }
            Ok(())
        }
        (Shape::Mesh(mesh), _) => on_mesh(mesh, pose_a, b, pose_b, margin, scratch, parts, out, false),
        (_, Shape::Mesh(mesh)) => on_mesh(mesh, pose_b, a, pose_a, margin, scratch, parts, out, true),
        _ => {
            // Closed forms first: most contacts in heaps have them.
            if closed_form::manifold::manifold(a, pose_a, b, pose_b, margin, parts, out) {
                return Ok(());
            }
            let mut nearest = Nearest::within(margin);
            dispatch::closest(a, pose_a, b, pose_b, scratch, &mut nearest)?;
            let Some(closest) = nearest.found else { return Ok(()) };
            let clip = &mut scratch.clip;
            let mut manifold = match (a, b) {
                // A half-space has no corners of its own: those of the other body are in `clip.b` either way.
                (Shape::HalfSpace(_), _) => {
                    let face = feature::facing(b, pose_b, -closest.normal, &mut clip.b);
                    clip.on_plane(&closest, face, margin)
                }
                (_, Shape::HalfSpace(_)) => {
                    let face = feature::facing(a, pose_a, closest.normal, &mut clip.b);
                    clip.on_plane(&closest.swapped(), face, margin).swapped()
                }
                _ => {
                    let faces = [
                        feature::facing(a, pose_a, closest.normal, &mut clip.a),
                        feature::facing(b, pose_b, -closest.normal, &mut clip.b),
                    ];
                    clip.manifold(&closest, faces, margin)
                }
            };
            manifold.parts = parts;
            out.push(manifold);
            Ok(())
        }
    }
}

/// Adds the manifolds of a convex body on the triangles of a mesh (A); `swap` if the mesh was B.
fn on_mesh(
    mesh: &TriangleMesh,
    pose_mesh: &Pose,
    shape: &Shape,
    pose: &Pose,
    margin: f64,
    scratch: &mut Scratch,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
    swap: bool,
) -> Result<(), QueryError> {
    let Some(body) = shape.convex() else {
        return Err(QueryError::Unsupported { query: "manifold", a: mesh.kind(), b: shape.kind() });
    };
    let region = shape.bounds(&pose_mesh.to(pose)).fattened(margin);
    let start = out.len();
    let mut outcome = Ok(());
    mesh.triangles_in(&region, |index| {
        if outcome.is_err() {
            return;
        }
        let triangle = Triangle::of(mesh, index);
        match dispatch::convex(&triangle, pose_mesh, body, pose, margin, scratch) {
            Ok(Some(closest)) if closest.gap <= margin => {
                let mut manifold =
                    triangle_manifold(&triangle, pose_mesh, shape, pose, &closest, margin, scratch);
                manifold.parts = if swap { [parts[0], index] } else { [index, parts[1]] };
                out.push(if swap { manifold.swapped() } else { manifold });
            }
            Ok(_) => {}
            Err(error) => outcome = Err(error),
        }
    });
    // The tree visits triangles in its own order; theirs is the one to rely on.
    out[start..].sort_unstable_by_key(|manifold| manifold.parts);
    outcome
}

fn triangle_manifold(
    triangle: &Triangle,
    pose_mesh: &Pose,
    shape: &Shape,
    pose: &Pose,
    closest: &Closest,
    margin: f64,
    scratch: &mut Scratch,
) -> Manifold {
    let clip = &mut scratch.clip;
    let faces: [Feature; 2] = [
        feature::facing_triangle(triangle, pose_mesh, closest.normal, &mut clip.a),
        feature::facing(shape, pose, -closest.normal, &mut clip.b),
    ];
    clip.manifold(closest, faces, margin)
}
