//! Geoms: shapes, poses, masses and surfaces.

use super::mass::{measure, moments};
use crate::mjcf::GeomLook;
use crate::mjcf::mesh::{Mesh, fit};
use crate::mjcf::report::Report;
use crate::mjcf::spec::geom::{GeomSpec, GeomType};
use crate::mjcf::spec::orientation::{LEAST_LENGTH, to_z_axis};
use crate::mjcf::spec::sections::ModelSpec;
use crate::mjcf::spec::tree::compose;
use gedanken_geometry::ConvexHull;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::{BodyId, ContactDimension, Geom, GeomShape, Surface};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A geom with its mass.
#[derive(Debug, Clone)]
pub(crate) struct MassiveGeom {
    /// The geom.
    pub(crate) geom: Geom,
    /// How it looks.
    pub(crate) look: GeomLook,
    /// Group, by which bodies choose the geoms that give them mass.
    pub(crate) group: i32,
    /// Mass.
    pub(crate) mass: f64,
    /// Moments about its own axes.
    pub(crate) inertia: Vec3,
}

/// Meshes that have been read, by name, with the hulls made so far.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    /// The meshes.
    pub(crate) meshes: BTreeMap<String, Mesh>,
    hulls: BTreeMap<String, Arc<ConvexHull>>,
}

/// A shape and its pose, while they are worked out.
struct Shaped {
    kind: GeomType,
    size: [f64; 3],
    pose: Pose,
}

/// Makes a geom; `None` if it cannot be, which is reported. One that is paired meets another, whatever its bits.
pub(crate) fn geom(
    spec: &GeomSpec,
    frame: Pose,
    body: usize,
    is_paired: bool,
    model: &ModelSpec,
    meshes: &mut Meshes,
    fallback: Span,
    report: &mut Report,
) -> Option<MassiveGeom> {
    let span = spec.span.unwrap_or(fallback);
    let unsupported = match spec.kind {
        GeomType::HeightField => Some("a height field"),
        GeomType::DistanceField => Some("a signed distance field"),
        _ => None,
    };
    if let Some(what) = unsupported {
        report.unsupported(span, what);
        return None;
    }
    if let Some((name, at)) = spec.material.as_ref().filter(|(name, _)| !model.materials.contains_key(name)) {
        let diagnostic = Diagnostic::new(Code::E009, *at, format!("there is no material `{name}`"));
        report.push_closest(diagnostic, name, model.materials.keys().map(String::as_str));
    }
    let mut shaped = place(spec, model, report)?;
    let mesh = match &spec.mesh {
        // A mesh that failed has been reported already.
        Some((name, _)) => Some(meshes.meshes.get(name)?.clone()),
        None => None,
    };
    let mut is_mesh = false;
    if let Some(mesh) = &mesh {
        is_mesh = shaped.kind == GeomType::Mesh;
        use_mesh(&mut shaped, mesh, spec, span, report)?;
    } else if shaped.kind == GeomType::Mesh {
        report.push(
            Diagnostic::new(Code::E011, span, "a geom of the type `mesh` needs the attribute `mesh`")
                .help("for example `mesh=\"hand\"`, with a `mesh` of that name among the assets"),
        );
        return None;
    }
    check_sizes(&shaped, spec, span, report)?;
    let (mass, inertia) = weigh(&shaped, spec, mesh.as_ref().filter(|_| is_mesh), span, report);
    let is_visual = spec.contype == 0 && spec.conaffinity == 0;
    let shape = match (&spec.mesh, &mesh) {
        (Some((name, _)), Some(mesh)) if is_mesh => {
            meshes.hull(name, mesh, is_visual && !is_paired, span, report)?
        }
        _ => shape_of(&shaped),
    };
    let mut geom = Geom::new(spec.name.clone(), BodyId::new(body), shape);
    geom.pose = compose(frame, shaped.pose);
    geom.surface = surface(spec, span, report);
    (geom.contact_type, geom.contact_affinity) = (spec.contype as u32, spec.conaffinity as u32);
    let look = GeomLook {
        rgba: colour(spec, model),
        group: spec.group,
        is_visual,
        plane_size: [shaped.size[0], shaped.size[1]],
        mesh: mesh.filter(|_| is_mesh).map(|mesh| mesh.surface),
    };
    Some(MassiveGeom { geom, look, group: spec.group, mass, inertia })
}

/// Colour of a geom: its own, else that of its material.
fn colour(spec: &GeomSpec, model: &ModelSpec) -> [f64; 4] {
    let material = spec.material.as_ref().and_then(|(name, _)| model.materials.get(name));
    match material {
        Some(rgba) if spec.rgba == GeomSpec::DEFAULT_RGBA => *rgba,
        _ => spec.rgba,
    }
}

/// Size and pose as the attributes say.
fn place(spec: &GeomSpec, model: &ModelSpec, report: &mut Report) -> Option<Shaped> {
    let mut size = spec.size.0;
    let Some(([a, b, c, d, e, f], at)) = spec.from_to else {
        let rotation = spec.orientation.resolve(&model.compiler, report);
        return Some(Shaped { kind: spec.kind, size, pose: Pose::new(rotation, Vec3::from_array(spec.pos)) });
    };
    if !matches!(spec.kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box)
        || spec.mesh.is_some()
    {
        let message = "only a capsule, a cylinder, an ellipsoid and a box lie between two points";
        report.error(Code::E012, at, message);
        return None;
    }
    if spec.pos != [0.0; 3] {
        report.error(Code::E012, at, "`fromto` and `pos` are two positions of one geom");
        return None;
    }
    let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
    let length = (from - to).length();
    if length / 2.0 < LEAST_LENGTH || !length.is_finite() {
        report.error(Code::E008, at, "the two points of `fromto` are too close to each other");
        return None;
    }
    if matches!(spec.kind, GeomType::Ellipsoid | GeomType::Box) {
        size = [size[0], size[0], length / 2.0];
    } else {
        size[1] = length / 2.0;
    }
    // The z axis points from the second point to the first.
    Some(Shaped {
        kind: spec.kind,
        size,
        pose: Pose::new(to_z_axis((from - to) / length), (from + to) / 2.0),
    })
}

/// Takes over the frame of a mesh, and the sizes of a shape that is fitted to it.
fn use_mesh(
    shaped: &mut Shaped,
    mesh: &Mesh,
    spec: &GeomSpec,
    span: Span,
    report: &mut Report,
) -> Option<()> {
    if shaped.kind == GeomType::Mesh {
        if spec.is_shell {
            report.error(Code::E012, span, "whether a mesh is hollow is said by its asset, not by a geom");
            return None;
        }
        shaped.size = mesh.reach.to_array();
    } else {
        let Some(size) = fit(mesh, shaped.kind, spec.fit_scale) else {
            report.error(Code::E012, span, "a plane cannot be fitted to a mesh");
            return None;
        };
        shaped.size = size;
    }
    shaped.pose = compose(shaped.pose, mesh.frame);
    Some(())
}

/// Reports sizes that are not positive.
fn check_sizes(shaped: &Shaped, spec: &GeomSpec, span: Span, report: &mut Report) -> Option<()> {
    let needed: &[usize] = match shaped.kind {
        GeomType::Plane => &[2],
        GeomType::Sphere => &[0],
        GeomType::Capsule | GeomType::Cylinder => &[0, 1],
        GeomType::Ellipsoid | GeomType::Box => &[0, 1, 2],
        _ => &[],
    };
    if needed.iter().all(|k| shaped.size[*k] > 0.0) {
        return Some(());
    }
    let what = match shaped.kind {
        GeomType::Plane => "a plane has three sizes, the last of them more than zero",
        GeomType::Sphere => "a sphere has a radius, more than zero",
        GeomType::Capsule => "a capsule has a radius and half a length, both more than zero",
        GeomType::Cylinder => "a cylinder has a radius and half a length, both more than zero",
        GeomType::Ellipsoid => "an ellipsoid has three radii, all more than zero",
        _ => "a box has three half sides, all more than zero",
    };
    report.push(Diagnostic::new(Code::E008, spec.size.1.unwrap_or(span), what).help("give them with `size`"));
    None
}

/// Mass and moments of a shape.
fn weigh(
    shaped: &Shaped,
    spec: &GeomSpec,
    mesh: Option<&Mesh>,
    span: Span,
    report: &mut Report,
) -> (f64, Vec3) {
    let volume = mesh.map_or_else(|| measure(shaped.kind, shaped.size, spec.is_shell), |mesh| mesh.measure);
    let mass = match spec.mass {
        Some(mass) if volume > LEAST_LENGTH || mass == 0.0 => mass,
        Some(_) => 0.0,
        None => spec.density * volume,
    };
    if mass < 0.0 || spec.density < 0.0 {
        report.error(Code::E008, span, "mass and density are not negative");
        return (0.0, Vec3::ZERO);
    }
    let inertia = match mesh {
        Some(mesh) => {
            let Vec3 { x, y, z } = mesh.inertia_box;
            Vec3::new(y * y + z * z, x * x + z * z, x * x + y * y) * (mass / 3.0)
        }
        None => moments(shaped.kind, shaped.size, spec.is_shell, mass),
    };
    (mass, inertia)
}

fn shape_of(shaped: &Shaped) -> GeomShape {
    let [a, b, c] = shaped.size;
    match shaped.kind {
        GeomType::Plane => GeomShape::Plane,
        GeomType::Capsule => GeomShape::Capsule { radius: a, half_length: b },
        GeomType::Ellipsoid => GeomShape::Ellipsoid { semi_axes: Vec3::new(a, b, c) },
        GeomType::Cylinder => GeomShape::Cylinder { radius: a, half_length: b },
        GeomType::Box => GeomShape::Box { half_sides: Vec3::new(a, b, c) },
        _ => GeomShape::Sphere { radius: a },
    }
}

fn surface(spec: &GeomSpec, span: Span, report: &mut Report) -> Surface {
    Surface {
        dimension: dimension(spec.condim, span, report),
        friction: spec.friction,
        softness: spec.softness.softness(),
        margin: spec.margin,
        gap: spec.gap,
        priority: spec.priority,
        mixing_weight: spec.solmix,
    }
}

/// The dimension of contacts that a number means.
pub(crate) fn dimension(
    (condim, at): (i32, Option<Span>),
    span: Span,
    report: &mut Report,
) -> ContactDimension {
    usize::try_from(condim).ok().and_then(ContactDimension::from_condim).unwrap_or_else(|| {
        let message = format!("`condim` is 1, 3, 4 or 6, not {condim}");
        report.error(Code::E008, at.unwrap_or(span), message);
        ContactDimension::Sliding
    })
}

impl Meshes {
    /// The shape of a geom that is a mesh: the hull, or a box around what is only seen and never met.
    fn hull(
        &mut self,
        name: &str,
        mesh: &Mesh,
        is_visual: bool,
        span: Span,
        report: &mut Report,
    ) -> Option<GeomShape> {
        if is_visual {
            return Some(GeomShape::Box { half_sides: mesh.reach });
        }
        if let Some(hull) = self.hulls.get(name) {
            return Some(GeomShape::Hull(Arc::clone(hull)));
        }
        match ConvexHull::new(&mesh.surface.vertices) {
            Ok(hull) => {
                let hull = Arc::new(hull);
                self.hulls.insert(name.to_owned(), Arc::clone(&hull));
                Some(GeomShape::Hull(hull))
            }
            Err(error) => {
                report.error(Code::E013, span, format!("the mesh `{name}` has no hull: {error}"));
                None
            }
        }
    }
}
