//! Models in MJCF, the XML of MuJoCo, as descriptions of mechanisms.
//!
//! `xml` makes elements of a text and of the files it includes, `spec` reads every element with the values of
//! its default classes, `mesh` reads meshes, and `compile` works out poses and masses and puts numbers in the
//! place of names. Bodies, joints, geoms, equalities and actuators stand in MuJoCo's order, with the numbers
//! that MuJoCo's own compiler gives.
//!
//! Nothing is passed over in silence. What has no effect on the motion (lights, cameras, sensors, textures)
//! is left out; everything else that is not supported is an error, or a warning in a lenient reading. Any
//! text, however malformed, deep or large, ends in a description or in diagnostics with their places.

mod compile;
mod experiment;
mod mesh;
mod report;
mod spec;
mod xml;

pub use experiment::experiment;

use crate::files::Files;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::{Sources, Span};
use gedanken_math::Vec3;
use gedanken_multibody::model::Description;
use std::sync::Arc;

/// How a model is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct MjcfOptions {
    /// Whether what is not supported is left out, with a warning for each item, instead of refused.
    pub lenient: bool,
    /// Whether files outside the folder of the model are refused, whatever the files would allow.
    pub confined: bool,
}

/// A model that was read.
#[derive(Debug, Clone)]
pub struct MjcfModel {
    /// The mechanism.
    pub description: Description,
    /// How its geoms look, one for each.
    pub looks: Vec<GeomLook>,
    /// What the reader should know: items that were left out, another solver.
    pub warnings: Vec<Diagnostic>,
    /// Place of its first element, blamed for what is wrong with the whole.
    pub span: Span,
}

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

/// Reads a model in MJCF.
///
/// `path` is where the text comes from: files that it names are looked for in its folder.
///
/// # Errors
/// All mistakes that were found, and everything that is not supported, each with its place.
pub fn read(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    options: MjcfOptions,
) -> Result<MjcfModel, Vec<Diagnostic>> {
    let mut report = report::Report::new(options.lenient);
    let around = xml::ModelFiles::around(files, path, options.confined);
    let document = xml::load(&around, sources, &mut report, path, text);
    let made = document.as_ref().and_then(|document| {
        let root = document.root()?;
        let spec = spec::sections::read(document, root, &mut report);
        // Names and masses are worked out even if something is wrong, so that one reading tells as much as
        // it can; but not for a text that is no model.
        let (description, looks) = compile::compile(&spec, &around, sources, &mut report);
        Some((description, looks, document.element(root).span))
    });
    let warnings = report.finish()?;
    match made {
        Some((description, looks, span)) => Ok(MjcfModel { description, looks, warnings, span }),
        // Without a document there was an error.
        None => Err(warnings),
    }
}
