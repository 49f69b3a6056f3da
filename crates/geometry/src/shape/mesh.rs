//! Triangle meshes: static surfaces of any form, two-sided, without an inside.
//!
//! Distances are never negative, normals point to the side from which the mesh is seen, and there is no mass;
//! a mesh that is closed can be asked for the solid it encloses ([`TriangleMesh::as_solid`]). A tree of boxes
//! over the triangles answers rays, closest points and regions in logarithmic time.
//!
//! Invariant: there is at least one triangle, every triangle has a normal, and every vertex is finite.

mod tree;

use super::direction::{Approach, unit};
use super::{Projection, Solid};
use crate::bounds::Aabb;
use crate::error::ShapeError;
use crate::mass::{MassProperties, of_polyhedron};
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};
use tree::Tree;

/// A static surface of triangles.
#[derive(Debug, Clone)]
pub struct TriangleMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    tree: Tree,
}

impl TriangleMesh {
    /// The surface of these triangles, each three numbers of vertices.
    ///
    /// # Errors
    /// [`ShapeError::NoTriangles`], [`ShapeError::NoVertex`], [`ShapeError::NotFinite`], and
    /// [`ShapeError::FlatTriangle`] for a triangle whose corners lie on a line to rounding.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        if triangles.is_empty() {
            return Err(ShapeError::NoTriangles);
        }
        if let Some(index) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(ShapeError::NotFinite { shape: "mesh", field: "vertex", index });
        }
        let count = vertices.len();
        for (triangle, names) in triangles.iter().enumerate() {
            if let Some(&vertex) = names.iter().find(|&&v| v as usize >= count) {
                return Err(ShapeError::NoVertex { triangle, vertex: vertex as usize, count });
            }
            if normal_of(names.map(|v| vertices[v as usize])).is_none() {
                return Err(ShapeError::FlatTriangle { triangle });
            }
        }
        let boxes: Vec<(Vec3, Vec3)> = triangles
            .iter()
            .map(|names| {
                let [a, b, c] = names.map(|v| vertices[v as usize]);
                (a.min(b).min(c), a.max(b).max(c))
            })
            .collect();
        Ok(Self { vertices, triangles, tree: Tree::over(&boxes) })
    }

    /// The vertices.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles, each three numbers of vertices.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of triangle number `index`.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn corners(&self, index: u32) -> [Vec3; 3] {
        self.triangles[index as usize].map(|v| self.vertices[v as usize])
    }

    /// The unit normal of triangle number `index`: its corners wind counter-clockwise about it.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn normal(&self, index: u32) -> Vec3 {
        normal_of(self.corners(index)).expect("flat triangles are refused when a mesh is made")
    }

    /// Mass properties of the solid that the mesh encloses.
    ///
    /// # Errors
    /// [`ShapeError::Open`] or [`ShapeError::InsideOut`] if it encloses none; [`ShapeError::BadSize`] for the
    /// density.
    pub fn as_solid(&self, density: f64) -> Result<MassProperties, ShapeError> {
        of_polyhedron(&self.vertices, &self.triangles, density)
    }

    /// Calls `visit` with every triangle whose box touches `region` (body frame). The order depends on the
    /// mesh alone.
    pub fn triangles_in(&self, region: &Aabb, mut visit: impl FnMut(u32)) {
        self.tree.within(region.min, region.max, |index| {
            let [a, b, c] = self.corners(index);
            let (min, max) = (a.min(b).min(c), a.max(b).max(c));
            if min.cmple(region.max).all() && max.cmpge(region.min).all() {
                visit(index);
            }
        });
    }

    /// Returns the closest point of the surface, and the triangle it is on; of equally close ones the first.
    #[must_use]
    pub fn closest(&self, point: Vec3) -> (Projection, u32) {
        let mut best = (f64::INFINITY, 0, self.corners(0)[0]);
        let box_distance = |min: Vec3, max: Vec3| (point - point.max(min).min(max)).length_squared();
        self.tree.nearest_first(box_distance, |index, limit| {
            let candidate = closest_of_triangle(point, self.corners(index));
            let squared = (point - candidate).length_squared();
            if squared < best.0 || (squared == best.0 && index < best.1) {
                best = (squared, index, candidate);
            }
            limit.min(squared)
        });
        let (_, index, on_surface) = best;
        let face = || {
            let normal = self.normal(index);
            if normal.dot(point - on_surface) < 0.0 { -normal } else { normal }
        };
        let (normal, distance) = unit(point - on_surface).unwrap_or_else(|| (face(), 0.0));
        (Projection { point: on_surface, normal, signed_distance: distance }, index)
    }

    /// Returns the first hit of a ray on the surface, and the triangle it meets; of triangles met at the same
    /// place the first. A ray within the plane of a triangle misses it; one through an edge or a corner of
    /// several triangles never slips between them.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<(Hit, u32)> {
        let line = Approach::of(ray)?;
        let shear = Shear::along(line.near, line.unit);
        let mut best: Option<(f64, u32)> = None;
        let reached = |min: Vec3, max: Vec3| line.reaches(min, max);
        self.tree.nearest_first(reached, |index, limit| {
            let Some(s) = shear.meets(self.corners(index)).filter(|&s| line.is_ahead(s)) else {
                return limit;
            };
            if best.is_none_or(|(known, at)| s < known || (s == known && index < at)) {
                best = Some((s, index));
            }
            limit.min(s)
        });
        let (s, index) = best?;
        let face = self.normal(index);
        let normal = if face.dot(line.unit) > 0.0 { -face } else { face };
        Some((Hit { t: line.parameter(s), normal }, index))
    }
}

/// Returns (b - a) × (c - a), of length one; `None` if it is nothing but rounding.
fn normal_of([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let (one, two, three) = (b - a, c - a, c - b);
    let (normal, twice_area) = unit(one.cross(two))?;
    let longest = one.length_squared().max(two.length_squared()).max(three.length_squared());
    // The cross product is off by a few rounding errors of the squared lengths.
    (twice_area > 8.0 * f64::EPSILON * longest).then_some(normal)
}

/// Returns the point of a triangle closest to `p`, by the region of the plane that `p` projects to
/// (@ericson2005, section 5.1.5).
fn closest_of_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    // In units of the triangle's size: products of four lengths would overflow or vanish long before a length
    // does.
    let size = (b - a).abs().max((c - a).abs()).max_element();
    let (ab, ac, ap) = ((b - a) / size, (c - a) / size, (p - a) / size);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = (p - b) / size;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + (b - a) * (d1 / (d1 - d3));
    }
    let cp = (p - c) / size;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + (c - a) * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    a + (b - a) * (vb / sum) + (c - a) * (vc / sum)
}

/// Coordinates in which a line runs along the third axis, so that meeting a triangle is a question of three
/// signed areas; neighbours compute the area of a shared edge with the same bits and opposite sign, hence no
/// gaps (@woop2013).
struct Shear {
    origin: Vec3,
    axes: [usize; 3],
    slope: [f64; 3],
}

impl Shear {
    fn along(origin: Vec3, u: Vec3) -> Self {
        let size = u.abs();
        let z = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        Self { origin, axes: [x, y, z], slope: [u[x] / u[z], u[y] / u[z], 1.0 / u[z]] }
    }

    /// Returns the arc length at which the line meets the triangle.
    fn meets(&self, corners: [Vec3; 3]) -> Option<f64> {
        let [kx, ky, kz] = self.axes;
        let [a, b, c] = corners.map(|corner| {
            let p = corner - self.origin;
            (p[kx] - self.slope[0] * p[kz], p[ky] - self.slope[1] * p[kz], self.slope[2] * p[kz])
        });
        let u = c.0 * b.1 - c.1 * b.0;
        let v = a.0 * c.1 - a.1 * c.0;
        let w = b.0 * a.1 - b.1 * a.0;
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let sum = u + v + w;
        (sum != 0.0).then(|| (u * a.2 + v * b.2 + w * c.2) / sum)
    }
}

impl Solid for TriangleMesh {
    fn kind(&self) -> &'static str {
        "mesh"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let mut all = Aabb { min: Vec3::splat(f64::INFINITY), max: Vec3::splat(f64::NEG_INFINITY) };
        for &v in self.triangles.iter().flatten() {
            let point = pose.point_to_world(self.vertices[v as usize]);
            all = Aabb { min: all.min.min(point), max: all.max.max(point) };
        }
        all
    }

    fn mass_properties(&self, _density: f64) -> Result<MassProperties, ShapeError> {
        Err(ShapeError::Without {
            shape: "mesh",
            what: "mass properties: it is a surface; ask for it as a solid",
        })
    }

    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        self.cast(ray).map(|(hit, _)| hit)
    }

    /// The distance is never negative, and the normal points to the side of the point.
    fn project(&self, point: Vec3) -> Projection {
        self.closest(point).0
    }
}
