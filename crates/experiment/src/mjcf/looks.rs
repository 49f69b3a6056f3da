//! How geoms look: colours, and the surfaces of meshes.

use gedanken_math::Vec3;
use std::sync::Arc;

/// How a geom looks.
#[derive(Debug, Clone, PartialEq)]
pub struct GeomLook {
    /// Red, green, blue and opacity, from 0 to 1.
    pub rgba: [f64; 4],
    /// Group; 0, 1 and 2 are usually shown.
    pub group: i32,
    /// Whether it is only seen: its contact bits are all zero. A mesh that is only seen has the shape of a
    /// box, which nothing meets.
    pub is_visual: bool,
    /// Half the sides of a plane that is drawn; 0 for one without end.
    pub plane_size: [f64; 2],
    /// The surface of a mesh, in the frame of the geom; geoms of one mesh share it.
    pub mesh: Option<Arc<MeshSurface>>,
}

/// The triangles of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshSurface {
    /// Vertices.
    pub vertices: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
