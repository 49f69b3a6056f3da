//! Meshes as they are written.

use super::unsupported::Unsupported;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Span;

/// Ways to give a mesh mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeshInertia {
    /// Its convex hull is solid.
    Convex,
    /// What it encloses is solid.
    Exact,
    /// Every pyramid from its centre to a triangle is solid, even where they overlap.
    Legacy,
    /// Its surface has mass.
    Shell,
}

/// A mesh as it is written.
#[derive(Debug, Clone)]
pub(crate) struct MeshSpec {
    /// Its name.
    pub(crate) name: String,
    /// Place of its element.
    pub(crate) span: Option<Span>,
    /// File, and the place of its name.
    pub(crate) file: Option<(String, Span)>,
    /// Kind of the file, if it is not the one that its name says.
    pub(crate) content_type: Option<String>,
    /// Coordinates of vertices, instead of a file.
    pub(crate) vertices: Option<Vec<f64>>,
    /// Triangles of these vertices; without any, those of the hull.
    pub(crate) faces: Option<(Vec<f64>, Span)>,
    /// Position that becomes the origin.
    pub(crate) reference_position: [f64; 3],
    /// Orientation that becomes the identity.
    pub(crate) reference_rotation: [f64; 4],
    /// Scale along the three axes.
    pub(crate) scale: [f64; 3],
    /// Way to give it mass.
    pub(crate) inertia: MeshInertia,
    /// What cannot be had.
    pub(crate) unsupported: Unsupported,
}

impl Default for MeshSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            span: None,
            file: None,
            content_type: None,
            vertices: None,
            faces: None,
            reference_position: [0.0; 3],
            reference_rotation: [1.0, 0.0, 0.0, 0.0],
            scale: [1.0; 3],
            inertia: MeshInertia::Legacy,
            unsupported: Unsupported::default(),
        }
    }
}

impl MeshSpec {
    /// Takes over what an element of a default class says.
    pub(crate) fn apply_default(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.scale = attributes.numbers("scale", report).unwrap_or(self.scale);
        if let Some(way) = attributes.choice("inertia", &["convex", "exact", "legacy", "shell"], report) {
            self.inertia =
                [MeshInertia::Convex, MeshInertia::Exact, MeshInertia::Legacy, MeshInertia::Shell][way];
        }
        if let Some(most) = attributes.integer("maxhullvert", report) {
            let span = attributes.span("maxhullvert");
            let feature = "a hull with a limited number of vertices (`maxhullvert`)";
            self.unsupported.set("maxhullvert", most > 0, span, feature);
        }
    }

    /// Takes over what an element of the assets says.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.span = Some(attributes.element_span());
        self.apply_default(attributes, report);
        self.file = super::equality::named("file", attributes);
        self.content_type = attributes.text("content_type").map(str::to_owned);
        self.vertices = attributes.list("vertex", report);
        if let Some(faces) = attributes.list("face", report) {
            self.faces = Some((faces, attributes.span("face")));
        }
        self.reference_position = attributes.numbers("refpos", report).unwrap_or(self.reference_position);
        self.reference_rotation = attributes.numbers("refquat", report).unwrap_or(self.reference_rotation);
        if let Some(builtin) = attributes.text("builtin") {
            let span = attributes.span("builtin");
            self.unsupported.set("builtin", builtin != "none", span, "a mesh that is built in (`builtin`)");
        }
        attributes.without_effect(&["normal", "texcoord", "smoothnormal", "params", "material"]);
        match attributes.text("name") {
            Some(name) => name.clone_into(&mut self.name),
            // As MuJoCo names it: the file without folders and ending.
            None => {
                if let Some((file, _)) = &self.file {
                    let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
                    base.rsplit_once('.').map_or(base, |(stem, _)| stem).clone_into(&mut self.name);
                } else {
                    report.error(Code::E011, attributes.element_span(), "a mesh needs a `name` or a `file`");
                }
            }
        }
    }
}
