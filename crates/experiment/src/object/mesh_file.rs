//! Shapes that come from files.

use super::shape::ShapeKind;
use crate::files::Files;
use crate::read::fields::Fields;
use gedanken_geometry::import::{TriangleSoup, obj, stl};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::Name;
use std::path::Path;
use std::sync::Arc;

/// Source of the files that objects name.
#[derive(Clone, Copy)]
pub(crate) struct MeshFiles<'m> {
    /// All files that the experiment may read.
    pub(crate) files: &'m dyn Files,
    /// Path of the experiment: file names count from its folder.
    pub(crate) experiment_path: &'m str,
}

/// A mistake that has been reported.
pub(crate) struct Reported;

/// The triangles of an object's `file`, if its shape has one.
pub(crate) fn read(
    fields: &Fields<'_>,
    shape: Option<ShapeKind>,
    is_static: Option<bool>,
    mesh_files: MeshFiles<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Arc<TriangleSoup>>, Reported> {
    if shape == Some(ShapeKind::Mesh) {
        fields.require("file", "\"ramp.stl\"", diagnostics);
        if is_static == Some(false) {
            diagnostics.push(
                Diagnostic::new(Code::E713, fields.span_of("geometrical_type"), "a mesh cannot be dynamic")
                    .label("a surface without an inside")
                    .help("make it `static`, or a `convex hull`, which may read the same file"),
            );
        }
    }
    if !fields.has("file") {
        return if shape == Some(ShapeKind::Mesh) { Err(Reported) } else { Ok(None) };
    }
    let name = fields.text("file", diagnostics).ok_or(Reported)?;
    match shape {
        Some(ShapeKind::Mesh | ShapeKind::ConvexHull) | None => {}
        Some(shape) => {
            let message = format!("a {} does not come from a file", shape.name());
            diagnostics.push(
                Diagnostic::new(Code::E714, fields.span_of("file"), message)
                    .help("only a `mesh` and a `convex hull` read files: remove it, or change the shape"),
            );
            return Ok(None);
        }
    }
    load(name, mesh_files).map(|soup| Some(Arc::new(soup))).map_err(|diagnostic| {
        diagnostics.push(*diagnostic);
        Reported
    })
}

fn load(name: &Name, mesh_files: MeshFiles<'_>) -> Result<TriangleSoup, Box<Diagnostic>> {
    let path = Path::new(mesh_files.experiment_path).parent().unwrap_or(Path::new("")).join(&name.text);
    let path = path.to_string_lossy();
    let refuse = |why: String| {
        Diagnostic::new(Code::E714, name.span, format!("the shape in `{path}` cannot be read: {why}"))
    };
    let reader =
        match Path::new(&name.text).extension().map(|it| it.to_string_lossy().to_lowercase()).as_deref() {
            Some("stl") => stl,
            Some("obj") => obj,
            _ => {
                let why = "its name ends neither in .stl nor in .obj".to_owned();
                return Err(Box::new(refuse(why).help("save the shape as STL or OBJ")));
            }
        };
    let bytes = mesh_files
        .files
        .bytes(&path)
        .map_err(|why| Box::new(refuse(why).help("the path counts from the folder of the experiment")))?;
    reader(&bytes).map_err(|error| Box::new(refuse(error.to_string())))
}
