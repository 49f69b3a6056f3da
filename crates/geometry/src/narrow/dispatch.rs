//! Dispatch of a pair of shapes to the routine that answers for it.

use super::closed_form::distance;
use super::contact::{Closest, QueryError};
use super::gjk::{self, Cores, VERTEX_ROUNDING};
use super::refine_rims::refine;
use super::simplex::{Difference, Simplex};
use super::triangle::Triangle;
use super::{Scratch, epa};
use crate::bounds::Aabb;
use crate::shape::{Convex, Shape, Solid, TriangleMesh};
use gedanken_math::{Pose, Vec3};

/// Closest answer so far, and the largest gap that matters.
pub(crate) struct Nearest {
    /// Largest gap that matters.
    pub(crate) within: f64,
    pub(crate) found: Option<Closest>,
    /// Part of A and of B of the answer: the index in a compound or the triangle of a mesh.
    pub(crate) parts: [u32; 2],
    part: [u32; 2],
}

impl Nearest {
    pub(crate) fn any() -> Self {
        Self::within(f64::INFINITY)
    }

    pub(crate) fn within(within: f64) -> Self {
        Self { within, found: None, parts: [0; 2], part: [0; 2] }
    }

    /// Returns `true` if a pair at least this far apart can still win.
    fn wants(&self, gap: f64) -> bool {
        gap <= self.within && self.found.is_none_or(|best| gap < best.gap)
    }

    fn offer(&mut self, closest: Closest) {
        if self.wants(closest.gap) {
            self.found = Some(closest);
            self.parts = self.part;
        }
    }
}

pub(crate) fn unsupported(query: &'static str, a: &Shape, b: &Shape) -> QueryError {
    QueryError::Unsupported { query, a: a.kind(), b: b.kind() }
}

/// Returns a lower bound on the gap of the contents of two boxes: their distance, or minus infinity if they
/// overlap, since the depth is then unknown.
fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    if a.intersects(b) {
        return f64::NEG_INFINITY;
    }
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length()
}

/// Offers the closest points of two shapes.
pub(crate) fn closest(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    scratch: &mut Scratch,
    nearest: &mut Nearest,
) -> Result<(), QueryError> {
    use Shape::{Capsule, Compound, Cuboid, HalfSpace, Hull, Mesh, Sphere};
    let found = match (a, b) {
        // Compounds come first: their parts are bounded and convex, so that the recursion is two levels deep
        // at most.
        (Compound(compound), _) => {
            let bounds_b = b.bounds(pose_b);
            for (index, part) in compound.parts().iter().enumerate() {
                nearest.part[0] = index as u32;
                let pose = *pose_a * part.pose;
                if nearest.wants(box_gap(&part.shape.bounds(&pose), &bounds_b)) {
                    closest(&part.shape, &pose, b, pose_b, scratch, nearest)?;
                }
            }
            return Ok(());
        }
        (_, Compound(compound)) => {
            let bounds_a = a.bounds(pose_a);
            for (index, part) in compound.parts().iter().enumerate() {
                nearest.part[1] = index as u32;
                let pose = *pose_b * part.pose;
                if nearest.wants(box_gap(&bounds_a, &part.shape.bounds(&pose))) {
                    closest(a, pose_a, &part.shape, &pose, scratch, nearest)?;
                }
            }
            return Ok(());
        }
        (Mesh(mesh), _) => {
            let Some(body) = b.convex() else { return Err(unsupported("distance", a, b)) };
            let bounds = b.bounds(&pose_a.to(pose_b));
            // The bounds are in the mesh's frame, that of its tree of boxes.
            return against_mesh(mesh, pose_a, body, pose_b, &bounds, scratch, nearest, 0);
        }
        (_, Mesh(mesh)) => {
            let Some(body) = a.convex() else { return Err(unsupported("distance", a, b)) };
            let bounds = a.bounds(&pose_b.to(pose_a));
            return against_mesh(mesh, pose_b, body, pose_a, &bounds, scratch, nearest, 1);
        }
        (HalfSpace(_), HalfSpace(_)) => return Err(unsupported("distance", a, b)),
        (Sphere(x), Sphere(y)) => distance::spheres(x, pose_a, y, pose_b),
        (Sphere(x), Capsule(y)) => distance::sphere_capsule(x, pose_a, y, pose_b),
        (Capsule(x), Sphere(y)) => distance::sphere_capsule(y, pose_b, x, pose_a).swapped(),
        (Capsule(x), Capsule(y)) => distance::capsules(x, pose_a, y, pose_b),
        (Cuboid(x), Sphere(y)) => distance::cuboid_sphere(x, pose_a, y, pose_b),
        (Sphere(x), Cuboid(y)) => distance::cuboid_sphere(y, pose_b, x, pose_a).swapped(),
        // Compiled for the pair where it pays: many supports per query.
        (Hull(x), Hull(y)) => match convex(&**x, pose_a, &**y, pose_b, nearest.within, scratch)? {
            Some(found) => found,
            None => return Ok(()),
        },
        (Cuboid(x), Cuboid(y)) => match convex(x, pose_a, y, pose_b, nearest.within, scratch)? {
            Some(found) => found,
            None => return Ok(()),
        },
        (HalfSpace(x), _) => match b.convex() {
            Some(body) => distance::half_space(x, pose_a, body, pose_b),
            None => return Err(unsupported("distance", a, b)),
        },
        (_, HalfSpace(y)) => match a.convex() {
            Some(body) => distance::half_space(y, pose_b, body, pose_a).swapped(),
            None => return Err(unsupported("distance", a, b)),
        },
        _ => match (a.convex(), b.convex()) {
            (Some(x), Some(y)) => match convex(x, pose_a, y, pose_b, nearest.within, scratch)? {
                Some(found) => found,
                None => return Ok(()),
            },
            _ => return Err(unsupported("distance", a, b)),
        },
    };
    nearest.offer(found);
    Ok(())
}

/// Offers the closest points of a convex body and the triangles of a mesh. `mesh_is`: 0 if the mesh is A, 1
/// if it is B.
fn against_mesh(
    mesh: &TriangleMesh,
    pose_mesh: &Pose,
    body: &(dyn Convex + Send + Sync),
    pose_body: &Pose,
    bounds: &Aabb,
    scratch: &mut Scratch,
    nearest: &mut Nearest,
    mesh_is: usize,
) -> Result<(), QueryError> {
    let within = nearest.within;
    let mut visit = |index: u32| -> Result<(), QueryError> {
        let triangle = Triangle::of(mesh, index);
        let [p, q, r] = triangle.0;
        if nearest.wants(box_gap(&Aabb::new(p.min(q).min(r), p.max(q).max(r)), bounds)) {
            nearest.part[mesh_is] = index;
            let found = convex(&triangle, pose_mesh, body, pose_body, nearest.within, scratch)?;
            if let Some(found) = found {
                nearest.offer(if mesh_is == 0 { found } else { found.swapped() });
            }
        }
        Ok(())
    };
    if within.is_finite() {
        let mut outcome = Ok(());
        mesh.triangles_in(&bounds.fattened(within), |index| {
            if outcome.is_ok() {
                outcome = visit(index);
            }
        });
        outcome
    } else {
        (0..mesh.triangles().len() as u32).try_for_each(visit)
    }
}

/// Returns the closest points of two bounded convex bodies; `None` if their gap is proved to be above
/// `within`.
pub(crate) fn convex<A: Convex + ?Sized, B: Convex + ?Sized>(
    a: &A,
    pose_a: &Pose,
    b: &B,
    pose_b: &Pose,
    within: f64,
    scratch: &mut Scratch,
) -> Result<Option<Closest>, QueryError> {
    let difference = Difference::new(a, pose_a, b, pose_b);
    scratch.simplex = Simplex::EMPTY;
    let Some((cores, left)) = gjk::walk(&difference, &mut scratch.simplex, within + difference.margin())
    else {
        return Ok(None);
    };
    let (normal, mut gap, core_a, core_b) = match cores {
        Cores::Apart(apart) => {
            let size = apart.point_a.abs().max(apart.point_b.abs()).max_element();
            let Simplex { vertices, weights, len } = &scratch.simplex;
            let sharp = refine(&difference, &vertices[..*len], &weights[..*len], apart.normal, size);
            // Where rims are a hair's breadth apart, the walk may stall far from its end. What Newton's
            // method makes of it is an answer all the same if its own measure says so.
            let reached = sharp.is_some_and(|sharp| gjk::is_accepted(sharp.off, sharp.depth.abs(), size));
            if let Some(gap) = left.filter(|_| !reached) {
                return Err(gjk::unsettled(gap));
            }
            match sharp {
                Some(sharp) => (sharp.normal, -sharp.depth, sharp.point_a, sharp.point_b),
                None => (apart.normal, apart.distance, apart.point_a, apart.point_b),
            }
        }
        Cores::Overlap => {
            let overlap = epa::depth(&difference, &scratch.simplex, &mut scratch.polytope)?;
            (overlap.normal, -overlap.depth, overlap.point_a, overlap.point_b)
        }
    };
    gap -= difference.margin();
    let size = core_a.abs().max_element().max(core_b.abs().max_element());
    if gap > 0.0 && gap <= VERTEX_ROUNDING * size {
        gap = 0.0;
    }
    Ok(Some(Closest {
        normal: pose_a.vector_to_world(normal),
        gap,
        point_a: pose_a.point_to_world(core_a + normal * a.margin()),
        point_b: pose_a.point_to_world(core_b - normal * b.margin()),
    }))
}

/// Returns `true` if two shapes overlap or touch.
pub(crate) fn intersects(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    scratch: &mut Scratch,
) -> Result<bool, QueryError> {
    scratch.simplex = Simplex::EMPTY;
    match (a, b) {
        (Shape::Hull(x), Shape::Hull(y)) => gjk::intersects(&**x, pose_a, &**y, pose_b, &mut scratch.simplex),
        (Shape::Cuboid(x), Shape::Cuboid(y)) => gjk::intersects(x, pose_a, y, pose_b, &mut scratch.simplex),
        (Shape::Compound(compound), _) => {
            for part in compound.parts() {
                if intersects(&part.shape, &(*pose_a * part.pose), b, pose_b, scratch)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (_, Shape::Compound(compound)) => {
            for part in compound.parts() {
                if intersects(a, pose_a, &part.shape, &(*pose_b * part.pose), scratch)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (Shape::Mesh(mesh), _) if b.convex().is_some() => {
            touches_mesh(mesh, pose_a, b, pose_b, &mut scratch.simplex)
        }
        (_, Shape::Mesh(mesh)) if a.convex().is_some() => {
            touches_mesh(mesh, pose_b, a, pose_a, &mut scratch.simplex)
        }
        _ => match (a.convex(), b.convex()) {
            (Some(x), Some(y)) if !(has_closed_form(a) && has_closed_form(b)) => {
                gjk::intersects(x, pose_a, y, pose_b, &mut scratch.simplex)
            }
            _ => {
                let mut nearest = Nearest::within(0.0);
                closest(a, pose_a, b, pose_b, scratch, &mut nearest)?;
                Ok(nearest.found.is_some())
            }
        },
    }
}

/// Returns `true` if a bounded convex shape touches a triangle of a mesh.
fn touches_mesh(
    mesh: &TriangleMesh,
    pose_mesh: &Pose,
    shape: &Shape,
    pose: &Pose,
    simplex: &mut Simplex,
) -> Result<bool, QueryError> {
    let Some(body) = shape.convex() else { return Ok(false) };
    let mut outcome = Ok(false);
    mesh.triangles_in(&shape.bounds(&pose_mesh.to(pose)), |index| {
        if outcome == Ok(false) {
            *simplex = Simplex::EMPTY;
            outcome = gjk::intersects(&Triangle::of(mesh, index), pose_mesh, body, pose, simplex);
        }
    });
    outcome
}

/// Returns `true` for the shapes that have closed forms against each other.
fn has_closed_form(shape: &Shape) -> bool {
    matches!(shape, Shape::Sphere(_) | Shape::Capsule(_))
}
