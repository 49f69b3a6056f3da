//! One triangle of a mesh, as a convex body without volume.

use crate::shape::{Convex, TriangleMesh};
use gedanken_math::Vec3;

/// A triangle by its corners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle(pub(crate) [Vec3; 3]);

impl Triangle {
    /// The triangle of this number.
    pub(crate) fn of(mesh: &TriangleMesh, index: u32) -> Self {
        Self(mesh.triangles()[index as usize].map(|vertex| mesh.vertices()[vertex as usize]))
    }
}

impl Convex for Triangle {
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let [p, q, r] = self.0;
        let (x, y, z) = (p.dot(direction), q.dot(direction), r.dot(direction));
        if x >= y && x >= z {
            p
        } else if y >= z {
            q
        } else {
            r
        }
    }
    fn centre(&self) -> Vec3 {
        (self.0[0] + self.0[1] + self.0[2]) / 3.0
    }
}
