//! Simple shapes that are fitted to a mesh.

use super::process::Mesh;
use crate::mjcf::spec::geom::GeomType;
use gedanken_math::Vec3;

/// Sizes of a shape that is fitted to a mesh, and its centre in the frame of the mesh: by the box of the same
/// inertia, or by the bounds of the mesh. `None` for a shape that cannot be fitted.
pub(crate) fn fit(mesh: &Mesh, kind: GeomType, by_bounds: bool, scale: f64) -> Option<([f64; 3], Vec3)> {
    let (sizes, centre) =
        if by_bounds { to_bounds(mesh, kind)? } else { (to_inertia(mesh, kind)?, Vec3::ZERO) };
    Some((sizes.map(|size| size * scale), centre))
}

fn to_inertia(mesh: &Mesh, kind: GeomType) -> Option<[f64; 3]> {
    let Vec3 { x, y, z } = mesh.inertia_box;
    match kind {
        GeomType::Sphere => Some([(x + y + z) / 3.0, 0.0, 0.0]),
        GeomType::Capsule => {
            let radius = (x + y) / 2.0;
            Some([radius, (z - radius / 2.0).max(0.0), 0.0])
        }
        GeomType::Cylinder => Some([(x + y) / 2.0, z, 0.0]),
        GeomType::Ellipsoid | GeomType::Box => Some([x, y, z]),
        _ => None,
    }
}

fn to_bounds(mesh: &Mesh, kind: GeomType) -> Option<([f64; 3], Vec3)> {
    let centre = (mesh.least + mesh.most) / 2.0;
    let vertices = || mesh.surface.vertices.iter().map(|vertex| *vertex - centre);
    let radius = || vertices().map(|v| (v.x * v.x + v.y * v.y).sqrt()).fold(0.0, f64::max);
    let sizes = match kind {
        GeomType::Sphere => [vertices().map(Vec3::length).fold(0.0, f64::max), 0.0, 0.0],
        GeomType::Cylinder => [radius(), vertices().map(|v| v.z.abs()).fold(0.0, f64::max), 0.0],
        GeomType::Capsule => {
            let radius = radius();
            // The cap reaches less far up the farther a vertex is from the axis.
            let beyond = |v: Vec3| v.z.abs() - (radius * radius - v.x * v.x - v.y * v.y).max(0.0).sqrt();
            [radius, vertices().map(beyond).fold(0.0, f64::max), 0.0]
        }
        GeomType::Ellipsoid | GeomType::Box => (mesh.most - centre).to_array(),
        _ => return None,
    };
    Some((sizes, centre))
}
