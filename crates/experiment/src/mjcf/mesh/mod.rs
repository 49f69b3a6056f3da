//! Meshes: from files and lists of vertices to surfaces about their centre of mass, along their principal axes.

mod fit;
mod load;
mod msh;
mod obj;
mod process;

pub(crate) use fit::fit;
pub(crate) use load::load;
pub(crate) use process::{Mesh, process};
