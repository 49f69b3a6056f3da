//! The triangles of a mesh, from its file or from the lists in the model.

use super::msh::msh;
use super::obj::obj;
use crate::mjcf::MeshSurface;
use crate::mjcf::report::Report;
use crate::mjcf::spec::compiler::Compiler;
use crate::mjcf::spec::mesh::MeshSpec;
use crate::mjcf::xml::{ModelFiles, unreadable};
use gedanken_geometry::import::stl;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{Sources, Span};
use gedanken_math::Vec3;

/// Loads the surface of a mesh; `None` if that failed, which is reported.
pub(crate) fn load(
    spec: &MeshSpec,
    compiler: &Compiler,
    files: &ModelFiles<'_>,
    sources: &Sources,
    report: &mut Report,
) -> Option<MeshSurface> {
    match (&spec.file, &spec.vertices) {
        (Some((file, span)), _) => from_file(spec, file, *span, compiler, files, sources, report),
        (None, Some(numbers)) => from_lists(spec, numbers, report),
        (None, None) => {
            if let Some(span) = spec.span {
                report.error(Code::E011, span, "a mesh needs a `file` or a list of `vertex`");
            }
            None
        }
    }
}

fn from_file(
    spec: &MeshSpec,
    file: &str,
    span: Span,
    compiler: &Compiler,
    files: &ModelFiles<'_>,
    sources: &Sources,
    report: &mut Report,
) -> Option<MeshSurface> {
    let name = if compiler.strip_path { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
    let is_absolute = name.starts_with('/') || name.contains(":/");
    let path = if compiler.mesh_folder.is_empty() || is_absolute {
        name.to_owned()
    } else {
        format!("{}/{name}", compiler.mesh_folder)
    };
    let found = files.find(&path, sources.name(span.source), |files, path| files.bytes(path));
    let (path, bytes) = match found {
        Ok(found) => found,
        Err(error) => {
            report.push(unreadable(&path, &error, span));
            return None;
        }
    };
    let ending = match spec.content_type.as_deref() {
        Some("model/stl") => "stl".to_owned(),
        Some("model/obj") => "obj".to_owned(),
        Some("model/vnd.mujoco.msh") => "msh".to_owned(),
        _ => path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default(),
    };
    let surface = match ending.as_str() {
        "stl" => stl(&bytes).map_err(|error| error.to_string()).map(|soup| MeshSurface {
            vertices: soup.vertices().to_vec(),
            triangles: soup.triangles().to_vec(),
        }),
        "obj" => obj(&bytes),
        "msh" => msh(&bytes),
        _ => Err("its name ends neither in .stl nor in .obj nor in .msh".to_owned()),
    };
    match surface {
        Ok(surface) => Some(surface),
        Err(reason) => {
            let message = format!("the mesh in `{path}` cannot be read: {reason}");
            report.push(Diagnostic::new(Code::E013, span, message).help("save it as STL or OBJ"));
            None
        }
    }
}

fn from_lists(spec: &MeshSpec, numbers: &[f64], report: &mut Report) -> Option<MeshSurface> {
    let span = spec.span?;
    if !numbers.len().is_multiple_of(3) || numbers.len() < 12 {
        report.error(Code::E007, span, "`vertex` takes three numbers for each of at least four vertices");
        return None;
    }
    // As files have them: MuJoCo reads vertices in single precision.
    let coordinate = |number: f64| f64::from(number as f32);
    let vertices: Vec<Vec3> =
        numbers.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2]).map(coordinate)).collect();
    let mut surface = MeshSurface { vertices, triangles: Vec::new() };
    if let Some((faces, span)) = &spec.faces {
        let count = surface.vertices.len();
        let index = |number: f64| {
            (number >= 0.0 && number < count as f64 && number % 1.0 == 0.0).then_some(number as u32)
        };
        let corners: Option<Vec<u32>> = faces.iter().map(|number| index(*number)).collect();
        let Some(corners) = corners.filter(|corners| corners.len().is_multiple_of(3)) else {
            let message =
                format!("`face` takes three numbers of vertices, 0 to {}, for each triangle", count - 1);
            report.error(Code::E008, *span, message);
            return None;
        };
        surface.triangles = corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
    }
    Some(surface)
}
