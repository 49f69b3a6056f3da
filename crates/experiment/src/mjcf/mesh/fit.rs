//! Simple shapes that are fitted to a mesh.

use super::process::Mesh;
use crate::mjcf::spec::geom::GeomType;
use gedanken_math::Vec3;

/// Sizes of a shape that is fitted to the box that has the inertia of a mesh. `None` for a shape that cannot be
/// fitted.
pub(crate) fn fit(mesh: &Mesh, kind: GeomType, scale: f64) -> Option<[f64; 3]> {
    let Vec3 { x, y, z } = mesh.inertia_box;
    let sizes = match kind {
        GeomType::Sphere => [(x + y + z) / 3.0, 0.0, 0.0],
        GeomType::Capsule => {
            let radius = (x + y) / 2.0;
            [radius, (z - radius / 2.0).max(0.0), 0.0]
        }
        GeomType::Cylinder => [(x + y) / 2.0, z, 0.0],
        GeomType::Ellipsoid | GeomType::Box => [x, y, z],
        _ => return None,
    };
    Some(sizes.map(|size| size * scale))
}
