//! Meshes: from files and lists of vertices to surfaces about their centre of mass, along their principal axes.

mod fit;
mod load;
mod msh;
mod obj;
mod process;

pub(crate) use fit::fit;
pub(crate) use load::load;
pub(crate) use process::{Mesh, process};

use gedanken_math::Vec3;

/// A triangle surface as it is written.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Surface {
    /// Vertices.
    pub(crate) vertices: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from outside; none for the hull of the vertices.
    pub(crate) triangles: Vec<[u32; 3]>,
}
